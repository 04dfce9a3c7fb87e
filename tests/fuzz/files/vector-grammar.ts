/** Word vectors in the binary forms of word2vec and fastText, and archives of NumPy arrays. */
import { deflateRawSync } from 'node:zlib';
import { fastText, LOSS, MODEL, word2vec } from '../../web/checkpoint/vector-files.js';
import { npy } from '../../web/checkpoint/checkpoint-files.js';
import { zip } from '../../web/checkpoint/pytorch-files.js';
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

export function npzFile(draw: Draw): CheckpointSample {
  const [rows, cols] = [draw.whole(1, 9), draw.whole(1, 9)];
  const isDeflated = draw.odds(0.5);
  const array = (name: string, [descr, width]: readonly [string, number]) => {
    const header = `{'descr': '${descr}', 'fortran_order': ${draw.of(['True', 'False'])}, 'shape': (${rows}, ${cols}), }`;
    const data = npy(header, random(draw, rows * cols * width), draw.whole(1, 3));
    const stored = { name: `${name}.npy`, data };
    return isDeflated
      ? { ...stored, method: 8, data: new Uint8Array(deflateRawSync(data)), size: data.length }
      : stored;
  };
  const table = (): readonly [string, number] => draw.of([['<f4', 4], ['<f8', 8], ['<f2', 2], ['|V2', 2]] as const); // prettier-ignore
  const names = draw.of([['input', 'output'], ['wte', 'lm_head'], ['vectors']]); // prettier-ignore
  const others = draw.odds(0.5)
    ? [
        array(
          'steps',
          draw.of([
            ['<i8', 8],
            ['|b1', 1],
            ['>i4', 4],
          ] as const),
        ),
      ]
    : [];
  const bytes = zip([...others, ...names.map((name) => array(name, table()))], { wide: draw.odds(0.3) });
  return { files: [{ name: 'arrays.npz', bytes }], options: {} };
}
