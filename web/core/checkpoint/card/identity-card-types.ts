/** The identity card of a checkpoint: measures of its two tables, from one pass over their rows. */
import type { CheckpointFormat, CheckpointTensor, CheckpointTying, LeftOutParts } from '../file-types.js';

export interface IdentityCardOptions {
  /** Ids of tokens to inspect in addition to the sample; at most 512 in all. */
  tokens?: Uint32Array;
  /** Tokens to sample for measures that would be exact only with all pairs of tokens. Default 64, at most 512; 0: none. */
  sample?: number;
  /** Seed of the sample and of the shuffled tables. Default 0. */
  seed?: number;
  /** Nearest tokens to list for each inspected token. Default 5, at most 50. */
  neighbors?: number;
  /**
   * A text, or the ids of its tokens, on whose pairs the direct path is evaluated. A text is split greedily into the longest tokens that
   * fit, which may differ from the model's own tokenizer. At most 512 different tokens are read; later pairs are left out.
   */
  text?: string | Uint32Array;
  /** Called with the fraction of the rows read so far, 0 to 1. */
  onProgress?: ((fraction: number) => void) | undefined;
  signal?: AbortSignal | undefined;
}

/** `text`: the token as the file spells it; null if the checkpoint has no token strings. Plain text, never markup. */
export interface CardToken {
  id: number;
  text: string | null;
}

/** `null`: the theoretical values for a table of noise. As in `spectrum` and `isotropy`. */
export interface CardSpectrum {
  /**
   * Singular values, descending. Their error is usually at most 5e-8 of the largest; at most 3e-5 of it for tables stored in 16 bits per element or
   * fewer, whose entries are rounded to 16 bits for sums.
   */
  values: number[];
  participationRatio: number;
  effectiveRank: number;
  null: { participationRatio: number; effectiveRank: number };
}

/** Lengths of the rows from `from` up to but excluding `to`. */
export interface NormBand {
  from: number;
  to: number;
  least: number;
  median: number;
  greatest: number;
}

export interface IdentityTable extends CheckpointTensor {
  bitsPerElement: number;
  /** Row lengths: minimum, percentiles 1, 5, 25, 50, 75, 95 and 99, and maximum. */
  normQuantiles: number[];
  /** The lengths by token id, in at most 128 ranges of ids. */
  normBands: NormBand[];
  /**
   * Rows shorter than half the median length, including rows of zeros: how many, and the twenty shortest. In a reading table these
   * tokens may be undertrained; in a tied or a writing table, tokens that never occur may have long rows.
   */
  shortRows: { count: number; below: number; tokens: { token: CardToken; norm: number }[] };
  /** Number of rows of zeros; diagnostics of directions leave them out. */
  zeroRows: number;
  spectrum: CardSpectrum;
  /** The same for the table minus its mean row. */
  centered: CardSpectrum;
  meanCosine: number;
  /** NaN, as the numbers of the rank without the mean row are, if all rows are equal. */
  isoScore: number;
  /** The theoretical value for a table of noise with as many rows; it approaches 1 with more rows. */
  isoScoreNull: number;
  /** The length of the mean row over the root mean square length of the rows. */
  meanShare: number;
}

/** How far W_E W_Uᵀ is from its transpose, ‖S − Sᵀ‖ / (2 ‖S‖); `null`: expected with the rows of W_U in a random order. */
export interface CardAsymmetry {
  asymmetry: number;
  norm: number;
  symmetricNorm: number;
  skewNorm: number;
  null: number;
}

export interface OneWayTokens {
  from: CardToken;
  to: CardToken;
  /** E_from · U_to, and E_to · U_from. */
  forward: number;
  backward: number;
}

/** Plain data that survives JSON. */
export interface IdentityCardData {
  format: CheckpointFormat;
  tying: CheckpointTying;
  /** As `checkpoint.leftOut`. */
  leftOut: LeftOutParts;
  /** If one table has both roles, it is listed twice. Null: the checkpoint has none. */
  tables: { input: IdentityTable | null; output: IdentityTable | null };
  /**
   * Only for models that have both roles, with tables of the same shape. `bytes`: the size of a second table stored like the first, or of
   * the smaller of two tables. These bytes are saved if the model is tied; they could be saved if it is not, or if it stores its tied table
   * twice. `share`: as a fraction of all tensors in a file with two tables.
   */
  saving: { tied: boolean; storedTwice: boolean; parameters: number; bytes: number; share: number } | null;
  /** The asymmetry of W_E W_Uᵀ; null unless both roles have tables of the same shape. Exactly 0 for one table. */
  asymmetry: CardAsymmetry | null;
  /** The same with the weight of the final norm folded into W_U: W_E diag(g) W_Uᵀ. Null if no such tensor is known. */
  folded: (CardAsymmetry & { tensor: string }) | null;
  /**
   * Residuals ‖E W − U‖ / ‖U‖ of maps between the centered tables; only if there are two tables. `linear` is null if columns depend on others;
   * `linearNull`: expected with the rows in a random order. `cosine`: between the whole matrices E W and U, for the orthogonal W; `cosineNull`:
   * with the rows in a random order.
   */
  alignment: {
    identity: number;
    orthogonal: number;
    linear: number | null;
    linearNull: number;
    cosine: number;
    cosineNull: number;
  } | null;
  /** How many tokens were inspected (the sample, then the caller's), and the seed of the sample. */
  sample: { tokens: number; seed: number };
  /** How many of the sampled tokens the direct path predicts to follow themselves; by chance 1 / V. */
  selfPrediction: { of: number; count: number; chance: number } | null;
  /** Nearest tokens by cosine in the input table, without rows of zeros. */
  neighbors: { token: CardToken; nearest: { token: CardToken; cosine: number }[] }[];
  /**
   * The theoretical cosine of the nearest among as many unrelated rows: the median of the largest cosine of random directions. Rows with a
   * large mean cosine exceed it whatever they stand for.
   */
  neighborsNull: number;
  /** The pairs of a sampled token and any other whose two orders differ most. Empty for one table, and if no order matters. */
  oneWay: OneWayTokens[];
  /**
   * The cross-entropy of softmax(W_E W_Uᵀ) on the pairs of a text, nats per token; `uniform` is ln V. `withNorm`: each row of W_E passes through the
   * final norm first, like a hidden state; null if no such tensor is known. `unread`: characters that are in no token; null if ids were given.
   */
  text: {
    pairs: number;
    leftOut: number;
    unread: number | null;
    loss: number;
    withNorm: number | null;
    uniform: number;
  } | null;
  /** Caveats to the data, in words. */
  notes: string[];
}

export interface IdentityCard {
  data: IdentityCardData;
  /** The data as a block for a model card, with numbers to four digits. */
  markdown: string;
  /** The lengths of all rows, by token id; the same twice for one table. */
  norms: { input: Float32Array | null; output: Float32Array | null };
}
