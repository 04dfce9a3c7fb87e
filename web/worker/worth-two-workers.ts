import type { TableSumsOptions } from '../core/checkpoint/card/table-sums.js';

/** Multiply-adds above which a second worker is opened; one alone takes about a second. */
const WORTH_SHARING = 2 ** 34;
/** Maximum elements of the products that a second worker stores and hands over: 128 MB. */
const MOST_NUMBERS = 2 ** 24;

/** Whether to split sums over the rows of tables between two workers. */
export function isWorthTwoWorkers({ rows = 0, cols, tied }: Pick<TableSumsOptions, 'rows' | 'cols' | 'tied'>): boolean {
  const square = cols * cols;
  return rows * square * (tied ? 0.5 : 2) >= WORTH_SHARING && square * (tied ? 1 : 3) <= MOST_NUMBERS;
}
