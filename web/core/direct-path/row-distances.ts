/** How far apart the two rows of each token are, over many tokens: row by row, without forming all pairs. */
import { square } from '../runtime/elementary.js';

type Row = Float32Array | Float64Array;

export interface RowDistances {
  /** The mean cosine of a token's two rows. */
  readonly meanCosine: number;
  /** The mean cosine of one token's row with another token's row of the other table. Null if only one token has two directions. */
  readonly chance: number | null;
  /** The mean length of the difference of a token's two rows over √(|a|² + |b|²): 0 for equal rows, 1 for rows at right angles. */
  readonly relative: number;
}

export class RowsApart {
  readonly #sums: readonly [Float64Array, Float64Array];
  #directed = 0;
  #cosines = 0;
  #differences = 0;

  constructor(cols: number) {
    this.#sums = [new Float64Array(cols), new Float64Array(cols)];
  }

  /** The two rows of one token. A row without a length has no direction, and is left out. */
  add(a: Row, b: Row): void {
    const [mine, theirs] = [lengthOf(a), lengthOf(b)];
    if (!(mine > 0 && theirs > 0 && mine < Infinity && theirs < Infinity)) return;
    // The lengths as shares of the longer one: neither of the squares is too large.
    const longer = Math.max(mine, theirs);
    const [ours, other] = [mine / longer, theirs / longer];
    let [cosine, difference] = [0, 0];
    for (let i = 0; i < a.length; i++) {
      const [x, y] = [a[i]! / mine, b[i]! / theirs];
      cosine += x * y;
      difference += square(ours * x - other * y);
      this.#sums[0][i]! += x;
      this.#sums[1][i]! += y;
    }
    this.#directed++;
    this.#cosines += cosine;
    this.#differences += Math.sqrt(difference / (square(ours) + square(other)));
  }

  /** Null if no token has two directions. */
  result(): RowDistances | null {
    const [count, cosines] = [this.#directed, this.#cosines];
    if (count === 0) return null;
    // The mean over all pairs of different tokens, without forming them.
    const all = this.#sums[0].reduce((sum, x, i) => sum + x * this.#sums[1][i]!, 0);
    return {
      meanCosine: limited(cosines / count),
      chance: count === 1 ? null : limited((all - cosines) / (count * (count - 1))),
      relative: this.#differences / count,
    };
  }
}

/** Rounding may take a cosine slightly beyond 1. */
const limited = (cosine: number): number => Math.max(-1, Math.min(1, cosine));

function lengthOf(row: Row): number {
  let largest = 0;
  for (const x of row) if (!(Math.abs(x) <= largest)) largest = Math.abs(x);
  if (!(largest > 0) || largest === Infinity) return largest;
  let sum = 0;
  for (const x of row) sum += square(x / largest);
  return largest * Math.sqrt(sum);
}
