/** Counts of pairs as a plain value, independent of the core, so that it can be sent to another thread. */
import { bindMethods } from '../runtime/bind-methods.js';
import type { Bigrams, Matrix, RankedBigram } from '../types.js';
import { checkMatrix, checkInteger } from '../runtime/validate.js';

/** The fields of a table. They survive structured cloning; methods do not. */
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
    bindMethods(this);
  }

  conditional(row: number): Float32Array {
    const { rows, cols, data } = this.#checkedCounts();
    checkInteger('row', row, 0, rows - 1);
    const probabilities = data.slice(row * cols, (row + 1) * cols);
    let sum = 0;
    for (const count of probabilities) sum += count;
    if (sum > 0) for (let j = 0; j < cols; j++) probabilities[j]! /= sum;
    return probabilities;
  }

  /** Callers hold the same array and may have transferred it. */
  #checkedCounts(): Matrix {
    return checkMatrix('counts', this.counts);
  }

  top(n: number): RankedBigram[] {
    checkInteger('n', n, 0);
    const { cols, data } = this.#checkedCounts();
    return bestIndices(data, n).map((k) => ({ from: Math.floor(k / cols), to: k % cols, count: data[k]! }));
  }
}

/**
 * Indices of the n largest positive entries, largest first, ties by index. One pass with a heap of n entries, the
 * smallest on top: sorting all pairs of a large vocabulary would block the page.
 */
function bestIndices(data: Float32Array, n: number): number[] {
  const heap: number[] = [];
  const worse = (a: number, b: number): boolean => data[a]! < data[b]! || (data[a] === data[b] && a > b);

  const sinkTop = (): void => {
    for (let parent = 0; ;) {
      const left = 2 * parent + 1;
      const right = left + 1;
      let worst = parent;
      if (left < heap.length && worse(heap[left]!, heap[worst]!)) worst = left;
      if (right < heap.length && worse(heap[right]!, heap[worst]!)) worst = right;
      if (worst === parent) return;
      [heap[parent], heap[worst]] = [heap[worst]!, heap[parent]!];
      parent = worst;
    }
  };
  const rise = (): void => {
    for (let child = heap.length - 1; child > 0;) {
      const parent = (child - 1) >> 1;
      if (!worse(heap[child]!, heap[parent]!)) return;
      [heap[parent], heap[child]] = [heap[child]!, heap[parent]!];
      child = parent;
    }
  };

  if (n > 0) {
    for (let k = 0; k < data.length; k++) {
      if (data[k]! <= 0) continue;
      if (heap.length < n) {
        heap.push(k);
        rise();
      } else if (data[k]! > data[heap[0]!]!) {
        heap[0] = k;
        sinkTop();
      }
    }
  }
  return heap.sort((a, b) => data[b]! - data[a]! || a - b);
}
