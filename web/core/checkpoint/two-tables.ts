/**
 * The input table in a file of its own, such as word vectors, and the output table in another file of any kind. Rows that both name are
 * paired by their names.
 */
import type { Opened } from './directory.js';
import { BytesSource } from './memory-source.js';
import { badFile } from './source.js';
import { findTables, type WantedTables } from './tables.js';
import type { StoredTensor } from './tensors.js';

interface NamedRows {
  readonly table: StoredTensor;
  /** Null: its rows have none. */
  readonly names: readonly string[] | null;
}

/** A file with one table, and the names of its rows if it has them. */
export type OneTable<Directory> = Directory & { readonly tokens: readonly string[] | null };

/** How many rows have a name that both files have once, and how many rows they have. */
export interface SharedNames {
  readonly shared: number;
  readonly of: readonly [number, number];
}

interface PairedTables {
  readonly tables: readonly [StoredTensor, StoredTensor];
  readonly names: readonly string[] | null;
  /** Null: they have the same names, or one has none, so that its rows have the order of the other's. */
  readonly sharedNames: SharedNames | null;
  readonly notes: readonly string[];
}

/** With the table of another file, if the caller names one as the output. */
export async function withOutput(
  input: OneTable<Opened>,
  { input: own, output: named }: WantedTables,
  read: (name: string) => Promise<Opened | null>,
): Promise<Opened> {
  if (named === undefined || named === own || input.tensors.has(named)) return input;
  const other = await read(named);
  if (other === null) return input;
  const [table] = input.tensors.values();
  const paired = await pairedTables({ table: table!, names: input.tokens }, outputOf(other, named));
  const names = [own ?? table!.name, named];
  return {
    ...input,
    isOneTable: false,
    tensors: new Map(paired.tables.map((one, at) => [names[at]!, { ...one, name: names[at]! }])),
    tokens: paired.names,
    ...(paired.sharedNames === null ? {} : { sharedNames: paired.sharedNames }),
    notes: [...input.notes, ...other.notes, ...paired.notes],
    sources: [...input.sources, ...other.sources],
  };
}

const isOfOneTable = (opened: Opened): opened is OneTable<Opened> =>
  opened.isOneTable === true && (opened.tokens === null || Array.isArray(opened.tokens));

/** The table of a file that has one; of a model, that of its output, or its only one. Its tokens are numbered as the rows of the input are. */
function outputOf(opened: Opened, file: string): NamedRows {
  if (isOfOneTable(opened)) return { table: [...opened.tensors.values()][0]!, names: opened.tokens };
  const { input, output, unread } = findTables(opened);
  if (unread !== null)
    throw badFile(file, `'${unread.stem}' is ${unread.packed ?? 'empty'}; expected a table that can be read`);
  return { table: (output ?? input)!, names: null };
}

async function pairedTables(input: NamedRows, output: NamedRows): Promise<PairedTables> {
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
