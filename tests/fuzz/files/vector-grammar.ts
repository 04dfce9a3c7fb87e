/** Word vectors in the binary forms of word2vec and fastText. */
import { fastText, LOSS, MODEL, word2vec } from '../../web/checkpoint/vector-files.js';
import type { Draw } from '../draw.js';
import type { CheckpointSample } from './checkpoint-grammar.js';

const random = (draw: Draw, length: number): Uint8Array => Uint8Array.from({ length }, () => draw.whole(0, 255));

/** Any bytes but those that end a word. */
const word = (draw: Draw, at: number): Uint8Array =>
  Uint8Array.from([
    97 + at,
    ...draw.list(draw.whole(0, 5), () => draw.of([draw.whole(33, 126), draw.whole(128, 255)])),
  ]);

export function word2vecFile(draw: Draw): CheckpointSample {
  const [rows, cols] = [draw.whole(1, 9), draw.whole(1, 9)];
  const words = draw.list(rows, (at) => word(draw, at));
  // A number of zeros, which no text has, for a file of few numbers.
  const data = random(draw, 4 * rows * cols).fill(0, 0, 4);
  const bytes = word2vec({ words, cols, data, hasBreaks: draw.odds(0.5) });
  return { files: [{ name: 'vectors.bin', bytes }], options: {} };
}

export function fastTextFile(draw: Draw): CheckpointSample {
  const [rows, cols, bucket, labels] = [draw.whole(1, 9), draw.whole(1, 9), draw.whole(0, 9), draw.whole(1, 4)];
  const model = draw.of(Object.values(MODEL));
  const isSupervised = model === MODEL.supervised;
  const bytes = fastText({
    ...{ words: draw.list(rows, (at) => word(draw, at)), cols, bucket, model, loss: draw.of(Object.values(LOSS)) },
    labels: isSupervised ? draw.list(labels, (at) => `__label__${at}`) : [],
    version: draw.of([11, 12]),
    input: random(draw, 4 * cols * (rows + bucket)),
    output: random(draw, 4 * cols * (isSupervised ? labels : rows)),
  });
  return { files: [{ name: 'model.bin', bytes }], options: {} };
}
