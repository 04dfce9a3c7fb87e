/** Types that are not decoded, or not even known: a note, and a verdict as far as bytes tell. */
import { describe, expect, test } from 'vitest';
import { loadCore } from '../../../web/index.js';
import { gguf, safetensors } from './checkpoint-files.js';

const core = await loadCore({ modules: ['checkpoint'] });
const [V, D] = [64, 256];
const floats = Uint8Array.from(new Uint8Array(Float32Array.from({ length: V * D }, (_, i) => Math.sin(i)).buffer));

describe('GGUF', () => {
  test.each([
    ['Q8_1', 9, 32, 36],
    ['Q8_K', 15, 256, 292],
  ])('%s has a name and a size, and is refused if it is cut off', async (name, type, elements, bytes) => {
    const data = new Uint8Array(((V * D) / elements) * bytes);
    const tensors = { 'token_embd.weight': { dimensions: [D, V], type, data } };
    const whole = gguf({ tensors });
    const checkpoint = await core.openCheckpoint(whole);
    expect(checkpoint.tables.input).toMatchObject({ dtype: name, bytes: data.length });
    const refusal = `has the type ${name}, which cannot be decoded`;
    await expect(checkpoint.matrix('input')).rejects.toThrow(refusal);
    await expect(checkpoint.toTrainer({ model: { nHeads: 2 } })).rejects.toThrow(/^(?!.*the type type)/);
    await expect(core.openCheckpoint(whole.slice(0, -40))).rejects.toThrow('the file may be cut off');
  });

  test('a type without a name is a note', async () => {
    const tensors = {
      'token_embd.weight': { dimensions: [D, V], type: 0, data: floats },
      'blk.0.attn_q.weight': { dimensions: [D, 2], type: 77, data: new Uint8Array(64) },
      'blk.0.attn_k.weight': { dimensions: [D, 2], type: 78, data: new Uint8Array(64) },
    };
    const checkpoint = await core.openCheckpoint(new File([gguf({ tensors })], 'a.gguf'));
    expect(checkpoint.notes).toContain(
      "a.gguf: 'blk.0.attn_q.weight' and 1 more are of a type not known here (77, 78): whether the file has all of their bytes was not checked.",
    );
    expect((await checkpoint.matrix('input')).rows).toBe(V);
    await expect(checkpoint.matrix('blk.0.attn_q.weight')).rejects.toThrow(
      "'blk.0.attn_q.weight' has the type 77, which",
    );
  });
});

describe('safetensors', () => {
  const table = { shape: [V, D], dtype: 'F32', data: floats };

  test.each(['F8_E4M3FNUZ', 'F8_E5M2FNUZ'])('%s has a size of one byte', async (dtype) => {
    const one = { shape: [4, 8], dtype, data: new Uint8Array(32) };
    const checkpoint = await core.openCheckpoint(safetensors({ 'model.embed_tokens.weight': table, other: one }));
    expect(checkpoint.tensors.find(({ name }) => name === 'other')).toMatchObject({ dtype, bytes: 32 });
    expect(checkpoint.notes).toEqual([]);
    const short = { shape: [4, 8], dtype, data: new Uint8Array(31) };
    await expect(core.openCheckpoint(safetensors({ wte: table, other: short }))).rejects.toThrow('has 31 bytes');
  });

  test('a type without a name is a note', async () => {
    const one = { shape: [4, 8], dtype: 'F31', data: new Uint8Array(120) };
    const bytes = safetensors({ 'model.embed_tokens.weight': table, 'layers.0.w': one });
    const checkpoint = await core.openCheckpoint(new File([bytes], 'a.safetensors'));
    expect(checkpoint.tensors.find(({ name }) => name === 'layers.0.w')!.bytes).toBe(120);
    expect(checkpoint.notes).toEqual([
      "a.safetensors: 'layers.0.w' is of a type not known here (F31): whether the file has all of its bytes was not checked.",
    ]);
  });

  test('two tables of one unknown type are equal if their bytes are, and else nobody knows', async () => {
    const one = { shape: [64, 256], dtype: 'F5', data: Uint8Array.from({ length: 10_241 }, (_, i) => (i * i) % 251) };
    const other = { ...one, data: one.data.map((byte, i) => (i === 5000 ? byte + 1 : byte)) };
    const opened = async (output: typeof one) =>
      core.openCheckpoint(safetensors({ 'model.embed_tokens.weight': one, 'lm_head.weight': output }));
    expect((await opened(one)).tying).toMatchObject({ tied: true, evidence: 'equal-bytes' });
    expect((await opened(other)).tying).toMatchObject({
      tied: null,
      reason: "'model.embed_tokens.weight' and 'lm_head.weight' are stored in the type F5, which cannot be decoded.",
    });
  });
});
