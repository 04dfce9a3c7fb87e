// Models of other programs in <tied-checkpoint>: which of them can run and write.
import { afterAll, expect, test } from 'vitest';
import { createLab, loadCore } from '../../../web/index.js';
import type { LabCheckpoint, TrainerOptions } from '../../../web/index.js';
import { namedTokens } from '../../../web/elements/checkpoint/card/named-tokens.js';
import { visibleToken } from '../../../web/elements/checkpoint/visible-token.js';
import { notAsked, runCheckpoint, type RunningModel } from '../../../web/elements/checkpoint/running-model.js';
import { safetensors } from '../checkpoint/checkpoint-files.js';

const core = await loadCore();
const lab = await createLab();
afterAll(() => lab.dispose());
const { signal } = new AbortController();

const text = 'New York is old and new Jersey is new. '.repeat(20);
const tokenizer = core.trainTokenizer(text, { kind: 'bpe', vocabSize: 262 });
const options: TrainerOptions = {
  model: {
    ...{ kind: 'transformer', vocabSize: tokenizer.vocabSize, dModel: 8, nLayers: 1, nHeads: 2, contextLength: 8 },
    ...{ tying: 'untied', norm: 'layer-norm', biases: 'all' },
  },
  training: { learningRate: 0.01, batchSize: 2, seed: 1 },
  tokenIds: tokenizer.encode(text),
};
const trainer = core.createTrainer({ ...options, tokenizer });

test('a GGUF file with its tokenizer writes', async () => {
  const running = (await runCheckpoint(lab, await lab.openCheckpoint(trainer.toGguf()), signal)) as RunningModel;
  expect(running).toMatchObject({ canWrite: true, table: 262 * 8, secondTable: 262 * 8 });
  const { text: written } = await running.trainer.generate({ prompt: 'New', tokens: 5, seed: 1 });
  expect(written).toBe(trainer.generate({ prompt: 'New', tokens: 5, seed: 1 }).text);
  running.trainer.dispose();
});

test('a model without a tokenizer runs', async () => {
  const without = core.createTrainer(options);
  const running = await runCheckpoint(lab, await lab.openCheckpoint(without.toSafetensors()), signal);
  expect(running).toMatchObject({ canWrite: false, model: { nHeads: 2 } });
});

test('safetensors with their tokenizer write', async () => {
  const running = await runCheckpoint(lab, await lab.openCheckpoint(trainer.toSafetensors()), signal);
  expect(running).toMatchObject({ canWrite: true, model: { nHeads: 2 } });
});

test('a table, another architecture or a large model is opened without running, and the figure says why', async () => {
  const table = await lab.openCheckpoint(new Blob(['York,0.1,0.2\nCity,0.3,0.4\n']));
  expect(await runCheckpoint(lab, table, signal)).toMatchObject({ why: 'refused' });
  const other = safetensors({ 'emb.weight': { shape: [4, 2], data: new Uint8Array(32) } });
  expect(await runCheckpoint(lab, await lab.openCheckpoint(other), signal)).toMatchObject({
    why: 'refused',
    reason: expect.stringContaining("'emb.weight') are not named as those of an architecture that runs") as string,
  });
  const large = { tensors: [{ shape: [50_257, 768] }, { shape: [12, 7_000_000] }] } as unknown as LabCheckpoint;
  expect(await runCheckpoint(lab, large, signal)).toEqual({
    why: 'too-large',
    parameters: 50_257 * 768 + 12 * 7_000_000,
  });
});

test('a model behind a URL is offered if its headers show that it can run; otherwise the figure says why not', async () => {
  const own = trainer.toSafetensors();
  const opened = await lab.openCheckpoint(own);
  expect(notAsked(opened)).toEqual({
    why: 'not-asked',
    bytes: opened.tensors.reduce((sum, { bytes }) => sum + bytes, 0),
  });
  const other = safetensors({ 'emb.weight': { shape: [4, 2], data: new Uint8Array(32) } });
  expect(notAsked(await lab.openCheckpoint(other))).toMatchObject({
    why: 'refused',
    reason: expect.stringContaining('expected GPT-2 or Llama') as string,
  });
  // The names of Llama, without the number of heads.
  const name = 'model.layers.0.self_attn.q_proj.weight';
  const table = { shape: [4, 2], data: new Uint8Array(32) };
  const llama = safetensors({
    'model.embed_tokens.weight': table,
    [name]: { shape: [2, 2], data: new Uint8Array(16) },
  });
  expect(notAsked(await lab.openCheckpoint(llama))).toMatchObject({ why: 'refused' });
  const large = { tensors: [{ shape: [12, 7_000_000] }] } as unknown as LabCheckpoint;
  expect(notAsked(large)).toMatchObject({ why: 'too-large' });
});

test('opening a model can be cancelled', async () => {
  const opened = await lab.openCheckpoint(trainer.toSafetensors());
  await expect(runCheckpoint(lab, opened, AbortSignal.abort())).rejects.toMatchObject({ code: 'cancelled' });
});

test('tokens are found by the file’s spelling, without their space, or by id', () => {
  const tokens = ['a', 'Ġthe', '▁sea', '7', 'the'];
  expect(namedTokens(' the sea  7 2 the', tokens, 5)).toEqual({ ids: Uint32Array.of(4, 2, 3), unknown: [] });
  expect(namedTokens('Ġthe 4 5 <b>', tokens, 5)).toEqual({ ids: Uint32Array.of(1, 4), unknown: ['5', '<b>'] });
  // For a table with fewer rows than there are strings.
  expect(namedTokens('the a', tokens, 2)).toEqual({ ids: Uint32Array.of(1, 0), unknown: [] });
  // With spaces as the figure shows them.
  const blanks = ['<s>', ' sea', '\n', '\n\n', ' '];
  expect(namedTokens('␣sea ↵↵ ␣ ↵', blanks, 5)).toEqual({ ids: Uint32Array.of(1, 3, 4, 2), unknown: [] });
  expect(blanks.map(visibleToken)).toEqual(['<s>', '␣sea', '↵', '↵↵', '␣']);
  expect(visibleToken('a\r\n\tb')).toBe('a↵⇥b');
  // What an SVG file cannot hold, and what would turn the text around it.
  const invisible = ['\u0000', '\ud800x', '\ufffe', '\u202e', '\u2028', '👍'];
  expect(invisible.map(visibleToken)).toEqual(['⟨U+0000⟩', '⟨U+D800⟩x', '⟨U+FFFE⟩', '⟨U+202E⟩', '⟨U+2028⟩', '👍']);
  expect(namedTokens('1 a', null, 2)).toEqual({ ids: Uint32Array.of(1), unknown: ['a'] });
});
