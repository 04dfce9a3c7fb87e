/** Counts of pairs as a value: a copy of its own, with no tie to the core, so that it can cross to another thread. */
import type { Bigrams, Matrix, RankedBigram } from './types.js';
import { checkWhole } from './validate.js';

/** What a table is made of; survives structured cloning, which methods do not. */
export interface BigramTableData {
  counts: Matrix;
  total: number;
  asymmetry: number;
}

export class BigramTable implements Bigrams {
  readonly counts: Matrix;
  readonly total: number;
  readonly asymmetry: number;

  constructor({ counts, total, asymmetry }: BigramTableData) {
    this.counts = counts;
    this.total = total;
    this.asymmetry = asymmetry;
  }

  conditional(row: number): Float32Array {
    const { rows, cols, data } = this.counts;
    checkWhole('row', row, 0, rows - 1);
    const probabilities = data.slice(row * cols, (row + 1) * cols);
    let sum = 0;
    for (const count of probabilities) sum += count;
    if (sum > 0) for (let j = 0; j < cols; j++) probabilities[j]! /= sum;
    return probabilities;
  }

  top(n: number): RankedBigram[] {
    checkWhole('n', n, 0);
    const { cols, data } = this.counts;
    // Indices that rank from high to low, ties by (from, to): a binary heap would save little, as n is small and most
    // pairs of a table never occur.
    const occurring: number[] = [];
    for (let k = 0; k < data.length; k++) if (data[k]! > 0) occurring.push(k);
    occurring.sort((a, b) => data[b]! - data[a]! || a - b);
    return occurring.slice(0, n).map((k) => ({ from: Math.floor(k / cols), to: k % cols, count: data[k]! }));
  }
}
