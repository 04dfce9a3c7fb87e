/** A trainer's file is written in parts, so any model that can be trained can be saved. The estimate includes its size. */
import { expect, test } from 'vitest';
import { loadCore, type Core, type Trainer } from '../../../web/index.js';
import { coreOfAtMost } from './small-memory.js';
import { expectError } from './support.js';

const TRAINING = { learningRate: 0.1, batchSize: 8, seed: 1 };
const tokenIds = Uint32Array.from({ length: 100 }, (_, i) => i);
const direct = (vocabSize: number) => ({ kind: 'direct-path', vocabSize, dModel: 64, tying: 'untied' }) as const;

test.each([
  ['AdamW', {}],
  ['SGD without momentum', { optimizer: 'sgd' }],
] as const)('the estimate equals the size of the saved file, with %s', async (_, optimizer) => {
  const core = await loadCore();
  const training = { ...TRAINING, ...optimizer };
  const trainer = core.createTrainer({ model: direct(500), training, tokenIds });
  trainer.run(2);
  const { fileBytes } = core.estimateMemory(direct(500), training);
  const rest = trainer.save().length - tokenIds.byteLength - fileBytes;
  // Options and step; the estimate rounds each matrix up to a cache line of 64 bytes.
  expect(Math.abs(rest)).toBeLessThan(1000);
  trainer.dispose();
});

/**
 * The largest trainer that fits, to within a tenth. Its file takes more than half of its memory, and less than that is free.
 */
function largestTrainer(core: Core): Trainer {
  for (let vocabSize = 40_000; ; vocabSize = Math.floor(0.9 * vocabSize)) {
    try {
      return core.createTrainer({ model: direct(vocabSize), training: TRAINING, tokenIds });
    } catch (error) {
      expect(error).toMatchObject({ code: 'out-of-memory' });
    }
  }
}

test('the largest trainer that fits can be saved, byte for byte, and so can its weights', async () => {
  const core = await coreOfAtMost(100);
  const trainer = largestTrainer(core);
  trainer.run(1);
  // Not even one of half its size still fits.
  const half = direct(trainer.model.vocabSize / 2);
  const another = (): Trainer => core.createTrainer({ model: half, training: TRAINING, tokenIds });
  expectError(another, 'out-of-memory', /expected/);
  const roomy = await loadCore();
  const twin = roomy.createTrainer({ model: direct(trainer.model.vocabSize), training: TRAINING, tokenIds });
  twin.run(1);
  const file = trainer.save();
  expect(file.length).toBeGreaterThan(25 * 2 ** 20);
  expect(Buffer.compare(file, twin.save())).toBe(0);
  expect(Buffer.compare(trainer.toSafetensors(), twin.toSafetensors())).toBe(0);
  const loaded = roomy.loadTrainer(file);
  expect(loaded.run(1)[0]!.loss).toBe(trainer.run(1)[0]!.loss);
  for (const used of [loaded, twin, trainer]) used.dispose();
});
