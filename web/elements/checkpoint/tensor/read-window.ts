import type { Matrix, TensorRange } from '../../../core/types.js';

/** A window of a tensor's elements. */
export interface AskedWindow {
  readonly name: string;
  readonly rows: TensorRange;
  readonly cols: TensorRange;
}

export interface ReadWindow extends AskedWindow {
  readonly matrix: Matrix;
}

/** Whether a window that was read is what is asked for. */
export const isWindow = (read: ReadWindow | null, asked: AskedWindow): boolean =>
  read !== null && read.name === asked.name && read.rows.from === asked.rows.from && read.cols.from === asked.cols.from;
