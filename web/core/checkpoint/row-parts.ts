/** Rows of tables that are read in step, in parts that take a moment each. */
import { throwIfAborted } from './source.js';
import type { StoredRows } from './table-moments.js';
import type { TableRows } from './table-rows.js';

/** Read at once, of each table. */
const PIECE_BYTES = 2 ** 22;
/** Multiply-adds in double that are done without a pause: some 30 ms. */
const WORK_AT_ONCE = 2 ** 27;

/** Rows `at` to before `at + count`, as each table stores them. */
type OnPart = (at: number, count: number, parts: readonly StoredRows[]) => Promise<void>;

/** The tables have as many rows. `work`: multiply-adds for each row of them together. */
export async function eachPart(
  tables: readonly TableRows[],
  work: number,
  signal: AbortSignal | undefined,
  onPart: OnPart,
): Promise<void> {
  const rows = tables[0]!.rows;
  const most = Math.max(1, Math.floor(PIECE_BYTES / Math.max(...tables.map(({ rowBytes }) => rowBytes))));
  const atOnce = Math.max(1, Math.floor(WORK_AT_ONCE / work));
  for (let from = 0; from < rows; from += most) {
    const count = Math.min(most, rows - from);
    const pieces = await Promise.all(tables.map((table) => table.read(from, count, signal)));
    for (let at = 0; at < count; at += atOnce) {
      throwIfAborted(signal);
      const some = Math.min(atOnce, count - at);
      const parts = pieces.map(({ type, bytes }) => {
        const rowBytes = bytes.length / count;
        return { type, bytes: bytes.subarray(at * rowBytes, (at + some) * rowBytes) };
      });
      await onPart(from + at, some, parts);
      await pause();
    }
  }
  throwIfAborted(signal);
}

/** Lets the page draw, and a signal arrive. */
export const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));

/** Multiply-adds for a row of one table, or of two: the products of their columns. */
export const workOf = (cols: number, isOne: boolean): number => cols * cols * (isOne ? 0.5 : 2);
