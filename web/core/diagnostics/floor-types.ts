/** What the counts of a text allow a tied direct path, the cycles that it cannot follow, and what logits tell of a table. */
import type { Matrix } from '../direct-path/types.js';
import type { DiagnosticOptions } from '../runtime/types.js';

export interface TiedFloorOptions extends DiagnosticOptions {
  /** Steps of the search, at most. Default 1,000. */
  steps?: number;
  /** The search ends when `reached - floor` is at most this, nats per token. Default 0.001. */
  tolerance?: number;
  /** Seed of the table with which the search starts. Default 0. */
  seed?: number;
}

/** With J the counts divided by their sum, p its row sums, q its column sums. Nats per token. */
export interface TiedFloor {
  /**
   * No tied direct path has a lower loss on these counts, up to rounding: the conditional entropy of a table of pairs K with the margins p and q for which
   * (K + Kᵀ)/2 - (J + Jᵀ)/2 has no negative eigenvalue. At least `bigram`.
   */
  floor: number;
  /** The loss of the best tied table found, with an output bias and up to 160 columns; the infimum is between `floor` and this. */
  reached: number;
  /** The floor of all matrices of logits, H(J), as in `bigramBounds`. */
  bigram: number;
  /** Steps that the search took. */
  steps: number;
}

export interface RecoverTableOptions extends DiagnosticOptions {
  /** Columns of the recovered tables. Default: `width` of the result. */
  width?: number;
  /** Singular values up to this are taken for rounding. Default 2⁻²² √V times the largest logit, for logits in single precision. */
  tolerance?: number;
}

/** Of logits A = W_E W_Uᵀ, plus what is constant in a row or a column. B: A without the means of its rows and columns. */
export interface RecoveredTable {
  /** Of B, descending [V]. */
  singularValues: Float64Array;
  /** Those up to this count as rounding. */
  tolerance: number;
  /** The rank of B, singular values above the tolerance: the width of the tables, if it is below V and no column depends on others. */
  width: number;
  /** The smallest singular value above the tolerance, divided by the next one; null without one of both. Near 1, the width is a guess. */
  gap: number | null;
  /** ‖(B - Bᵀ)/2‖_F / ‖B‖_F: 0 for a tied path, about 0.707 by chance. */
  asymmetry: number;
  /** Of the symmetric part of B, the smallest and the largest. */
  eigenvalues: { least: number; largest: number };
  /** Whether B is a Gram matrix up to the tolerance: symmetric, and without a negative eigenvalue. */
  tied: boolean;
  /**
   * If `tied`, the rows of the table minus their mean, up to a rotation [V, width]: its Gram matrix is B. Otherwise that of the nearest Gram
   * matrix of this rank, which is no table of the model.
   */
  table: Matrix;
  /** If `tied` and there is no output bias, the mean row in the same coordinates [width]. */
  mean: Float32Array;
  /** Which part of the logits' column means it does not explain, 0 to 1: about 0 if there is no output bias. */
  meanResidual: number;
  /** Orthonormal bases of the column space and the row space of B [V, width]: of W_E and W_U without their mean rows. */
  reading: Matrix;
  writing: Matrix;
}

export interface KolmogorovCyclesOptions extends DiagnosticOptions {
  /** How many of the strongest cycles to list, 0 to 100. Default 5. */
  listed?: number;
  /** Number of reversible samples, 0 to 1,000. Default 20. */
  nullRuns?: number;
  /** Seed of the samples. Default 0. */
  seed?: number;
}

/** Three tokens a, b and c, where pairs run from a to b, from b to c and from c to a more often than the other way. */
export interface Cycle {
  tokens: [a: number, b: number, c: number];
  /** P(b | a) P(c | b) P(a | c). */
  forward: number;
  /** P(c | a) P(b | c) P(a | b). */
  backward: number;
  /** How many pairs run around the cycle: the smallest of its three net flows, n(a, b) - n(b, a) and so on. */
  flow: number;
}

export interface KolmogorovCycles {
  /**
   * The mean of |log₂(forward / backward)| over the cycles that can be compared, in bits; null without one. 0 = no cycle of three
   * prefers a direction. If all pairs of different tokens occur, the chain is then reversible; otherwise longer cycles may still have a
   * direction.
   */
  affinity: number | null;
  /**
   * The same by chance, for a reversible text with the same pairs, each in either order with probability 1/2. Samples
   * without a cycle that can be compared are left out of `runs`; `mean` is null without runs, `standardDeviation` with
   * fewer than two.
   */
  null: { mean: number | null; standardDeviation: number | null; runs: number[] };
  /** Number of cycles of three different tokens that have pairs all the way around in both directions. */
  compared: number;
  /** Number of cycles with pairs all the way around in one direction only. They have no affinity. */
  oneWay: number;
  /** The cycles with the largest flow, in descending order. */
  strongest: Cycle[];
}
