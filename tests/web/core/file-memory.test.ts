/** The sizes that a file declares are checked against the file before memory is allocated. */
import { expect, test } from 'vitest';
import { coreWithMemory } from './memories.js';
import { expectError } from './support.js';
import { withVocabSize } from './trainer-file-bytes.js';

const { core, bytes } = await coreWithMemory();

test('a small trainer file that declares a huge vocabulary allocates no memory', () => {
  const trainer = core.createTrainer({
    model: { kind: 'direct-path', vocabSize: 3, dModel: 1, tying: 'tied' },
    training: { optimizer: 'sgd', learningRate: 0.1, seed: 1 },
    bigramCounts: { rows: 3, cols: 3, data: new Float32Array(9).fill(1) },
  });
  trainer.run(3);
  const file = trainer.save();
  const before = bytes();
  expect(before).toBeGreaterThan(0);
  for (const vocabSize of [4, 1000, 100_000_000, 2 ** 32 - 1]) {
    expectError(
      () => core.loadTrainer(withVocabSize(file, vocabSize)),
      'bad-file',
      /^bytes is not a valid file: more or fewer weights than the model has/,
    );
  }
  expect(bytes()).toBe(before);
});

test('a small tokenizer file takes memory in proportion to its size', () => {
  // The first tokenizer already allocates all memory that tokenizers need.
  const tokenizer = core.trainTokenizer('aab ab aab', { kind: 'bpe', vocabSize: 258 });
  const file = tokenizer.save();
  const before = bytes();
  for (let i = 0; i < 20; i++) core.loadTokenizer(file, { format: 'tied-embeddings' }).dispose();
  expect(bytes() - before).toBeLessThan(2 ** 22);
});
