/** A histogram of numbers that are seen once, whatever their range. */
import type { TensorHistogram } from './tensor-types.js';

/** Half the number of bins. */
const HALF = 2048;
/** Bins of the result. */
const MOST_BINS = 64;
/** What may lie outside of the result, at either side. */
const LEFT_OUT = 0.001;

/**
 * Counts in equal bins from −R to R, where R is a power of two. If a number is beyond, R doubles, and each two bins become one, so the counts
 * stay exact.
 */
export class RunningHistogram {
  #counts = new Float64Array(2 * HALF);
  #reach = 2 ** -140;
  #scale = HALF / 2 ** -140;

  /** Finite numbers. */
  add(values: ArrayLike<number>, from: number, to: number): void {
    let [counts, reach, scale] = [this.#counts, this.#reach, this.#scale];
    for (let at = from; at < to; at++) {
      const value = values[at]!;
      // False for NaN, too.
      if (!(value < reach && value >= -reach)) {
        if (value - value !== 0) continue;
        this.#reachFor(value);
        [counts, reach, scale] = [this.#counts, this.#reach, this.#scale];
      }
      counts[Math.floor(value * scale) + HALF]!++;
    }
  }

  #reachFor(value: number): void {
    while (!(value < this.#reach && value >= -this.#reach)) {
      const merged = new Float64Array(2 * HALF);
      this.#counts.forEach((count, bin) => (merged[(HALF + bin) >> 1]! += count));
      this.#counts = merged;
      this.#reach *= 2;
      this.#scale /= 2;
    }
  }

  result(): TensorHistogram | null {
    const counts = this.#counts;
    const total = counts.reduce((sum, count) => sum + count, 0);
    if (total === 0) return null;
    const most = total * LEFT_OUT;
    let [first, below] = [0, 0];
    while (below + counts[first]! <= most) below += counts[first++]!;
    let [last, above] = [counts.length - 1, 0];
    while (above + counts[last]! <= most) above += counts[last--]!;
    const each = Math.ceil((last + 1 - first) / MOST_BINS);
    const bins = Array.from({ length: Math.ceil((last + 1 - first) / each) }, (_, bin) =>
      counts.subarray(first + bin * each, Math.min(last + 1, first + (bin + 1) * each)).reduce((sum, n) => sum + n, 0),
    );
    // The last bin is as wide as the others.
    for (let bin = last + 1; bin < Math.min(counts.length, first + bins.length * each); bin++) {
      bins[bins.length - 1]! += counts[bin]!;
      above -= counts[bin]!;
    }
    const width = this.#reach / HALF;
    return { from: (first - HALF) * width, width: each * width, counts: bins, below, above };
  }
}
