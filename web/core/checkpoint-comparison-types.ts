/** Checkpoints beside each other: models of one vocabulary, or steps of one training. */
import type { CheckpointFormat, CheckpointTying } from './checkpoint-types.js';
import type { CardAsymmetry, CardToken, IdentityTable, NormBand } from './identity-card-types.js';

export interface CompareCheckpointsOptions {
  /** With what each is compared: the first of all, or the one before it. Default 'first'. */
  against?: 'first' | 'previous';
  /** What they are called, the first of all first. Default: 1, 2 and so on. */
  names?: readonly string[];
  /** Of the shuffled tables. Default 0. */
  seed?: number;
  /** Called with the fraction of the rows that are read, 0 to 1. */
  onProgress?: (fraction: number) => void;
  signal?: AbortSignal;
}

export interface TurnedToken {
  token: CardToken;
  cosine: number;
  /** Lengths of its row. */
  before: number;
  after: number;
}

/** From a table to the same table of another checkpoint. */
export interface TableChange {
  /** ‖T' − T‖ / ‖T‖ over all entries. */
  distance: number;
  /** Of each token's row with its row before; zeros in either are left out. */
  meanCosine: number;
  /** The same with the rows in a random order. */
  meanCosineNull: number;
  /** The least, 1, 5, 25, 50, 75, 95 and 99 %, the greatest. */
  cosineQuantiles: number[];
  /** By token id: at most 128 runs of ids. */
  cosineBands: NormBand[];
  /** The twenty rows that turned most. */
  turned: TurnedToken[];
  /**
   * The cosine of both tables as a whole after the best rotation of the centred first; `null`: with the rows in a random order. Null where a
   * table is constant.
   */
  rotated: { cosine: number; null: number } | null;
}

/** Of tables of different shapes: whether tokens that are long in one are long in the other. */
export interface LengthAgreement {
  /** Strings that are a token of both, each once. */
  tokens: number;
  /** Spearman's, of the lengths of their rows: −1 to 1, 0 by chance. NaN where all lengths are equal. */
  rankCorrelation: number;
  /** Its standard deviation by chance, 1 / √(tokens − 1). */
  deviation: number;
}

/** A checkpoint, and how it differs from the one that it is compared with. */
export interface ComparedCheckpoint {
  name: string;
  format: CheckpointFormat;
  tying: CheckpointTying;
  /** As on an identity card. Of one table in both roles, twice the same. */
  tables: { input: IdentityTable | null; output: IdentityTable | null };
  /** Of its own E Uᵀ; exactly 0 for one table, null without a table for each role. */
  asymmetry: CardAsymmetry | null;
  /** Null of the first, and where one of the two has no such table. Of two checkpoints with one table each, twice the same. */
  change: { input: TableChange | null; output: TableChange | null };
  /**
   * What can be compared with tables of another shape, where both have token strings. Null of the first, and where rows are compared. Of two
   * checkpoints with one table each, twice the same.
   */
  lengths: { input: LengthAgreement | null; output: LengthAgreement | null } | null;
}

/** Plain data, which survives JSON. */
export interface CheckpointComparisonData {
  against: 'first' | 'previous';
  seed: number;
  checkpoints: ComparedCheckpoint[];
  /** What does not hold as it stands, in words. */
  notes: string[];
}

export interface CheckpointComparison {
  data: CheckpointComparisonData;
  /** The data as a block for a model card, with numbers to four digits. */
  markdown: string;
  /** Of each checkpoint the cosine of each token's row with its row before, by token id; NaN for a row of zeros, null as in `change`. */
  cosines: { input: Float32Array | null; output: Float32Array | null }[];
}
