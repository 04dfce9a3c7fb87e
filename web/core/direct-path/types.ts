/** Matrices and what is measured on direct paths and on counts of pairs. */

/** Row-major: element (i, j) is `data[i * cols + j]`. Always a copy, never a view of wasm memory. */
export interface Matrix {
  readonly rows: number;
  readonly cols: number;
  readonly data: Float32Array;
}

/**
 * The factors of a direct path A = W_E M W_Uᵀ. The logits of a trained direct path are these, times √dModel with an `embeddingScale`, plus its output
 * bias if it has one; a temperature other than 1 divides them.
 */
export interface DirectPathFactors {
  /** W_E [V, d]. */
  embedding: Matrix;
  /** W_U, stored as [V, d] with one row per token; absent = tied, the embedding itself. */
  unembedding?: Matrix;
  /** M [d, d] between the two; absent = the identity. */
  between?: Matrix;
}

export interface SymmetryOptions {
  /** Largest |a_ij - a_ji| that still counts as symmetric. Default 0: equal to the last bit. */
  tolerance?: number;
  /** How many of the worst pairs to list. Default 0. */
  worst?: number;
}

export interface SymmetryPair {
  row: number;
  col: number;
  /** a[row, col] */
  forward: number;
  /** a[col, row] */
  backward: number;
}

export interface Symmetry {
  symmetric: boolean;
  /**
   * max |a_ij - a_ji|; null only from `directPathSymmetry`, if comparing all V² pairs would take longer than a second
   * or so and no `worst` pairs were requested. `symmetric` then relies on the norms.
   */
  maxDifference: number | null;
  /** ‖(A - Aᵀ)/2‖_F / ‖A‖_F in [0, 1]; 0 = symmetric, about 0.707 for independent random entries. */
  asymmetry: number;
  /** ‖A‖_F, ‖(A + Aᵀ)/2‖_F, ‖(A - Aᵀ)/2‖_F */
  norm: number;
  symmetricNorm: number;
  skewNorm: number;
  /** Pairs with the largest |a_ij - a_ji|, worst first. */
  worst: SymmetryPair[];
}

/** Lowest possible ‖target - A‖_F over each family of A. */
export interface FitBounds {
  /** rank ≤ d */
  untied: number;
  /** rank ≤ d, symmetric and positive semidefinite */
  tied: number;
  /** symmetric, any rank */
  symmetric: number;
  /** ‖(target - targetᵀ)/2‖_F: the part that no symmetric A reaches; equals `symmetric` */
  skew: number;
}

/** Cross-entropy floors of next-token prediction from the current token alone, nats per token. */
export interface BigramBounds {
  /** Entropy of the next token alone. */
  unigram: number;
  /** Entropy of the next token given the current one: no model of the bigram can do better. */
  bigram: number;
  /**
   * The infimum of the losses of symmetric matrices of logits. It need not be attained: for the counts of a text in which no token
   * occurs twice it is 0, which growing logits only approach. If row and column sums of the counts agree (in a chain; in a text, except
   * for its first and last token), it is `bigram` plus the Jensen-Shannon divergence of J and Jᵀ; otherwise it is less.
   */
  symmetricLogits: number;
  /**
   * How exactly it is known: the infimum lies between `symmetricLogits` minus this and `symmetricLogits`. At most 1e-9, unless
   * rounding ends the search earlier; 0 if the sums agree, where the formula is exact.
   */
  symmetricLogitsGap: number;
}

export interface IrreversibilityOptions {
  /** Samples of the reversible chain, 2 to 1,000. Default 20. */
  nullRuns?: number;
  /** Seed of the samples. Default 0. */
  seed?: number;
  /** Called with the fraction of the null that has been drawn, 0 to 1. */
  onProgress?: ((fraction: number) => void) | undefined;
  /** Cancels the verb; the promise (or call) rejects with code 'cancelled'. */
  signal?: AbortSignal | undefined;
}

/** With J the counts divided by their sum. */
export interface Irreversibility {
  /**
   * JS(J, Jᵀ) = Σ J_ij ln(2 J_ij / (J_ij + J_ji)) in nats, from 0 (each pair as often in one order as in the other) to
   * ln 2 (no pair in both orders, and no token twice in a row: a repetition is its own reverse). If row and column sums
   * agree, it is what symmetric logits cost, and at most `mutualInformation`.
   */
  js: number;
  /**
   * The same for held-out pairs: each pair in turn is distinguished from its reverse by means of all the others, Σ J_ij ln(2 (n_ij - ½) /
   * (n_ij + n_ji)) over i ≠ j, with half a pair added to either order. At most `js`. If pairs come in random order, its expectation is 0
   * or less, however few the counts; a single text may be above. It estimates what symmetric logits cost on a text that was not counted,
   * where `js` of a short text is mostly chance: compare `js` with that of the shuffled tokens.
   */
  heldOut: number;
  /**
   * The JS of a reversible text of the same length by chance, in nats: of samples of the chain whose joint distribution is
   * (J + Jᵀ) / 2, each with as many pairs as the counts. Too low if most pairs occur only once or twice: the JS of
   * shuffled tokens is then above it.
   */
  null: {
    mean: number;
    standardDeviation: number;
    /** JS of each sample. The first ones do not depend on `nullRuns`. */
    runs: number[];
  };
  /**
   * What the current token tells about the next in these counts: the unigram entropy minus the bigram entropy, in nats. In a short text a
   * part of it is chance, which `null` does not measure.
   */
  mutualInformation: number;
  /**
   * (js - null.mean) / mutualInformation; 0 if the mutual information is 0. For a long text, the fraction of what the current token tells
   * that symmetric logits cannot use. In a short text it is too low, by up to half, because the divisor has a part that is chance. Near
   * 0 its sign means nothing: texts without a direction are on either side, and shuffled tokens above it where most pairs occur once or
   * twice. If row and column sums differ by much, as in a few words, it is not a fraction: the text *abc* has 0.7 and costs symmetric
   * logits nothing.
   */
  share: number;
  /** J - Jᵀ [V, V]: how much more often j follows i than i follows j, as a fraction of all pairs. */
  netFlow: Matrix;
}
