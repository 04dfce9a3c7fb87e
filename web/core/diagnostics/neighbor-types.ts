/** The nearest rows of a table, and how alike those of two tables are. */
import type { DiagnosticOptions } from '../runtime/types.js';

export type NeighborMetric = 'cosine' | 'centered-cosine';

export interface NeighborOptions {
  /** How many neighbors. Default 10, or one fewer than the rows if that is less. */
  k?: number;
  /** 'centered-cosine' subtracts the mean row first. Default 'cosine'. */
  metric?: NeighborMetric;
}

export interface Neighbor {
  row: number;
  cosine: number;
}

export interface OverlapOptions extends NeighborOptions, DiagnosticOptions {
  /** Number of rows to measure. Default: all, but at most 2,048. */
  sample?: number;
  /** Seed of the sample. Default 0. */
  seed?: number;
}

export interface NeighborOverlap {
  /** Mean fraction of a row's k nearest neighbors that are the same in both tables. */
  overlap: number;
  /** This fraction for each row [V]; NaN where the row is left out or not in the sample. */
  perToken: Float32Array;
  /**
   * The expected overlap with those n rows that have a direction in both tables in a random order in one of them: exactly k / (n - 1) if no
   * row has a direction in one table only. Otherwise a b / (k (n - 1)), where a and b are the mean numbers of such rows among the k
   * neighbors in each table: a row that only one table has takes the place of one that could be shared. With a `sample`, a and b are
   * those of its rows.
   */
  null: number;
  /** Standard error of the overlap as an estimate over all rows; 0 if all rows are in the sample. */
  standardError: number;
  /** Rows without a direction in either table. */
  leftOut: number;
}

export interface SpectralDistanceOptions extends NeighborOptions, DiagnosticOptions {
  /** Neighbors of each row. Default: an eighth of the rows, at most 64. */
  k?: number;
  /** Eigenvectors of the joint embedding. Default: a quarter of the rows, at most 128. */
  dimensions?: number;
  /** Number of rows in the graphs. Default: all, but at most 2,048. */
  sample?: number;
  /** Number of measurements with the rows of `b` in a random order. Default 1. */
  nullRuns?: number;
  /** Seed of the sample and the random orders. Default 0. */
  seed?: number;
}

export interface SpectralDistance {
  /** ‖Z_a - Z_b‖₂ / min(‖Z_a‖₂, ‖Z_b‖₂); 0 = the same neighbors. */
  distance: number;
  /** The distance with the rows of one table in a random order. `mean` is NaN without runs. */
  null: { mean: number; runs: number[] };
  k: number;
  dimensions: number;
  /** Rows in the graphs. */
  rows: number;
  /** Rows without a direction in either table. */
  leftOut: number;
  /** The largest ‖M u - λ u‖ of the eigenvectors, as a fraction of the largest |λ|. */
  residual: number;
}
