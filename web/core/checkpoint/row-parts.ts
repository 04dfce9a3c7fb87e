/** Rows of tables that are read in step, in parts that take a moment each. */
import { pause } from '../pause.js';
import { orAborted, throwIfAborted } from './source.js';
import type { StoredRows } from './table-moments.js';
import type { TableRows } from './table-rows.js';

/** Read at once, of each table. */
const PIECE_BYTES = 2 ** 22;
/** Multiply-adds that are done without a pause: some 30 ms, and at least a whole block of rows at d = 768. */
const WORK_AT_ONCE = 3 * 2 ** 27;
/** Rows of a part, and of a piece, are a multiple of so many where they are more: products of whole blocks are faster. */
const BLOCK_ROWS = 256;
/** Parts that wait for the one that is worked on, so that a busy page does not keep a worker waiting. */
const AHEAD = 2;

/** Rows `at` to before `at + count`, as each table stores them. */
type OnPart = (at: number, count: number, parts: readonly StoredRows[]) => Promise<void>;

/** How far a call has come: another one goes on from there, if its signal is aborted or its server fails. */
export interface PartsSoFar {
  /** Rows that were handed on. */
  rows: number;
  /** With all of them. */
  working: Promise<void>;
}
export const noParts = (): PartsSoFar => ({ rows: 0, working: Promise.resolve() });

const wholeBlocks = (rows: number): number => Math.max(1, rows < BLOCK_ROWS ? rows : rows - (rows % BLOCK_ROWS));

/**
 * The tables have as many rows. `work`: multiply-adds for each row of them together. While a part is worked on, perhaps in a worker, the
 * next one is handed on and the next piece is read.
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

/** Its failure is no unhandled one, even if nobody waits for it any more. */
function heard<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined);
  return promise;
}

/** Multiply-adds for a row of one table, or of two: the products of their columns. */
export const workOf = (cols: number, isOne: boolean): number => cols * cols * (isOne ? 0.5 : 2);
