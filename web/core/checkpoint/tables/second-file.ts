/** The output table of a file that has an input table only, such as word vectors: in another file, of any kind. */
import { badFile, type ByteSource } from '../bytes/source.js';
import { findTables, type WantedTables } from './tables.js';
import type { TensorDirectory } from '../tensors.js';
import { commonRows, type NamedRows } from './two-tables.js';

interface OpenedFile extends TensorDirectory {
  readonly sources: readonly ByteSource[];
}

/** A file with one table, and the names of its rows if it has them. */
export type OneTable<File> = File & { readonly tokens: readonly string[] | null };

/** With the table of another file, if the caller names one as the output. */
export async function withOutput<File extends OpenedFile>(
  input: OneTable<File>,
  { input: own, output: named }: WantedTables,
  read: (name: string) => Promise<OpenedFile | null>,
): Promise<File> {
  if (named === undefined || named === own || input.tensors.has(named)) return input;
  const other = await read(named);
  if (other === null) return input;
  const [table] = input.tensors.values();
  const output = outputOf(other, named);
  const paired = await commonRows({ table: table!, names: input.tokens }, output);
  const names = [own ?? table!.name, named];
  return {
    ...input,
    isOneTable: false,
    tensors: new Map(paired.tables.map((one, at) => [names[at]!, { ...one, name: names[at]! }])),
    tokens: paired.names,
    ...(paired.sharedNames === null ? {} : { sharedNames: paired.sharedNames }),
    notes: [
      ...input.notes,
      ...other.notes,
      ...(isOfOneTable(other) ? [] : [`The output table is '${output.table.name.slice(0, 120)}' of ${named}.`]),
      ...paired.notes,
    ],
    sources: [...input.sources, ...other.sources],
  };
}

const isOfOneTable = (opened: OpenedFile): opened is OneTable<OpenedFile> =>
  opened.isOneTable === true && (opened.tokens === null || Array.isArray(opened.tokens));

/** The table of a file that has one; of a model, that of its output, or its only one. Its tokens are numbered as the rows of the input are. */
function outputOf(opened: OpenedFile, file: string): NamedRows {
  if (isOfOneTable(opened)) return { table: [...opened.tensors.values()][0]!, names: opened.tokens };
  const { input, output, unread } = findTables(opened);
  if (unread !== null)
    throw badFile(file, `'${unread.stem}' is ${unread.packed ?? 'empty'}; expected a table that can be read`);
  return { table: (output ?? input)!, names: null };
}
