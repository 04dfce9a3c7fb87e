/** Reads the rows of several tables in step, in parts that each take a short time. */
import { pause } from '../../runtime/pause.js';
import { orAborted, throwIfAborted } from '../bytes/source.js';
import type { StoredRows } from './table-moments.js';
import type { TableRows } from './table-rows.js';

/** Bytes read at once from each table. */
const PIECE_BYTES = 2 ** 22;
/** Multiply-adds without a pause: about 30 ms, and at least a whole block of rows at d = 768. */
const WORK_AT_ONCE = 3 * 2 ** 27;
/** Larger parts and pieces are multiples of this many rows, because products of whole blocks are faster. */
const BLOCK_ROWS = 256;
/** Parts queued behind the current one, so a busy page does not keep a worker waiting. */
const AHEAD = 2;

/** Rows from `at` up to but excluding `at + count`, as each table stores them. */
type OnPart = (at: number, count: number, parts: readonly StoredRows[]) => Promise<void>;

/** How far a call has come. If its signal is aborted or its server fails, another call continues from there. */
export interface PartsSoFar {
  /** Rows passed on so far. */
  rows: number;
  /** Settles when all of them have been processed. */
  working: Promise<void>;
}
export const noParts = (): PartsSoFar => ({ rows: 0, working: Promise.resolve() });

const wholeBlocks = (rows: number): number => Math.max(1, rows < BLOCK_ROWS ? rows : rows - (rows % BLOCK_ROWS));

/**
 * All tables have equally many rows. `work`: multiply-adds per row of all tables together. While a part is being processed, perhaps in a
 * worker, the next part is passed on and the next piece is read.
 */
export async function eachPart(
  tables: readonly TableRows[],
  work: number,
  signal: AbortSignal | undefined,
  onPart: OnPart,
  soFar = noParts(),
): Promise<void> {
  const rows = tables[0]!.rows;
  const most = wholeBlocks(Math.floor(PIECE_BYTES / Math.max(...tables.map(({ rowBytes }) => rowBytes))));
  const atOnce = wholeBlocks(Math.floor(WORK_AT_ONCE / work));
  const waiting: Promise<void>[] = [];
  const read = (from: number): Promise<StoredRows[]> =>
    heard(Promise.all(tables.map((table) => table.read(from, Math.min(most, rows - from), signal))));
  const begin = soFar.rows;
  let next = begin < rows ? read(begin) : null;
  for (let from = begin; from < rows; from += most) {
    const count = Math.min(most, rows - from);
    const pieces = (await next)!;
    next = from + count < rows ? read(from + count) : null;
    for (let at = 0; at < count; at += atOnce) {
      throwIfAborted(signal);
      const some = Math.min(atOnce, count - at);
      const parts = pieces.map(({ type, bytes }) => {
        const rowBytes = bytes.length / count;
        return { type, bytes: bytes.subarray(at * rowBytes, (at + some) * rowBytes) };
      });
      soFar.working = heard(Promise.all([soFar.working, onPart(from + at, some, parts)]).then(() => undefined));
      soFar.rows += some;
      waiting.push(soFar.working);
      if (waiting.length > AHEAD) await orAborted(waiting.shift()!, signal);
      await pause();
    }
  }
  await orAborted(soFar.working, signal);
  throwIfAborted(signal);
}

/** Keeps its failure from counting as unhandled, even if nothing awaits it any more. */
function heard<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined);
  return promise;
}

/** Multiply-adds per row of one table, or of two: the products of their columns. */
export const workOf = (cols: number, isOne: boolean): number => cols * cols * (isOne ? 0.5 : 2);
