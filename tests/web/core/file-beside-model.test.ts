/** A trainer's file is made beside it and may not fit there. The estimate tells how large the file is, and so does the refusal. */
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
] as const)('the estimate has the bytes that saving takes, with %s', async (_, optimizer) => {
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
 * The largest trainer that fits, up to a tenth. With one snapshot, as here, its file takes more than a third of its memory, and less
 * than that is free beside it.
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

test('a file that does not fit beside its model is refused by name, and the model trains on', async () => {
  const trainer = largestTrainer(await coreOfAtMost(100));
  trainer.run(1);
  const refusal = /^the file is \d+ bytes long; expected one that fits beside the model/;
  expectError(() => trainer.save(), 'out-of-memory', refusal);
  expect(trainer.matrix('embedding').cols).toBe(64);
  const [record] = trainer.run(1);
  expect(Number.isFinite(record!.loss)).toBe(true);
  trainer.dispose();
});
