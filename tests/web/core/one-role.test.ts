// A shared table that one of its roles trains. The mathematics is compared with PyTorch in tests/cpp/training.
import { beforeAll, expect, test } from 'vitest';
import { loadCore, type Core, type TrainingConfig } from '../../../web/index.js';
import { expectError } from './support.js';

let core: Core;
beforeAll(async () => {
  core = await loadCore();
});

const tokenIds = Uint32Array.from({ length: 200 }, (_, i) => (i * i + Math.floor(i / 5)) % 11);
const make = (tying: 'tied' | 'untied', training: Partial<TrainingConfig> = {}) =>
  core.createTrainer({
    model: { kind: 'transformer', vocabSize: 11, dModel: 8, nLayers: 1, nHeads: 2, contextLength: 6, tying },
    training: { learningRate: 0.01, batchSize: 4, seed: 3, ...training },
    tokenIds,
  });

test.each([
  [{ outputGradientScale: 0 }, 1, 0],
  [{ inputGradientScale: 0 }, 0, 1],
  [{ inputGradientScale: 2, outputGradientScale: 0.5 }, 2, 0.5],
])('with %o the shared gradient is %s times reading and %s times writing', (scales, read, write) => {
  const { input, output, total } = make('tied', scales).gradient();
  total.data.forEach((sum, i) => {
    expect(sum).toBeCloseTo(read * input.data[i]! + write * output.data[i]!, 7);
  });
});

test('by reading alone, only rows that are read change; an untied output table stays where it is', () => {
  const reading = make('tied', { outputGradientScale: 0, batchSize: 1, seed: 5 });
  const before = reading.matrix('embedding').data;
  reading.run(1);
  const moved = new Set<number>();
  reading.matrix('embedding').data.forEach((x, i) => {
    if (x !== before[i]) moved.add(Math.floor(i / 8));
  });
  expect(moved.size).toBeGreaterThan(0);
  expect(moved.size).toBeLessThanOrEqual(6);
  const untied = make('untied', { outputGradientScale: 0 });
  const writes = untied.matrix('unembedding').data;
  untied.run(5);
  expect(untied.matrix('unembedding').data).toEqual(writes);
});

test('1 is left out and changes no bit; a schedule is kept in files', () => {
  const [plain, one] = [make('tied'), make('tied', { outputGradientScale: 1 })];
  plain.run(5);
  one.run(5);
  expect(one.matrix('embedding').data).toEqual(plain.matrix('embedding').data);
  expect(one.training).toEqual(plain.training);
  expect('outputGradientScale' in one.training).toBe(false);
  const outputGradientScale = [
    [0, 0],
    [4, 1],
  ] as const;
  const scheduled = make('tied', { outputGradientScale });
  scheduled.run(3);
  const loaded = core.loadTrainer(scheduled.save());
  expect(loaded.training.outputGradientScale).toEqual(outputGradientScale);
  scheduled.run(4);
  loaded.run(4);
  expect(loaded.matrix('embedding').data).toEqual(scheduled.matrix('embedding').data);
});

test.each([
  [-1, /^training\.outputGradientScale is -1/],
  ['none', /^training\.outputGradientScale is 'none'/],
  [[], /^training\.outputGradientScale is an array of 0; expected a number, or 1 to 16 pairs/],
  [
    [
      [4, 1],
      [4, 0],
    ],
    /^training\.outputGradientScale\[1\]\[0\] is 4; expected a step after/,
  ],
])('refuse %o', (outputGradientScale, message) => {
  expectError(() => make('tied', { outputGradientScale } as never), 'invalid-argument', message);
});
