/** Valid values of the kinds that verbs take. */
import type { Matrix } from '../../../web/index.js';
import type { Draw } from '../draw.js';

export function matrix(draw: Draw, rows: number, cols: number, value = () => draw.share() * 4 - 2): Matrix {
  return { rows, cols, data: Float32Array.from({ length: rows * cols }, value) };
}

export function square(draw: Draw, most = 7): Matrix {
  const size = draw.whole(1, most);
  const made = matrix(draw, size, size);
  if (draw.odds(0.3)) {
    for (let i = 0; i < size; i++) for (let j = 0; j < i; j++) made.data[i * size + j] = made.data[j * size + i]!;
  }
  return made;
}

export function counts(draw: Draw, size: number): Matrix {
  const made = matrix(draw, size, size, () => draw.whole(0, 9));
  made.data[draw.whole(0, size * size - 1)] = 5;
  return made;
}

/** Rows that sum to 1. */
export function transition(draw: Draw): Matrix {
  const size = draw.whole(2, 7);
  const made = matrix(draw, size, size, () => draw.share() + 0.01);
  for (let row = 0; row < size; row++) {
    const values = made.data.subarray(row * size, (row + 1) * size);
    const sum = values.reduce((all, value) => all + value, 0);
    for (let i = 0; i < size; i++) values[i]! /= sum;
  }
  return made;
}

export function ids(draw: Draw, vocabSize: number, from: number, to: number): Uint32Array {
  return Uint32Array.from({ length: draw.whole(from, to) }, () => draw.whole(0, vocabSize - 1));
}

const LETTERS = ['a', 'b', 'c', 'd', ' ', ' ', '.', '\n', 'é', '猫', '👩‍👩‍👧', '\0', 'ا', '\u{feff}'];

/** Mostly few different letters, so a tokenizer of one text can read another. */
export function text(draw: Draw, from = 0, to = 120): string {
  const letters = LETTERS.slice(0, draw.odds(0.6) ? 6 : LETTERS.length);
  return draw.list(draw.whole(from, to), () => draw.of(letters)).join('');
}

export function seed(draw: Draw): number {
  return draw.odds(0.1) ? draw.of([0, Number.MAX_SAFE_INTEGER, 2 ** 32]) : draw.whole(0, 2 ** 31);
}
