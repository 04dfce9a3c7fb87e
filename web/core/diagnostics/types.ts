/** Diagnostics of embedding tables: options, results and verbs. */
import type { Matrix } from '../direct-path/types.js';
import type { DiagnosticOptions } from '../runtime/types.js';
import type {
  KolmogorovCycles,
  KolmogorovCyclesOptions,
  RecoveredTable,
  RecoverTableOptions,
  TiedFloor,
  TiedFloorOptions,
} from './floor-types.js';
import type {
  Neighbor,
  NeighborOptions,
  NeighborOverlap,
  OverlapOptions,
  SpectralDistance,
  SpectralDistanceOptions,
} from './neighbor-types.js';

export type AlignmentMethod = 'identity' | 'orthogonal' | 'linear' | 'ridge';

export interface AlignmentOptions extends DiagnosticOptions {
  /**
   * The map W: the identity; the best orthogonal W (Procrustes); least squares; or least squares with a penalty on ‖W‖².
   */
  method: AlignmentMethod;
  /** Subtract the means of the columns, over the rows of the fit. Default true. */
  center?: boolean;
  /** Fraction of rows held out from a second fit, from 0 (no such fit) to below 1. Default 0.2. */
  holdOut?: number;
  /** Number of fits to the target with its rows in a random order, 0 to 1,000. Default 1. */
  nullRuns?: number;
  /** Seed of the held-out rows and of the random orders. Default 0. */
  seed?: number;
  /** 'ridge' only: the weight of ‖W‖². Default 1. */
  penalty?: number;
}

/** How well the rows of X W agree with those of Y. */
export interface Alignment {
  /** The mean cosine of a row of X W with its row of Y. */
  meanCosine: number;
  /** ‖X W - Y‖_F / ‖Y‖_F */
  residual: number;
  /** The cosine of each row [V]; NaN where the row is left out. */
  perToken: Float32Array;
  /** W [d1, d2]; null for 'identity'. */
  map: Matrix | null;
  /** The same with the target's rows in a random order: the alignment by chance. */
  null: {
    /** The mean of the runs; NaN without runs. */
    meanCosine: number;
    runs: number[];
    /**
     * For independent normal entries and V much larger than d: 0 for 'identity', f √(d1 / V) for 'linear', f 8/(3π) √(d / V) for
     * 'orthogonal', where f = (2 / d2) (Γ((d2 + 1) / 2) / Γ(d2 / 2))² is 2/π for a target of one column, π/4 for two and nearly 1 for
     * many. That of 'orthogonal' is up to 6% too high for a few columns. Null for 'ridge'.
     */
    theory: number | null;
  };
  /** The same for rows held out from the fit; null with `holdOut: 0`. */
  heldOut: { meanCosine: number; residual: number; tokens: number } | null;
  /** Number of rows that are zero in either table or have no direction. */
  leftOut: number;
}

export interface SpectrumOptions extends DiagnosticOptions {
  /** Subtract the mean row first. Default true. */
  center?: boolean;
  /** Instead, remove each row's component along the mean row, which also leaves a mean of zero. Default false. */
  project?: boolean;
}

export interface Spectrum {
  /** Singular values [min(V, d)], descending. Those below 1e-8 of the largest are not resolved. */
  values: Float64Array;
  /** (Σ s²)² / Σ s⁴: 1 if all rows lie on a line, d if all directions contribute equally. */
  participationRatio: number;
  /** e to the entropy of s² / Σ s² (Roy and Vetterli, 2007). */
  effectiveRank: number;
  /**
   * The theoretical values for a table of independent normal entries with n rows (one fewer if centered or projected) and d columns (one
   * fewer if projected): d n / (d + n), from the second moment of Marchenko and Pastur (1967), and m e^(-m / 2M) with m the smaller and
   * M the larger of d and n, from the mean entropy of a subsystem (Page, 1993). Both are within 3% for d and n of at least 8, and within 1%
   * from about 64 rows. Shuffled rows would have the same spectrum.
   */
  null: { participationRatio: number; effectiveRank: number };
  /** Rows of zeros. */
  leftOut: number;
}

export interface SimilarityOptions extends DiagnosticOptions {
  /** Dimensions of the principal subspaces. Default 10, or the smaller rank of the centered tables if that is less. */
  dimensions?: number;
}

export interface Similarity {
  /** Linear centered kernel alignment (Kornblith et al., 2019), 0 to 1. */
  cka: number;
  /** Its expectation with the rows of one table in a random order. */
  null: number;
  /** The mean squared cosine of the angles between the principal subspaces in the space of tokens, 0 to 1. */
  subspaces: { dimensions: number; overlap: number; null: number };
  /** Rows that are zero in either table. */
  leftOut: number;
}

export interface IsotropyOptions extends DiagnosticOptions {
  /** How often each token occurs [V]. */
  counts?: Uint32Array;
  /** Seed of the rows held out for `frequencyR2`. Default 0. */
  seed?: number;
}

/** Fields are NaN where a quantity is not defined, as with a single row. */
export interface Isotropy {
  /** The mean cosine of all pairs of different rows. */
  meanCosine: number;
  /** The same after subtracting the mean row. */
  centeredMeanCosine: number;
  /** The same after removing each row's component along the mean row. */
  projectedMeanCosine: number;
  /** IsoScore (Rudman et al., 2022); 1 if the variance is the same in all directions. */
  isoScore: number;
  /**
   * min Z(c) / max Z(c), Z(c) = Σ exp(c · row), over both directions of each eigenvector of EᵀE (Mu and Viswanath, 2018, who
   * leave the sign open); 1 = isotropic. Where eigenvalues are equal, the eigenvectors are not determined, and the value depends on
   * those that are found: for the corners of an equilateral triangle at distance 1 from its center it is anything from 0.93 to 0.95.
   */
  partition: number;
  /** The same after subtracting the mean row, over the eigenvectors of the covariance. */
  centeredPartition: number;
  /** As in `spectrum`, for the centered table. */
  participationRatio: number;
  effectiveRank: number;
  /**
   * These four after removing each row's component along the mean row, in the remaining d - 1 dimensions: what is left of a
   * cone without its axis.
   */
  projected: { isoScore: number; partition: number; participationRatio: number; effectiveRank: number };
  /** The length of the mean row over the root mean square length of the rows. */
  meanShare: number;
  /**
   * R² of log10(1 + count) as a linear function of the row, over tokens that occur: in the rows of the fit, and in a fifth of
   * the rows after a fit to the others. Null without `counts`, and if too few rows or dependent columns leave the function
   * undetermined.
   */
  frequencyR2: { inSample: number; heldOut: number } | null;
  /**
   * The theoretical values for a table of independent normal entries: as in `spectrum`; `isoScore`, which is (`participationRatio` - 1) / (d - 1) for
   * every table; `partition` and `centeredPartition`, with entries of the same mean square; and `frequencyR2` in the n rows of the fit, d / (n - 1). In
   * held-out rows its expectation is 0 or less. `meanCosine` is 0; n rows with their mean subtracted are slightly opposed, with a cosine of about -1 / (n - 1).
   * -ln(`partition`) is within 5% of its mean over tables, 7% with entries above 0.5; single tables vary by up to 30% with 8 columns, and 15% with 768.
   * `partition` is NaN if (√V + √d)² / V times the mean square is above ln(V) / 2: a few rows dominate there.
   */
  null: {
    meanCosine: number;
    centeredMeanCosine: number;
    projectedMeanCosine: number;
    isoScore: number;
    partition: number;
    centeredPartition: number;
    participationRatio: number;
    effectiveRank: number;
    /** For a table with one column fewer. */
    projected: { isoScore: number; partition: number; participationRatio: number; effectiveRank: number };
    frequencyR2: number | null;
  };
  /** Rows of zeros. */
  leftOut: number;
}

export interface FrequencyBand {
  /** Tokens that occur `from` to `to` times, both included. */
  from: number;
  to: number;
  meanNorm: number;
  /** Number of tokens in the band. */
  count: number;
}

export interface NormFrequency {
  /** Rank correlation of the norms with the counts. NaN if either does not vary. */
  spearman: number;
  /** Correlation of the norms with log10(1 + count). NaN as above. */
  pearson: number;
  /** The standard deviation of either correlation by chance. */
  null: number;
  meanNorm: number;
  /** Standard deviation of the norms over all rows. */
  standardDeviation: number;
  /** The bands that contain tokens; bands begin at 0, 1, 4, 10, 32, 100, ..., at half powers of ten. */
  bands: FrequencyBand[];
  /** Rows of zeros. */
  leftOut: number;
}

export interface HiddenStateOptions extends DiagnosticOptions {
  /** W_E [V, d], for `inputCosine`. */
  embedding?: Matrix;
  /** Seed of `null`. Default 0. */
  seed?: number;
}

/**
 * A hidden state h beside its target's row w of the unembedding: h = h∥ + h⊥ with h∥ along w. Arrays have one element per
 * hidden state, NaN if the state or its target row is zero.
 */
export interface HiddenStateParts {
  /** h · w / |w|, with its sign. */
  parallel: Float32Array;
  /** |h⊥| */
  orthogonal: Float32Array;
  /** |h⊥| / |h∥| */
  ratio: Float32Array;
  /** The largest |cosine| of h⊥ with another row of the unembedding; NaN if h⊥ is zero. */
  maxOtherCosine: Float32Array;
  /** The same after subtracting the mean of the rows. */
  centeredMaxOtherCosine: Float32Array;
  /** The cosine of h with the target's row of `embedding`; null without it. */
  inputCosine: Float32Array | null;
  /** The median of `ratio` over the states where it is defined. */
  medianRatio: number;
  /** √(d - 1): the root mean square of |h⊥| over that of |h∥| for random directions. Their median ratio is `null.randomMedianRatio`. */
  baseline: number;
  /** Medians by chance. */
  null: {
    /** With the targets in a random order. */
    medianRatio: number;
    /**
     * For random directions: √(d - 1) over the upper quartile of Student's t with d - 1 degrees of freedom, near √d / 0.6745 for large d. 0 for
     * d = 1, where every state is along its target.
     */
    randomMedianRatio: number;
    /** With the rows of `embedding` of the same targets; null without `embedding`. */
    inputCosine: number | null;
    /** For as many random directions as there are states, but at most 256. */
    maxOtherCosine: number;
    centeredMaxOtherCosine: number;
  };
  /** Number of hidden states without measures. */
  leftOut: number;
}

/**
 * Diagnostics of what tying does to embedding spaces. They accept any embedding tables: a trainer's, a file's or your own. They
 * have their own wasm module, which a lab fetches on the first call; `loadCore` takes `modules: ['diagnostics']`. Rows of
 * zeros, mostly padding, are left out and counted.
 */
export interface DiagnosticVerbs {
  /**
   * How well a map takes `source` [V, d1] to `target` [V, d2], with the chance level and the fit in held-out rows.
   *
   * @throws {TiedError} 'shape-mismatch' if the tables differ in rows, or in columns for a map that needs the same number; 'invalid-argument' if an option is out of range or the map is not determined: too few rows, a constant column, columns that depend on each other; 'not-finite' if an element is not a finite number; 'cancelled' after `signal` was aborted
   * @example
   * ```ts
   * const source = { rows: 4, cols: 1, data: Float32Array.of(1, 2, 3, 4) };
   * const target = { rows: 4, cols: 1, data: Float32Array.of(-2, -4, -6, -8) };
   * const { meanCosine, map } = core.align(source, target, { method: 'linear', holdOut: 0 });
   * meanCosine; // → 1
   * map!.data; // → [-2]
   * ```
   */
  align(source: Matrix, target: Matrix, options: AlignmentOptions): Alignment;
  /**
   * The rows of a table [V, d] that are nearest to one of its rows or to a vector [d], nearest first. A row is not its own neighbor.
   * Rows of zeros are never neighbors; `isotropy` counts them. The list makes no claim about the table, so it has no chance level;
   * `neighborOverlap`, which compares the neighbors of two tables, has one.
   *
   * @throws {TiedError} 'invalid-argument' if the row is not in the table, has no direction, or `k` is out of range; 'shape-mismatch' if the vector has another width; 'not-finite' if an element is not a finite number
   * @example
   * ```ts
   * const table = { rows: 3, cols: 2, data: Float32Array.of(1, 0, 0, 1, 3, 4) };
   * core.neighbors(table, 0, { k: 1 })[0]!.row; // → 2
   * ```
   */
  neighbors(table: Matrix, row: number | Float32Array, options?: NeighborOptions): Neighbor[];
  /**
   * How many of a row's nearest neighbors two tables [V, d1] and [V, d2] share, with the chance level.
   *
   * @throws {TiedError} 'shape-mismatch' if the tables differ in rows; 'invalid-argument' if `k` or `sample` exceeds the rows; 'not-finite' if an element is not a finite number; 'cancelled' after `signal` was aborted
   * @example
   * ```ts
   * const a = { rows: 4, cols: 2, data: Float32Array.of(1, 0, 1, 0.1, 0, 1, 0.1, 1) };
   * const turned = { rows: 4, cols: 2, data: Float32Array.of(0, 1, -0.1, 1, -1, 0, -1, 0.1) };
   * core.neighborOverlap(a, turned, { k: 1 }).overlap; // → 1
   * ```
   */
  neighborOverlap(a: Matrix, b: Matrix, options?: OverlapOptions): NeighborOverlap;
  /**
   * How different the nearest-neighbor graphs of two tables [V, d1] and [V, d2] are, with the chance level. With A and B the
   * undirected graphs, [Z_a; Z_b] = U √|Λ| from the eigenvalues of largest magnitude of M = [[A, (A + B) / 2], [(A + B) / 2, B]], the
   * omnibus embedding (arXiv 1705.09355, 2305.05126). Neighbors are searched among the rows of the sample. Needs the module
   * `graphs`, which a lab fetches automatically.
   *
   * @throws {TiedError} 'shape-mismatch' if the tables differ in rows; 'invalid-argument' if `k`, `dimensions` or `sample` exceeds the rows; 'not-finite' if an element is not a finite number; 'cancelled' after `signal` was aborted
   * @example
   * ```ts
   * const data = Float32Array.from({ length: 40 }, (_, i) => Math.sin(i * i));
   * const table = { rows: 20, cols: 2, data };
   * const tripled = { rows: 20, cols: 2, data: data.map((x) => 3 * x) };
   * const same = core.spectralDistance(table, tripled, { k: 4 });
   * same.distance < 1e-6; // → true
   * same.null.mean > 0.3; // → true
   * ```
   */
  spectralDistance(a: Matrix, b: Matrix, options?: SpectralDistanceOptions): SpectralDistance;
  /**
   * Whether the pairs of a text, given as counts [V, V], run around cycles of three tokens. A chain is reversible if and
   * only if the product of its probabilities around every cycle is the same in both directions (Kolmogorov 1936): only
   * then can symmetric logits fit it. Cycles of three suffice if all probabilities are positive. Needs the module `graphs`, which a lab
   * fetches automatically.
   *
   * @throws {TiedError} 'shape-mismatch' if `counts` is not square; 'invalid-argument' if a count is negative, not whole or above 2^24, or all are 0; 'not-finite' if a count is not a finite number; 'cancelled' after `signal` was aborted
   * @example
   * ```ts
   * // New, York, City: out of 100 pairs from each token.
   * const counts = { rows: 3, cols: 3, data: Float32Array.of(5, 90, 5, 10, 10, 80, 40, 30, 30) };
   * const [cycle] = core.kolmogorovCycles(counts).strongest;
   * cycle?.tokens; // → [0, 1, 2]
   * Math.round(10_000 * cycle!.forward); // → 2880
   * Math.round(10_000 * cycle!.backward); // → 15
   * ```
   */
  kolmogorovCycles(counts: Matrix, options?: KolmogorovCyclesOptions): KolmogorovCycles;
  /**
   * A floor of the loss of every tied direct path on a text, given as counts [V, V]: whatever its width, with or without an output bias; see
   * {@link TiedFloor}. It is certified by a table of pairs, not by how well a search did: the search only decides how near the floor is to the
   * infimum. Takes O(V³) time per step, for at most 2,048 tokens. Needs the module `graphs`, which a lab fetches automatically.
   *
   * @throws {TiedError} 'shape-mismatch' if `counts` is not square; 'invalid-argument' if a count is negative or not whole, or all are 0; 'not-finite' if a count is not a finite number; 'out-of-memory' for more than 2,048 tokens; 'cancelled' after `signal` was aborted
   * @example
   * ```ts
   * // New, York, City: shares of pairs in which York after New is twice as likely as anything else.
   * const counts = { rows: 3, cols: 3, data: Float32Array.of(1, 6, 1, 1, 1, 6, 6, 1, 1) };
   * const { floor, reached, bigram } = core.tiedFloor(counts);
   * // On a roundabout, a tied path can do no better than without any context.
   * [floor > Math.log(3) - 0.001, reached < Math.log(3) + 0.001]; // → [true, true]
   * bigram; // → 0.7356
   * ```
   */
  tiedFloor(counts: Matrix, options?: TiedFloorOptions): TiedFloor;
  /**
   * What the logits [V, V] of a direct path tell of its tables; row i are those after token i. They may be log-probabilities: anything constant
   * in a row, and an output bias, drops out. See {@link RecoveredTable}: the width, a tied table up to a rotation and its mean row, and of two
   * tables only the spaces that they span. Takes O(V³) time, for at most 2,048 tokens. Needs the module `graphs`, which a lab fetches
   * automatically.
   *
   * @throws {TiedError} 'shape-mismatch' if `logits` is not square; 'invalid-argument' if `width` is not from 1 to V, or `tolerance` not positive; 'not-finite' if a logit is not a finite number; 'out-of-memory' for more than 2,048 tokens; 'cancelled' after `signal` was aborted
   * @example
   * ```ts
   * const embedding = { rows: 4, cols: 2, data: Float32Array.of(1, 0.5, 0.8, 0.9, 0.3, 1.2, -1, 0.4) };
   * const { width, tied, table } = core.recoverTable(core.directPath({ embedding }));
   * [width, tied]; // → [2, true]
   * const alike = core.align(table, embedding, { method: 'orthogonal', holdOut: 0, nullRuns: 0 });
   * alike.residual < 1e-5; // → true
   * ```
   */
  recoverTable(logits: Matrix, options?: RecoverTableOptions): RecoveredTable;
  /**
   * The singular values of a table [V, d], and its effective number of dimensions.
   *
   * @throws {TiedError} 'not-finite' if an element is not a finite number; 'invalid-argument' if all elements are 0; 'cancelled' after `signal` was aborted
   * @example
   * ```ts
   * const table = { rows: 2, cols: 2, data: Float32Array.of(3, 0, 0, 4) };
   * core.spectrum(table, { center: false }).values; // → [4, 3]
   * ```
   */
  spectrum(table: Matrix, options?: SpectrumOptions): Spectrum;
  /**
   * How similar two tables [V, d1] and [V, d2] are up to rotation and scale, without fitting a map: centered kernel alignment and
   * the overlap of principal subspaces.
   *
   * @throws {TiedError} 'shape-mismatch' if the tables differ in rows; 'invalid-argument' if a table has fewer `dimensions` or does not vary; 'not-finite' if an element is not a finite number; 'cancelled' after `signal` was aborted
   * @example
   * ```ts
   * const table = { rows: 3, cols: 2, data: Float32Array.of(1, 0, 0, 2, 3, 1) };
   * const turned = { rows: 3, cols: 2, data: Float32Array.of(0, 5, -10, 0, -5, 15) };
   * core.cka(table, turned).cka; // → 1.000
   * ```
   */
  cka(a: Matrix, b: Matrix, options?: SimilarityOptions): Similarity;
  /**
   * Whether the rows of a table [V, d] point equally in all directions.
   *
   * @throws {TiedError} 'not-finite' if an element is not a finite number; 'shape-mismatch' if there are not as many counts as rows; 'invalid-argument' if all elements are 0; 'cancelled' after `signal` was aborted
   * @example
   * ```ts
   * const cross = { rows: 4, cols: 2, data: Float32Array.of(1, 0, -1, 0, 0, 1, 0, -1) };
   * const { isoScore, partition } = core.isotropy(cross);
   * isoScore; // → 1.000
   * partition; // → 1.000
   * ```
   */
  isotropy(table: Matrix, options?: IsotropyOptions): Isotropy;
  /**
   * How the lengths of the rows of a table [V, d] depend on how often their tokens occur, `counts` [V].
   *
   * @throws {TiedError} 'not-finite' if an element is not a finite number; 'shape-mismatch' if there are not as many counts as rows, or fewer than 2 rows that are not zero
   * @example
   * ```ts
   * const table = { rows: 3, cols: 1, data: Float32Array.of(3, 2, 1) };
   * core.normFrequency(table, Uint32Array.of(1, 10, 100)).spearman; // → -1
   * ```
   */
  normFrequency(table: Matrix, counts: Uint32Array): NormFrequency;
  /**
   * Splits hidden states [N, d] into the part along the row of their target token in `unembedding` [V, d] and the rest.
   *
   * @param targets - [N]: predicted or true next tokens
   * @throws {TiedError} 'shape-mismatch' if states, tables and targets do not fit together; 'invalid-argument' if a target is not a row; 'not-finite' if an element is not a finite number; 'cancelled' after `signal` was aborted
   * @example
   * ```ts
   * const hidden = { rows: 1, cols: 2, data: Float32Array.of(3, 4) };
   * const unembedding = { rows: 2, cols: 2, data: Float32Array.of(2, 0, 0, 1) };
   * const { parallel, orthogonal } = core.decomposeHidden(hidden, unembedding, Uint32Array.of(0));
   * [parallel[0], orthogonal[0]]; // → [3, 4]
   * ```
   */
  decomposeHidden(
    hidden: Matrix,
    unembedding: Matrix,
    targets: Uint32Array,
    options?: HiddenStateOptions,
  ): HiddenStateParts;
}
