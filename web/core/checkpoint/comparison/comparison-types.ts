/** Comparing checkpoints: models with the same vocabulary, or steps of one training run. */
import type { CheckpointFormat, CheckpointTying } from '../file-types.js';
import type { CardAsymmetry, CardToken, IdentityTable, NormBand } from '../card/identity-card-types.js';

export interface CompareCheckpointsOptions {
  /** What each checkpoint is compared with: the first one, or the one before it. Default 'first'. */
  against?: 'first' | 'previous';
  /** Names of all checkpoints, in order. Default: 1, 2 and so on. */
  names?: readonly string[];
  /** Seed of the shuffled tables. Default 0. */
  seed?: number;
  /** Called with the fraction of the rows read so far, 0 to 1. */
  onProgress?: ((fraction: number) => void) | undefined;
  signal?: AbortSignal | undefined;
}

export interface TurnedToken {
  token: CardToken;
  cosine: number;
  /** Lengths of the token's row before and after. */
  before: number;
  after: number;
}

export interface MovedToken {
  token: CardToken;
  /** ‖row' − row‖ */
  distance: number;
  /** Lengths of the token's row before and after. */
  before: number;
  after: number;
}

/** The change from a table to the same table of another checkpoint. */
export interface TableChange {
  /** ‖T' − T‖ / ‖T‖ over all entries. */
  distance: number;
  /** How many of the table's rows have another value in any column, both tables decoded. */
  differingRows: number;
  rows: number;
  /** The twenty rows that are farthest from where they were; no equal ones. */
  moved: MovedToken[];
  /** Mean cosine of each token's row with its earlier row; rows of zeros in either table are left out. */
  meanCosine: number;
  /** The same with the rows in a random order. */
  meanCosineNull: number;
  /** Minimum, percentiles 1, 5, 25, 50, 75, 95 and 99, and maximum of these cosines. */
  cosineQuantiles: number[];
  /** The cosines by token id, in at most 128 ranges of ids. */
  cosineBands: NormBand[];
  /** The twenty rows that turned most. */
  turned: TurnedToken[];
  /**
   * The cosine of the two whole tables, both centered, after the best rotation of the first; `null`: with the rows in a random order. Null if
   * a table is constant.
   */
  rotated: { cosine: number; null: number } | null;
}

/** For tables of different shapes: whether tokens with long rows in one have long rows in the other. */
export interface LengthAgreement {
  /** Distinct strings that are tokens of both. */
  tokens: number;
  /** Spearman's rank correlation of their row lengths: −1 to 1, 0 by chance. NaN if all lengths are equal. */
  rankCorrelation: number;
  /** Its standard deviation by chance, 1 / √(tokens − 1). */
  deviation: number;
}

/** A checkpoint, and how it differs from the one it is compared with. */
export interface ComparedCheckpoint {
  name: string;
  format: CheckpointFormat;
  tying: CheckpointTying;
  /** As on an identity card. If one table has both roles, it is listed twice. */
  tables: { input: IdentityTable | null; output: IdentityTable | null };
  /** The asymmetry of its own W_E W_Uᵀ; exactly 0 for one table, null unless each role has a table. */
  asymmetry: CardAsymmetry | null;
  /** Null for the first checkpoint, and if either checkpoint has no such table. If both checkpoints have a single table, both fields are the same. */
  change: { input: TableChange | null; output: TableChange | null };
  /**
   * What can be compared when the shapes differ and both checkpoints have token strings. Null for the first checkpoint, and if rows are
   * compared. If both checkpoints have a single table, both fields are the same.
   */
  lengths: { input: LengthAgreement | null; output: LengthAgreement | null } | null;
}

/** Plain data that survives JSON. */
export interface CheckpointComparisonData {
  against: 'first' | 'previous';
  seed: number;
  checkpoints: ComparedCheckpoint[];
  /** Caveats to the data, in words. */
  notes: string[];
}

export interface CheckpointComparison {
  data: CheckpointComparisonData;
  /** The data as a block for a model card, with numbers to four digits. */
  markdown: string;
  /** For each checkpoint, the cosine of each token's row with its earlier row, by token id; NaN for a row of zeros, null as in `change`. */
  cosines: { input: Float32Array | null; output: Float32Array | null }[];
}
