import { describe, expect, it } from 'vitest';
import { bigramTable } from '../../../web/article/build/bigram-table.mjs';

/** A text a b c a b c a: three ordered pairs, never reversed. */
const cycle = bigramTable({ rows: 3, data: Float32Array.of(0, 2, 0, 0, 0, 2, 2, 0, 0) });

describe('the table of bigrams behind the page’s figures', () => {
  it('gives P(next | current) from the rows', () => {
    expect(cycle.total).toBe(6);
    expect(cycle.conditional(0, 1)).toBe(1);
    expect(cycle.conditional(1, 0)).toBe(0);
  });

  it('gives one half in each direction as the best symmetric prediction for a one-way cycle', () => {
    for (const [from, to] of [
      [0, 1],
      [1, 0],
      [0, 2],
    ] as const) {
      expect(cycle.symmetricConditional(from, to)).toBe(0.5);
    }
  });

  it('counts repeats', () => {
    expect(cycle.repeats()).toBe(0);
    expect(bigramTable({ rows: 2, data: Float32Array.of(3, 1, 1, 0) }).repeats()).toBe(0.6);
  });

  it('gives how often a token is the first of a pair', () => {
    expect([0, 1, 2].map(cycle.frequency)).toEqual([1 / 3, 1 / 3, 1 / 3]);
  });
});
