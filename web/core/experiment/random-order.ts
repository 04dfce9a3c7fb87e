/** The rows of a table in a random order: the chance level of measures that pair the rows of two tables. */
import type { Matrix } from '../types.js';
import { seedOf } from './canonical.js';

/** Marsaglia's xorshift32, the same on every machine. */
function generator(seed: number): () => number {
  let state = seedOf('order', seed) >>> 0 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}

export function inRandomOrder({ rows, cols, data }: Matrix, seed: number): Matrix {
  const random = generator(seed);
  const shuffled = data.slice();
  // Fisher and Yates.
  for (let last = rows - 1; last > 0; last--) {
    const chosen = Math.floor(random() * (last + 1));
    const [a, b] = [last * cols, chosen * cols];
    const moved = shuffled.slice(a, a + cols);
    shuffled.copyWithin(a, b, b + cols);
    shuffled.set(moved, b);
  }
  return { rows, cols, data: shuffled };
}
