import { shuffler } from 'd3-array';

/** Numbers in [0, 1), determined by a seed (mulberry32). */
export function randomNumbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let bits = Math.imul(state ^ (state >>> 15), state | 1);
    bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61);
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A copy in an order determined by a seed. */
export const shuffled = (ids: Uint32Array, seed: number): Uint32Array => shuffler(randomNumbers(seed))(ids.slice());
