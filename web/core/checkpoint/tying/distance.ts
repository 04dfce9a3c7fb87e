/** How far two tables that differ are apart, from a sample of rows: docs/decisions/0070-equal-within-stored-scales.md. */
import { RowsApart } from '../../direct-path/row-distances.js';
import type { TableDistance } from '../types.js';
import type { Decoder } from '../decoder.js';
import { couldBeEqual } from './equal-values.js';
import { partOf, type Part } from '../rows/stored-part.js';
import { whyNotDecoded, checkTable, tableShape, type RowRange } from '../rows/rows.js';
import { throwIfAborted } from '../bytes/source.js';
import { forPieces } from '../rows/table-pieces.js';
import type { StoredTensor } from '../tensors.js';

/** The sample: so few reads, rows and bytes of each table that opening a file at a URL stays quick. */
const MOST_RANGES = 8;
const MOST_ROWS = 512;
const MOST_BYTES = 2 ** 20;
/** Of a table with one column per token. */
const MOST_BYTES_ACROSS = 2 ** 24;

interface Options {
  readonly decoder: Decoder;
  readonly signal?: AbortSignal | undefined;
}

/** Null if the tables cannot be compared row by row. If one has more rows, the rows that both have are compared. */
export async function tableDistance(
  input: StoredTensor,
  output: StoredTensor,
  options: Options,
): Promise<TableDistance | null> {
  if ([input, output].some((table) => whyNotDecoded(table) !== null || table.turned === true)) return null;
  checkTable(input);
  checkTable(output);
  if ([input, output].some(isReadAcross)) return null;
  const [one, other] = [tableShape(input), tableShape(output)];
  if (one.cols !== other.cols) return one.cols === other.rows ? acrossDistance(input, output, options) : null;
  const ranges = sampleOf(Math.min(one.rows, other.rows), Math.max(one.rowBytes, other.rowBytes));
  throwIfAborted(options.signal);
  const parts = await Promise.all(
    ranges.map(({ from, to }) => Promise.all([partOf(input, from, to, options), partOf(output, from, to, options)])),
  );
  throwIfAborted(options.signal);
  return measured(parts, one.cols, arePacked([input, output]));
}

/** One row of a table that is packed in columns takes a window of all of them. */
const isReadAcross = ({ arrangedFrom, parts }: StoredTensor): boolean =>
  arrangedFrom !== undefined && arrangedFrom.bytes > MOST_BYTES_ACROSS && parts?.has('.qweight') === true;

/** What was rounded to scales of its own is equal to another row only if it is the same: of its original nothing is known. */
const arePacked = (tables: readonly StoredTensor[]): boolean => tables.some(({ parts }) => parts !== undefined);

/** Of an output with one column per token, which has to be read whole: null if that is more than opening a file should take. */
async function acrossDistance(
  input: StoredTensor,
  output: StoredTensor,
  options: Options,
): Promise<TableDistance | null> {
  if (output.bytes > MOST_BYTES_ACROSS) return null;
  const [one, other] = [tableShape(input), tableShape(output)];
  const parts: (readonly [Part, Part])[] = [];
  const way = { isAcross: true, from: [0, 0], tokens: Math.min(one.rows, other.cols) } as const;
  await forPieces([input, output], way, options, (mine, theirs) => parts.push([mine, theirs]) > 0);
  // The first piece is a look at one column, which ends most comparisons.
  return measured(parts.slice(1), one.cols, arePacked([input, output]));
}

/** All rows, or ranges of equal length spread over the table from its first row to its last. */
export function sampleOf(rows: number, rowBytes: number): RowRange[] {
  const most = Math.max(1, Math.min(MOST_ROWS, Math.floor(MOST_BYTES / rowBytes)));
  if (rows <= most) return [{ from: 0, to: rows }];
  const count = Math.min(MOST_RANGES, most);
  const length = Math.floor(most / count);
  const last = rows - length;
  return Array.from({ length: count }, (_, i) => {
    const from = count === 1 ? 0 : Math.round((i * last) / (count - 1));
    return { from, to: from + length };
  });
}

function measured(parts: readonly (readonly [Part, Part])[], cols: number, areSame: boolean): TableDistance | null {
  const apart = new RowsApart(cols);
  let [rows, equal] = [0, 0];
  for (const [one, other] of parts) {
    for (let at = 0; at < one.values.length; at += cols) {
      rows++;
      const [mine, theirs] = [one.values.subarray(at, at + cols), other.values.subarray(at, at + cols)];
      if (areSame ? mine.every((value, i) => value === theirs[i]) : couldBeEqual(one, other, at, at + cols)) equal++;
      apart.add(mine, theirs);
    }
  }
  const found = apart.result();
  return found === null ? null : { ...found, equalRows: equal / rows, rows };
}
