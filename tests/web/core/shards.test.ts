// Shards of batches through the public verbs. Their sums are tested in tests/cpp.
import { beforeAll, expect, test } from 'vitest';
import { loadCore, type Core, type Trainer, type TrainingConfig } from '../../../web/index.js';
import { IDS, MODEL, TRAINING, TRANSFORMER } from './refusals.js';
import { checkContinues } from './small-transformers.js';
import { expectError, TOY_COUNTS } from './support.js';

let core: Core;
beforeAll(async () => {
  core = await loadCore();
});

const trainerOf = (training: Partial<TrainingConfig>): Trainer =>
  core.createTrainer({ model: TRANSFORMER, training: { ...TRAINING, ...training }, tokenIds: IDS });

test('shards are in the options of a trainer and of its file, and one is the default that options omit', () => {
  const trainer = trainerOf({ shards: 3 });
  expect(trainer.training.shards).toBe(3);
  checkContinues(core, trainer, 20);
  expect(core.loadTrainer(trainer.save()).training).toEqual(trainer.training);
  expect(trainerOf({ shards: 1 }).training).toEqual(trainerOf({}).training);
  expect(trainerOf({}).training).not.toHaveProperty('shards');
});

test('shards change a run by rounding alone, and the same number of them by nothing', () => {
  const [whole, split, again] = [1, 4, 4].map((shards) => trainerOf({ shards }));
  const records = [whole!, split!, again!].map((trainer) => trainer.run(10));
  for (const [i, { loss, inputShare }] of records[0]!.entries()) {
    // Ten steps in single precision.
    expect(records[1]![i]!.loss).toBeCloseTo(loss, 5);
    expect(records[1]![i]!.inputShare).toBeCloseTo(inputShare, 4);
  }
  expect(split!.matrix('embedding')).toEqual(again!.matrix('embedding'));
  expect(split!.matrix('embedding')).not.toEqual(whole!.matrix('embedding'));
});

test.each([
  [0, 4, /^training\.shards is 0; expected an integer from 1 to 4$/],
  [5, 4, /^training\.shards is 5; expected an integer from 1 to 4$/],
  [65, 100, /^training\.shards is 65; expected an integer from 1 to 64$/],
  [1.5, 4, /^training\.shards is 1\.5; expected an integer from 1 to 4$/],
])('%d shards of a batch of %d are refused', (shards, batchSize, message) => {
  expectError(() => trainerOf({ shards, batchSize }), 'invalid-argument', message);
  expectError(() => core.estimateMemory(TRANSFORMER, { ...TRAINING, shards, batchSize }), 'invalid-argument', message);
});

test('a table of bigrams has no batches, so no shards', () => {
  const onTable = (shards: number): Trainer =>
    core.createTrainer({ model: MODEL, training: { ...TRAINING, shards }, bigramCounts: TOY_COUNTS });
  expect(onTable(1).training).not.toHaveProperty('shards');
  expectError(() => onTable(2), 'invalid-argument', /^training\.shards is 2; expected an integer from 1 to 1$/);
});
