// Training with extreme settings: steps that would not be finite are refused, and the trainer stays as before.
import { expect, test } from 'vitest';
import { loadCore, type TrainingConfig } from '../../../web/index.js';
import { IDS, TRAINING, TRANSFORMER } from './refusals.js';
import { bitsOf } from './small-transformers.js';
import { errorOf } from './support.js';

test('a transformer that diverges stops with a message at its last finite step', async () => {
  const core = await loadCore();
  const tokenIds = Uint32Array.from({ length: 200 }, (_, i) => (i * i) % 3);
  const wild: Partial<TrainingConfig> = { optimizer: 'sgd', learningRate: 1e25 };
  const trainer = core.createTrainer({
    model: { ...TRANSFORMER, tying: 'untied' },
    training: { ...TRAINING, ...wild, weightDecay: 0 },
    tokenIds,
  });
  const start = bitsOf(trainer);
  const error = errorOf(() => trainer.run(50));
  expect(error.code).toBe('not-finite');
  expect(error.message).toMatch(/^loss is \S+; expected a finite loss and gradient at step \d+/);
  expect(trainer.step).toBeLessThan(50);
  expect(Number.isFinite(trainer.evaluate().loss)).toBe(true);
  trainer.rewind();
  expect(bitsOf(trainer)).toBe(start);
});

test.each<[what: string, wild: Partial<TrainingConfig>, message: RegExp]>([
  [
    'weights',
    { learningRate: 1e30, learningRateMultipliers: { unembedding: 1e30 } },
    /^weight is -?(Infinity|NaN); expected a finite number at step 1: a smaller learning rate/,
  ],
  [
    'squares of the gradient',
    { inputGradientScale: 1e30 },
    /^gradientNorm is \S+; expected at most 1e19 at step 1: a smaller learning rate/,
  ],
])('a step after which %s would not be finite is not taken; files stay readable', async (_, wild, message) => {
  const core = await loadCore();
  const trainer = core.createTrainer({
    model: { ...TRANSFORMER, tying: 'untied' },
    training: { ...TRAINING, ...wild },
    tokenIds: IDS,
  });
  const start = bitsOf(trainer);
  const error = errorOf(() => trainer.run(1));
  expect(error.message).toMatch(message);
  expect(error.code).toBe('not-finite');
  expect(trainer.step).toBe(0);
  expect(bitsOf(trainer)).toBe(start);
  expect(bitsOf(core.loadTrainer(trainer.save()))).toBe(start);
});

test('with the smallest epsilon, rows without a gradient do not move', async () => {
  const core = await loadCore();
  const trainer = core.createTrainer({
    model: { ...TRANSFORMER, vocabSize: 5, tying: 'untied' },
    training: { ...TRAINING, epsilon: 1e-30 },
    tokenIds: IDS,
  });
  const before = trainer.matrix('embedding').data;
  trainer.run(3);
  const after = trainer.matrix('embedding').data;
  expect(after.subarray(0, 8)).not.toEqual(before.subarray(0, 8));
  expect(after.subarray(24)).toEqual(before.subarray(24));
});
