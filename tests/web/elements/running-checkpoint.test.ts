// Models of other programs in <tied-checkpoint>: which of them run and write.
import { afterAll, expect, test } from 'vitest';
import { createLab, loadCore } from '../../../web/index.js';
import type { LabCheckpoint } from '../../../web/index.js';
import { runCheckpoint } from '../../../web/elements/checkpoint/running-model.js';

const core = await loadCore();
const lab = await createLab();
afterAll(() => lab.dispose());
const { signal } = new AbortController();

const text = 'New York is old and new Jersey is new. '.repeat(20);
const tokenizer = core.trainTokenizer(text, { kind: 'bpe', vocabSize: 262 });
const trainer = core.createTrainer({
  model: {
    ...{ kind: 'transformer', vocabSize: tokenizer.vocabSize, dModel: 8, nLayers: 1, nHeads: 2, contextLength: 8 },
    ...{ tying: 'untied', norm: 'layer-norm', biases: 'all' },
  },
  training: { learningRate: 0.01, batchSize: 2, seed: 1 },
  tokenIds: tokenizer.encode(text),
  tokenizer,
});

test('a GGUF file with its tokenizer writes', async () => {
  const running = await runCheckpoint(lab, await lab.openCheckpoint(trainer.toGguf()), signal);
  expect(running).toMatchObject({ canWrite: true, table: 262 * 8, secondTable: 262 * 8 });
  const { text: written } = await running!.trainer.generate({ prompt: 'New', tokens: 5, seed: 1 });
  expect(written).toBe(trainer.generate({ prompt: 'New', tokens: 5, seed: 1 }).text);
  running!.trainer.dispose();
});

test('one without a tokenizer runs', async () => {
  const running = await runCheckpoint(lab, await lab.openCheckpoint(trainer.toSafetensors()), signal);
  expect(running).toMatchObject({ canWrite: false, model: { nHeads: 2 } });
});

test('a table, another architecture or a large model is opened without running', async () => {
  const table = await lab.openCheckpoint(new Blob(['York,0.1,0.2\nCity,0.3,0.4\n']));
  expect(await runCheckpoint(lab, table, signal)).toBe(null);
  const large = { tensors: [{ shape: [50_257, 768] }, { shape: [12, 7_000_000] }] } as unknown as LabCheckpoint;
  expect(await runCheckpoint(lab, large, signal)).toBe(null);
});

test('a cancelled one is cancelled', async () => {
  const opened = await lab.openCheckpoint(trainer.toSafetensors());
  await expect(runCheckpoint(lab, opened, AbortSignal.abort())).rejects.toMatchObject({ code: 'cancelled' });
});
