/** If something doesn't fit in memory, the error names the argument whose size is decisive, in a core whose memory is nearly full. */
import { expect, test } from 'vitest';
import { loadCore, type Core } from '../../../web/index.js';
import { coreOfAtMost } from './small-memory.js';
import { errorOf } from './support.js';

const core = await coreOfAtMost(64);
const table = (rows: number, cols = rows) => ({ rows, cols, data: new Float32Array(rows * cols).fill(1) });
const tokenIds = Uint32Array.from({ length: 200 }, (_, i) => i);
const training = { learningRate: 0.1, batchSize: 8, seed: 1 };
const direct = (vocabSize: number) => ({ kind: 'direct-path', vocabSize, dModel: 8, tying: 'untied' }) as const;
const trainer = core.createTrainer({ model: direct(20_000), training, tokenIds });
const huge = new Uint32Array(5000);
const file = (await loadCore()).createTrainer({ model: direct(150_000), training, tokenIds }).save();

const calls: [argument: string, call: (core: Core) => unknown][] = [
  ['tokenIds', () => trainer.logits(huge)],
  ['options.from', () => trainer.nextTokenLogits({ from: huge })],
  ['bytes', (by) => by.loadTrainer(file)],
  ['options.model', (by) => by.createTrainer({ model: direct(50_000), training, tokenIds })],
  ['embedding', (by) => by.directPath({ embedding: table(5000, 4) })],
  ['target', (by) => by.fitBounds(table(3000), 3)],
  ['square', (by) => by.symmetry(table(5000))],
  ['counts', (by) => by.bigramBounds(table(5000))],
  ['the table', (by) => by.spectrum(table(3500))],
];

test.each(calls)('%s', (argument, call) => {
  const { code, message } = errorOf(() => call(core));
  expect(code).toBe('out-of-memory');
  expect(message).toMatch(new RegExp(`^${argument.replace('.', '\\.')}( |\\b.* is )`));
  expect(message).not.toMatch(/^(a block|an argument)/);
});
