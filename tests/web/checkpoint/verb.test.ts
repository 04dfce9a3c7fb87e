/** `openCheckpoint` of a core and of a lab with the decoder of the module, and the decoder of the tests as its oracle. */
import { mkdtempSync, openAsBlob, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { blockOf, ELEMENT_TYPES } from '../../../web/core/checkpoint/elements/element-types.js';
import { createLab, loadCore } from '../../../web/index.js';
import { Draw } from '../../fuzz/draw.js';
import { fileOf, gguf, ramp, safetensors } from './checkpoint-files.js';
import { reference } from './reference-decoder.js';

const core = await loadCore({ modules: ['checkpoint'] });
const lab = await createLab();
afterAll(() => lab.dispose());

const trainer = core.createTrainer({
  model: { kind: 'direct-path', vocabSize: 5, dModel: 3, tying: 'untied' },
  training: { learningRate: 0.1, seed: 1 },
  bigramCounts: { rows: 5, cols: 5, data: new Float32Array(25).fill(1) },
});

describe.each([
  ['core', core],
  ['lab', lab],
] as const)('openCheckpoint of a %s', (_, by) => {
  test('opens files of a trainer with the bits of its tables', async () => {
    const checkpoint = await by.openCheckpoint(trainer.toSafetensors());
    expect(checkpoint.tying).toMatchObject({ tied: false, evidence: 'different', conflict: null });
    expect(await checkpoint.matrix('input')).toEqual(trainer.matrix('embedding'));
    expect(await checkpoint.matrix('output')).toEqual(trainer.matrix('unembedding'));
    checkpoint.dispose();
  });

  test('opens a File', async () => {
    const checkpoint = await by.openCheckpoint(fileOf('table.csv', new TextEncoder().encode('a,1\nb,2\n')));
    expect((await checkpoint.matrix('input')).data).toEqual(Float32Array.of(1, 2));
  });

  test('refuses with the same error as a core', async () => {
    await expect(by.openCheckpoint(7 as never)).rejects.toMatchObject({ code: 'invalid-argument' });
    const cut = trainer.toSafetensors().slice(0, -1);
    await expect(by.openCheckpoint(cut)).rejects.toMatchObject({ code: 'bad-file' });
  });

  test('reads its options before the call returns', async () => {
    const tables = { input: 'unembedding', output: 'embedding' };
    const opening = by.openCheckpoint(trainer.toSafetensors(), { tables });
    tables.input = 'nothing';
    expect((await opening).tables.input!.name).toBe('unembedding');
  });
});

test('a file on disk is opened in Node without reading it whole', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'checkpoint-'));
  const path = join(folder, 'model.safetensors');
  writeFileSync(
    path,
    safetensors({ big: { shape: [2 ** 20], data: new Uint8Array(2 ** 22) }, wte: { shape: [3, 2], data: ramp(6) } }),
  );
  try {
    const checkpoint = await core.openCheckpoint(await openAsBlob(path));
    expect((await checkpoint.matrix('input')).data.at(-1)).toBe(1.25);
    expect(checkpoint.bytesRead).toBeLessThan(66_000);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('a core without the module says what to pass before anything is read', async () => {
  const bare = await loadCore({ modules: [] });
  await expect(bare.openCheckpoint('https://nowhere.invalid/a')).rejects.toMatchObject({
    code: 'unsupported',
    message: expect.stringContaining("pass modules: ['checkpoint'] to loadCore") as string,
  });
});

test.each(ELEMENT_TYPES)('%s is decoded according to the formulas', (type) => {
  const draw = new Draw(7);
  const { elements, bytes } = blockOf(type);
  const blocks = Math.max(40, Math.floor(4096 / elements));
  const stored = Uint8Array.from({ length: blocks * bytes }, () => draw.whole(0, 255));
  // Equal to the bit to the formulas in double precision, rounded once.
  const expected = reference.decodeElements(type, stored, blocks * elements);
  expect(core.decodeElements(type, stored, blocks * elements)).toEqual(expected);
});

test('a quantized table of GGUF is read by rows', async () => {
  const draw = new Draw(3);
  const data = Uint8Array.from({ length: 3 * 210 }, () => draw.whole(0, 120));
  const checkpoint = await core.openCheckpoint(
    gguf({ tensors: { 'token_embd.weight': { dimensions: [256, 3], type: 14, data } } }),
  );
  const { data: row } = await checkpoint.matrix('input', { rows: Uint32Array.of(2) });
  expect(row).toEqual(core.decodeElements('Q6_K', data.slice(420), 256));
});

test('a table of half bytes is named', async () => {
  const file = safetensors({ 'wte.weight': { shape: [2, 2], data: new Uint8Array(2), dtype: 'F4' } });
  const checkpoint = await core.openCheckpoint(file);
  await expect(checkpoint.matrix('input')).rejects.toThrow("'wte.weight' has the type F4, which cannot be decoded");
});

// Found by the fuzzer: the tab crashed on a list with a string for each of these rows.
describe('a table that has its number of rows only from the header', () => {
  const open = (type: number, dimensions: readonly number[]) => {
    const values = { 'tokenizer.ggml.tokens': { strings: ['a', 'b'] } };
    const tensors = { 'token_embd.weight': { dimensions, type, data: new Uint8Array(0) } };
    return core.openCheckpoint(gguf({ tensors, values }));
  };

  test('because it is of a type that is not decoded, has no token strings', async () => {
    const checkpoint = await open(200, [32, 2 ** 31]);
    expect(checkpoint.tables.input!.shape).toEqual([2 ** 31, 32]);
    expect(checkpoint.tokens).toBeNull();
    const said = 'has the type 200';
    expect(checkpoint.notes.join(' ')).toContain(said);
    await expect(checkpoint.matrix('input')).rejects.toThrow(said);
    await expect(checkpoint.identityCard()).rejects.toThrow(said);
  });

  test('because it has no columns, is refused', async () => {
    await expect(open(0, [0, 2 ** 31])).rejects.toThrow('has the shape [2147483648, 0]');
  });
});
