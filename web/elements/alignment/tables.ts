import type { Alignment, Lab, Matrix, NeighborOverlap } from '../../core/types.js';
import { ModelsFileError } from '../shared/models-file-error.js';
import { contentOf, matrixOf, tokenizerTensor } from '../shared/models-file.js';
import type { Listening } from '../shared/model-twins.js';
import type { Method } from './alignment.settings.js';
import type { OtherMeasures } from './other-measures.js';
import { comparisons, tableNames, type ComparisonId, type TableName, type Tables } from './compared-tables.js';

export interface Question {
  readonly method: Method;
  readonly center: boolean;
  readonly holdOut: boolean;
  /** Whether the other measures are included. */
  readonly others: boolean;
  /** Whether the tables themselves are needed, for the neighbors of a word. */
  readonly tables?: boolean;
}

export interface MeasuredComparison {
  readonly alignment: Pick<Alignment, 'meanCosine' | 'null' | 'heldOut'>;
  readonly overlap: Pick<NeighborOverlap, 'overlap' | 'null'>;
}

export interface Measured {
  readonly question: Question;
  readonly pairs: Readonly<Record<ComparisonId, MeasuredComparison>>;
  /** Null until the reader asks for them. */
  readonly others: OtherMeasures | null;
  /**
   * For a measurement made when the page was built: the neighbors of one word, to show while the tables are not loaded.
   */
  readonly words?: ListedWord;
}

const heldOutShare = 0.2;
export const neighborsListed = 6;
export const neighborsCompared = 10;

/** The tables in a file of trained models. `otherFile` completes the error's sentence if the file has none. */
export async function openTables(lab: Lab, bytes: Uint8Array, otherFile: string): Promise<Tables> {
  const found = tablesIn(bytes);
  if (found === null) throw new ModelsFileError(otherFile);
  const tokenizer = await lab.loadTokenizer(found.tokenizer, { format: 'tied-embeddings' });
  const names = tokenizer.tokens;
  tokenizer.dispose();
  if (names.length !== found.tied.rows) throw new ModelsFileError(otherFile);
  return { ...found, names, dispose: () => undefined };
}

function tablesIn(bytes: Uint8Array): Omit<Tables, 'names' | 'dispose'> | null {
  try {
    const { tensor, text } = contentOf(bytes);
    const [tied, reading, writing] = ['tied.embedding', 'untied.embedding', 'untied.unembedding'].map((name) =>
      matrixOf(tensor(name)),
    ) as [Matrix, Matrix, Matrix];
    const fit = [tied, reading, writing].every(
      ({ rows, cols, data }) => rows === tied.rows && cols === tied.cols && data.length === rows * cols && rows > 0,
    );
    return fit ? { tied, reading, writing, text, tokenizer: tensor(tokenizerTensor).bytes } : null;
  } catch {
    return null;
  }
}

/** How well both tables of each comparison agree. */
export async function measureTables(
  lab: Lab,
  tables: Tables,
  question: Question,
  { signal, onProgress }: Listening,
): Promise<Measured> {
  const { method, center, holdOut } = question;
  const found: Partial<Record<ComparisonId, MeasuredComparison>> = {};
  const metric = center ? 'centered-cosine' : 'cosine';
  for (const [index, { id, from, to }] of comparisons.entries()) {
    const [source, target] = [tables[from], tables[to]];
    const options = { method, center, holdOut: holdOut ? heldOutShare : 0, nullRuns: 5, signal };
    const alignment = await lab.align(source, target, options);
    const overlap = await lab.neighborOverlap(source, target, { k: neighborsCompared, metric, signal });
    found[id] = { alignment, overlap };
    onProgress((index + 1) / comparisons.length);
  }
  return { question, pairs: found as Record<ComparisonId, MeasuredComparison>, others: null };
}

export type Neighbors = Readonly<Record<TableName, readonly { readonly row: number; readonly cosine: number }[]>>;

/** A token's neighbors, with the names of all these tokens by row. */
export interface ListedWord {
  readonly word: string;
  readonly row: number;
  readonly neighbors: Neighbors;
  readonly names: Readonly<Record<number, string>>;
}

/** What a page can provide: how well the tables agree, and one word's neighbors. */
export async function measureWithWord(
  lab: Lab,
  tables: Tables,
  question: Question,
  word: string,
  listening: Listening,
): Promise<Measured> {
  const { pairs: found, ...measured } = await measureTables(lab, tables, question, listening);
  const row = tokenOf(tables.names, word);
  const neighbors = await neighborsOf(lab, tables, row, question.center);
  const rows = [row, ...tableNames.flatMap((name) => neighbors[name].map((one) => one.row))];
  const names = Object.fromEntries(rows.map((one) => [one, tables.names[one] ?? '']));
  // Without the maps and all tokens' cosines.
  const small = comparisons.map(({ id }) => {
    const { alignment, overlap } = found[id];
    const { meanCosine, null: chance, heldOut } = alignment;
    return [
      id,
      { alignment: { meanCosine, null: chance, heldOut }, overlap: { overlap: overlap.overlap, null: overlap.null } },
    ];
  });
  return {
    ...measured,
    pairs: Object.fromEntries(small) as Record<ComparisonId, MeasuredComparison>,
    words: { word, row, neighbors, names },
  };
}

/** The rows nearest to a token's, in each table. */
export async function neighborsOf(lab: Lab, tables: Tables, row: number, center: boolean): Promise<Neighbors> {
  const options = { k: neighborsListed, metric: center ? 'centered-cosine' : 'cosine' } as const;
  const lists = await Promise.all(tableNames.map((name) => lab.neighbors(tables[name], row, options)));
  return Object.fromEntries(tableNames.map((name, index) => [name, lists[index]!])) as unknown as Neighbors;
}

/** The token that a reader means: spelled exactly, at the start of a word, or in another case; -1 if there is none. */
export function tokenOf(names: readonly string[], word: string): number {
  const typed = word.trim();
  if (typed === '') return -1;
  for (const spelt of [typed, `␣${typed}`]) if (names.includes(spelt)) return names.indexOf(spelt);
  const plain = (name: string): string => name.replace('␣', '').toLowerCase();
  return names.findIndex((name) => plain(name) === plain(typed));
}
