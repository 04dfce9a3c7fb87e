/** The input table in one file and the output table in another: rows that both name are paired by their names. */
import { BytesSource } from '../bytes/memory-source.js';
import type { StoredTensor } from '../tensors.js';

export interface NamedRows {
  readonly table: StoredTensor;
  /** Null: its rows have none. */
  readonly names: readonly string[] | null;
}

/** How many rows have a name that both files have once, and how many rows they have. */
export interface SharedNames {
  readonly shared: number;
  readonly of: readonly [number, number];
}

export interface CommonRows {
  readonly tables: readonly [StoredTensor, StoredTensor];
  readonly names: readonly string[] | null;
  /** Null: they have the same names, or one has none, so that its rows have the order of the other's. */
  readonly sharedNames: SharedNames | null;
  readonly notes: readonly string[];
}

export async function commonRows(input: NamedRows, output: NamedRows): Promise<CommonRows> {
  const tables = [input.table, output.table] as const;
  const asTheyAre = { tables, names: input.names ?? output.names, sharedNames: null, notes: [] };
  const [mine, theirs] = [input.names, output.names];
  if (mine === null || theirs === null || mine.join('\n') === theirs.join('\n')) return asTheyAre;
  const [first, second] = [placesOf(mine), placesOf(theirs)];
  const rows = [...first].flatMap(([name, row]) => (row >= 0 && (second.get(name) ?? -1) >= 0 ? [row] : []));
  const names = rows.map((row) => mine[row]!);
  const areAll = rows.length === mine.length && rows.length === theirs.length;
  const sharedNames = areAll ? null : { shared: rows.length, of: [mine.length, theirs.length] as const };
  if (rows.length === 0) return { ...asTheyAre, sharedNames };
  const others = names.map((name) => second.get(name)!);
  return {
    tables: [areAll ? input.table : await withRows(input.table, rows), await withRows(output.table, others)],
    ...{ names, sharedNames },
    notes: [
      `Rows are paired by their names${areAll ? ', which are in another order' : '; those of others are left out'}.`,
    ],
  };
}

/** The row of each name; -1 if several have it. */
function placesOf(names: readonly string[]): Map<string, number> {
  const found = new Map<string, number>();
  for (const [row, name] of names.entries()) found.set(name, found.has(name) ? -1 : row);
  return found;
}

/** Of a table in memory. */
async function withRows(table: StoredTensor, rows: readonly number[]): Promise<StoredTensor> {
  const { bytes, shape, source, from } = table;
  const rowBytes = bytes / shape[0]!;
  const all = await source.read(from, bytes);
  const chosen = new Uint8Array(rows.length * rowBytes);
  for (const [at, row] of rows.entries()) chosen.set(all.subarray(row * rowBytes, (row + 1) * rowBytes), at * rowBytes);
  const shapeNow = [rows.length, shape[1]!];
  return { ...table, shape: shapeNow, bytes: chosen.length, source: new BytesSource(chosen, source.name), from: 0 };
}
