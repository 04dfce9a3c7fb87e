/** What a tensor of a checkpoint holds: statistics, blocks for a heat map, and windows of its elements. */
import type { Matrix } from '../../direct-path/types.js';

export interface TensorReportOptions {
  /** At most this many blocks of rows and of columns. Default 64 each. */
  blocks?: { readonly rows?: number; readonly cols?: number };
  /** Called with the fraction read so far, 0 to 1. */
  onProgress?: ((fraction: number) => void) | undefined;
  signal?: AbortSignal | undefined;
}

/** A row and its length. */
export interface RowLength {
  readonly row: number;
  readonly length: number;
}

/** Counts of elements between ends at equal distances: the middle of all finite ones. */
export interface TensorHistogram {
  /** Where the first bin begins. */
  readonly from: number;
  readonly width: number;
  readonly counts: number[];
  /** Elements below the first bin and above the last one, at most one in a thousand each. */
  readonly below: number;
  readonly above: number;
}

/** Measures of blocks of rows and columns of nearly equal size, [rows, cols]; NaN for a block without a finite element. */
export interface TensorBlocks {
  /** Ends of the blocks: block i has the rows from `rowEnds[i]` up to but excluding `rowEnds[i + 1]`. */
  readonly rowEnds: number[];
  readonly colEnds: number[];
  readonly means: Matrix;
  /** Root mean squares. */
  readonly sizes: Matrix;
}

/**
 * Statistics of one tensor. It is read as a matrix: the last dimension is that of the columns, all others together are the rows, and a vector
 * is one row. Everything but the counts of NaN and infinite elements is of the finite ones.
 */
export interface TensorReport {
  readonly name: string;
  readonly shape: number[];
  readonly dtype: string;
  readonly rows: number;
  readonly cols: number;
  readonly elements: number;
  readonly nan: number;
  readonly infinite: number;
  readonly zeros: number;
  /** NaN without a finite element, as are the next three. */
  readonly least: number;
  readonly greatest: number;
  readonly mean: number;
  readonly standardDeviation: number;
  /** Σ|x|, √Σx² and the largest |x|. */
  readonly norms: { readonly sum: number; readonly euclidean: number; readonly largest: number };
  /** The shortest and the longest row, and the mean length; rows with an element that is not finite are left out. Null without any other row. */
  readonly rowLengths: { readonly shortest: RowLength; readonly longest: RowLength; readonly mean: number } | null;
  /** Null without a finite element. */
  readonly histogram: TensorHistogram | null;
  /** Null for a tensor without elements. */
  readonly blocks: TensorBlocks | null;
}

/** A range of rows or columns; `to` is excluded. */
export interface TensorRange {
  readonly from: number;
  readonly to: number;
}

export interface TensorWindowOptions {
  /** Default: the first 64, or all if there are fewer. */
  rows?: TensorRange;
  cols?: TensorRange;
  signal?: AbortSignal | undefined;
}
