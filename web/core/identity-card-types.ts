/** The identity card of a checkpoint: what its two tables are like, from one pass over their rows. */
import type { CheckpointFormat, CheckpointTensor, CheckpointTying } from './checkpoint-types.js';

export interface IdentityCardOptions {
  /** Ids of tokens to look at, besides the sample; at most 512 with it. */
  tokens?: Uint32Array;
  /** How many tokens are sampled for what only all pairs of tokens would say exactly. Default 64, at most 512; 0: none. */
  sample?: number;
  /** Of the sample, and of the shuffled tables. Default 0. */
  seed?: number;
  /** Nearest tokens of each that is looked at. Default 5, at most 50. */
  neighbors?: number;
  /**
   * A text, or the ids of its tokens: what the direct path makes of its pairs. A text is split into the longest tokens that fit, which a
   * model's own tokenizer may do otherwise. At most 512 different tokens are read; later pairs are left out.
   */
  text?: string | Uint32Array;
  /** Called with the fraction of the rows that are read, 0 to 1. */
  onProgress?: (fraction: number) => void;
  signal?: AbortSignal;
}

/** `text`: as the file spells it; null where the checkpoint has no token strings. Plain text, never markup. */
export interface CardToken {
  id: number;
  text: string | null;
}

/** Of a table of noise, in theory; as in `spectrum` and `isotropy`. */
export interface CardSpectrum {
  /**
   * Singular values, descending. Each is wrong by up to 5e-8 of the largest, as a rule; by 3e-5 of it where the tables are stored in at most 16 bits
   * an element, of which sums keep as many.
   */
  values: number[];
  participationRatio: number;
  effectiveRank: number;
  null: { participationRatio: number; effectiveRank: number };
}

/** Lengths of the rows `from` to before `to`. */
export interface NormBand {
  from: number;
  to: number;
  least: number;
  median: number;
  greatest: number;
}

export interface IdentityTable extends CheckpointTensor {
  bitsPerElement: number;
  /** Of the lengths of rows: the least, 1, 5, 25, 50, 75, 95 and 99 %, the greatest. */
  normQuantiles: number[];
  /** The lengths by token id: at most 128 runs of ids. */
  normBands: NormBand[];
  /** Rows shorter than half the median row, of zeros too: how many, and the twenty shortest. Hardly trained, perhaps. */
  shortRows: { count: number; below: number; tokens: { token: CardToken; norm: number }[] };
  /** Rows of zeros; diagnostics of directions leave them out. */
  zeroRows: number;
  spectrum: CardSpectrum;
  /** Of the table less its mean row. */
  centered: CardSpectrum;
  meanCosine: number;
  isoScore: number;
  /** Of a table of noise with as many rows, in theory: 1 for endlessly many. */
  isoScoreNull: number;
  /** The length of the mean row over the root mean square length of the rows. */
  meanShare: number;
}

/** How far E Uᵀ is from its transpose, ‖S − Sᵀ‖ / (2 ‖S‖); `null`: expected with the rows of U in a random order. */
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

/** Plain data, which survives JSON. */
export interface IdentityCardData {
  format: CheckpointFormat;
  tying: CheckpointTying;
  /** Of one table in both roles, twice the same. Null: the checkpoint has none. */
  tables: { input: IdentityTable | null; output: IdentityTable | null };
  /**
   * Of models with both roles and tables of one shape. `bytes`: of a second table as this file stores the first, or of the smaller of two;
   * saved where the model is tied, to be saved where it is not, or is and has its table twice. `share`: of all tensors in the file with two
   * tables.
   */
  saving: { tied: boolean; storedTwice: boolean; parameters: number; bytes: number; share: number } | null;
  /** Of E Uᵀ; null unless there are tables of one width for both roles. Exactly 0 for one table. */
  asymmetry: CardAsymmetry | null;
  /** The same with the weight of the final norm folded into U: E diag(g) Uᵀ. Null where no such tensor is known. */
  folded: (CardAsymmetry & { tensor: string }) | null;
  /**
   * Residuals ‖E W − U‖ / ‖U‖ of maps of the centred tables, of two tables only. `linear` is null where columns depend on others;
   * `linearNull`: expected with the rows in a random order. `cosine`: of E W and U as a whole, for the orthogonal W; `cosineNull`: with the rows
   * in a random order.
   */
  alignment: {
    identity: number;
    orthogonal: number;
    linear: number | null;
    linearNull: number;
    cosine: number;
    cosineNull: number;
  } | null;
  /** The tokens that were looked at: the sample, then the caller's. */
  sample: { tokens: number; seed: number };
  /** How many of the sampled tokens the direct path predicts after themselves; by chance 1 / V. */
  selfPrediction: { of: number; count: number; chance: number } | null;
  /** By cosine in the input table. Without rows of zeros. */
  neighbors: { token: CardToken; nearest: { token: CardToken; cosine: number }[] }[];
  /**
   * How near the nearest of as many unrelated rows would be, in theory: the median of the greatest cosine of random directions. Rows with a
   * large mean cosine are nearer than that whatever they stand for.
   */
  neighborsNull: number;
  /** Of pairs of a sampled token and any other, those with the largest difference of the two orders. Empty for one table. */
  oneWay: OneWayTokens[];
  /**
   * The cross-entropy of softmax(E Uᵀ) on the pairs of a text, nats per token; `uniform` is ln V. `withNorm`: each row of E goes through the
   * final norm before, as a state does; null where no such tensor is known. `unread`: characters that no token has; null where ids were given.
   */
  text: {
    pairs: number;
    leftOut: number;
    unread: number | null;
    loss: number;
    withNorm: number | null;
    uniform: number;
  } | null;
  /** What does not hold as it stands, in words. */
  notes: string[];
}

export interface IdentityCard {
  data: IdentityCardData;
  /** The data as a block for a model card, with numbers to four digits. */
  markdown: string;
  /** The lengths of all rows, by token id; of one table twice the same. */
  norms: { input: Float32Array | null; output: Float32Array | null };
}
