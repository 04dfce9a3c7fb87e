import type { TableSumsOptions } from '../core/checkpoint/table-sums.js';

/** Multiply-adds from which a second worker is opened: one alone takes a second or so. */
const WORTH_SHARING = 2 ** 34;
/** Numbers of the products that a second worker keeps, and hands over: 128 MB. */
const MOST_NUMBERS = 2 ** 24;

/** Whether sums over the rows of tables are shared out among two workers. */
export function isWorthTwoWorkers({ rows = 0, cols, tied }: Pick<TableSumsOptions, 'rows' | 'cols' | 'tied'>): boolean {
  const square = cols * cols;
  return rows * square * (tied ? 0.5 : 2) >= WORTH_SHARING && square * (tied ? 1 : 3) <= MOST_NUMBERS;
}
