/** Puts the identity card of a checkpoint together: a few rows first, then one pass over all rows of both tables. */
import { TiedError } from '../errors.js';
import type { CardToken, IdentityCard, IdentityCardData, IdentityTable } from '../identity-card-types.js';
import { spectrumByChance } from '../spectrum-by-chance.js';
import type { Matrix } from '../types.js';
import type { Decoder } from './decoder.js';
import type { FinalNorm } from './final-norm.js';
import type { CheckedCard } from './identity-options.js';
import { identityMarkdown } from './identity-markdown.js';
import { normQuantiles, shortRows } from './norms.js';
import type { FoundInSample } from './sample-findings.js';
import { throwIfAborted } from './source.js';
import type { MomentTable, StoredRows } from './table-moments.js';
import type { TableRows } from './table-rows.js';
import type { SumsResults } from './table-sums.js';
import { pairsOf, type TextPairs } from './text-pairs.js';

/** Read at once. */
const PIECE_BYTES = 2 ** 22;
/** Multiply-adds in double that are done without a pause: some 30 ms. */
const WORK_AT_ONCE = 2 ** 27;
/** With the largest difference of the two orders. */
const PAIRS = 10;

/** What is known of a checkpoint before its rows are read. */
export interface CardSubject {
  readonly facts: Pick<IdentityCardData, 'format' | 'tying'>;
  readonly tables: Record<Role, TableFacts | null>;
  readonly tokens: readonly string[] | null;
  /** Bytes of all tensors that were found. */
  readonly fileBytes: number;
  readonly decoder: Decoder;
  readonly norm: (FinalNorm & { readonly weight: Float32Array }) | null;
  /** Some rows of a table, decoded. */
  matrix(role: Role, rows: Uint32Array, signal: AbortSignal | undefined): Promise<Matrix>;
}

export type Role = 'input' | 'output';
/** `table`: the same object for both roles where they are one. */
export interface TableFacts {
  readonly tensor: Pick<IdentityTable, 'name' | 'shape' | 'dtype' | 'bytes'>;
  readonly table: TableRows;
}

export async function identityCard(subject: CardSubject, options: CheckedCard): Promise<IdentityCard> {
  const { input, output } = subject.tables;
  const [first, second] = [input ?? output!, output ?? input!];
  const fits = first.table.cols === second.table.cols && first.table.rows === second.table.rows;
  const passes = fits
    ? [await onePass(subject, first, second, options, [0, 1])]
    : [
        await onePass(subject, first, first, options, [0, 0.5]),
        await onePass(subject, second, second, options, [0.5, 1]),
      ];
  const data = dataOf(subject, options, passes);
  return {
    data,
    markdown: identityMarkdown(data),
    norms: {
      input: input && passes[0]!.norms.input,
      output: output && (fits ? passes[0]!.norms.output : passes[1]!.norms.input),
    },
  };
}

interface Pass {
  readonly isOne: boolean;
  readonly results: SumsResults;
  readonly norms: Record<Role, Float32Array>;
  readonly text: { readonly read: TextPairs; readonly losses: number } | null;
}

async function onePass(
  subject: CardSubject,
  first: TableFacts,
  second: TableFacts,
  { tokens, neighbors, seed, text, onProgress, signal }: CheckedCard,
  [begin, end]: readonly [number, number],
): Promise<Pass> {
  const isOne = first.table === second.table;
  const { rows, cols } = first.table;
  const role: Role = first === subject.tables.input ? 'input' : 'output';
  const few = async (of: Role, ids: Uint32Array): Promise<Float32Array> => (await subject.matrix(of, ids, signal)).data;
  const ids = tokens.slice().sort();
  const sampled = ids.length > 0 && {
    ids,
    input: await few(role, ids),
    ...(isOne ? {} : { output: await few('output', ids) }),
    nearest: neighbors,
    pairs: PAIRS,
  };
  const bothRoles = subject.tables.input !== null && subject.tables.output !== null;
  const read = text !== null && bothRoles && (isOne || role === 'input') ? pairsOf(text) : null;
  const wanted =
    read !== null && read.pairs.length > 0
      ? { from: await few(role, read.from), to: await few('output', read.to) }
      : null;
  const sums = await subject.decoder.startTableSums({
    ...{ cols, tied: isOne, norm: bothRoles ? subject.norm?.weight : undefined },
    ...(sampled ? { sampled } : {}),
    ...(wanted ? { text: wanted.from } : {}),
  });
  try {
    const norms = { input: new Float32Array(rows), output: new Float32Array(rows) };
    await eachPart(first.table, isOne ? null : second.table, signal, async (at, count, one, other) => {
      const lengths = await sums.add(count, one, other);
      norms.input.set(lengths.input, at);
      norms.output.set(lengths.output, at);
      onProgress?.(begin + (end - begin) * ((at + count) / rows));
    });
    const results = await sums.results(seed);
    const losses = wanted && lossOf(read!, wanted, cols, results.logSums!);
    return { isOne, results, norms, text: losses === null ? null : { read: read!, losses } };
  } catch (error) {
    throw inTable(error, first, second, isOne);
  } finally {
    sums.dispose();
  }
}

type OnPart = (at: number, count: number, one: StoredRows, other: StoredRows | undefined) => Promise<void>;

/** Pieces are read together, and handed on in parts that take a moment each. */
async function eachPart(
  one: TableRows,
  other: TableRows | null,
  signal: AbortSignal | undefined,
  onPart: OnPart,
): Promise<void> {
  const { rows, cols } = one;
  const most = Math.max(1, Math.floor(PIECE_BYTES / Math.max(one.rowBytes, other?.rowBytes ?? 0)));
  const atOnce = Math.max(1, Math.floor(WORK_AT_ONCE / (cols * cols * (other ? 2 : 0.5))));
  for (let from = 0; from < rows; from += most) {
    const count = Math.min(most, rows - from);
    const pieces = await Promise.all([one, ...(other ? [other] : [])].map((table) => table.read(from, count, signal)));
    for (let at = 0; at < count; at += atOnce) {
      throwIfAborted(signal);
      const some = Math.min(atOnce, count - at);
      const [first, second] = pieces.map(({ type, bytes }) => {
        const rowBytes = bytes.length / count;
        return { type, bytes: bytes.subarray(at * rowBytes, (at + some) * rowBytes) };
      });
      await onPart(from + at, some, first!, second);
      await pause();
    }
  }
}

/** Lets the page draw, and a signal arrive. */
const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));

/** The mean of -ln p(to | from), with p the softmax of a row's products with all rows. */
function lossOf(
  { pairs }: TextPairs,
  { from, to }: Record<'from' | 'to', Float32Array>,
  cols: number,
  logSums: Float64Array,
): number {
  let sum = 0;
  for (const [i, j] of pairs) {
    let logit = 0;
    for (let k = 0; k < cols; k++) logit += from[i * cols + k]! * to[j * cols + k]!;
    sum += logSums[i]! - logit;
  }
  return sum / pairs.length;
}

/** The core says which entry is not finite, or that all are zeros; here it is known of which tensor. */
function inTable(error: unknown, first: TableFacts, second: TableFacts, isOne: boolean): unknown {
  const ofTable = error instanceof TiedError && (error.code === 'not-finite' || error.code === 'invalid-argument');
  if (!ofTable) return error;
  const { name } = !isOne && error.message.startsWith('output') ? second.tensor : first.tensor;
  return new TiedError(error.code, `'${name.slice(0, 120)}': ${error.message}`, { cause: error });
}

function dataOf(subject: CardSubject, options: CheckedCard, passes: readonly Pass[]): IdentityCardData {
  const { facts, tables, tokens, norm } = subject;
  const { input, output } = tables;
  const [pass, other] = passes as [Pass, Pass | undefined];
  const { results, isOne } = pass;
  const tokenOf = (id: number): CardToken => ({ id, text: tokens?.[id] ?? null });
  const areComparable = input !== null && output !== null && other === undefined;
  const inputTable = input && tableOf(input, results.input, pass.norms.input);
  const outputTable =
    output &&
    (other
      ? tableOf(output, other.results.input, other.norms.input)
      : isOne && inputTable
        ? { ...inputTable, ...output.tensor }
        : tableOf(output, results.output, pass.norms.output));
  const short = shortRows(pass.norms.input);
  return {
    ...facts,
    tables: { input: inputTable, output: outputTable },
    saving: areComparable ? savingOf(subject, input, isOne || facts.tying.tied === true) : null,
    asymmetry: areComparable ? results.asymmetry : null,
    folded: areComparable && results.folded && norm ? { ...results.folded, tensor: norm.tensor.name } : null,
    alignment: areComparable ? alignmentOf(results) : null,
    sample: { tokens: options.tokens.length, seed: options.seed },
    ...foundOf(results.sample, options, { tokenOf, rows: pass.norms.input.length, areComparable, isOne }),
    shortRows: {
      count: short.count,
      below: short.below,
      tokens: short.rows.map(({ id, norm }) => ({ token: tokenOf(id), norm })),
    },
    text: pass.text && {
      pairs: pass.text.read.pairs.length,
      leftOut: pass.text.read.leftOut,
      loss: pass.text.losses,
      uniform: Math.log(pass.norms.input.length),
    },
    notes: notesOf(subject, options, results, other !== undefined),
  };
}

function alignmentOf({ alignment }: SumsResults): IdentityCardData['alignment'] {
  if (alignment === null || 'problem' in alignment) return null;
  const { identity, orthogonal, linear, linearNull, cosine, null: chance } = alignment;
  return { identity, orthogonal, linear, linearNull, cosine, cosineNull: chance.mean };
}

function tableOf({ tensor, table }: TableFacts, found: MomentTable, norms: Float32Array): IdentityTable {
  const { spectrum, centered, meanCosine, isoScore, meanShare, leftOut } = found;
  const used = table.rows - leftOut;
  const card = (
    { values, participationRatio, effectiveRank }: MomentTable['spectrum'],
    rows: number,
  ): IdentityTable['spectrum'] => ({
    ...{ values: [...values], participationRatio, effectiveRank },
    null: spectrumByChance(rows, table.cols),
  });
  return {
    ...tensor,
    bitsPerElement: (8 * tensor.bytes) / (table.rows * table.cols),
    normQuantiles: normQuantiles(norms),
    zeroRows: leftOut,
    spectrum: card(spectrum, used),
    centered: card(centered, used - 1),
    ...{ meanCosine, isoScore, meanShare },
  };
}

function savingOf(
  { fileBytes }: CardSubject,
  { tensor, table }: TableFacts,
  tied: boolean,
): IdentityCardData['saving'] {
  const { bytes } = tensor;
  // Two tables with equal contents are both in the file.
  return { tied, parameters: table.rows * table.cols, bytes, share: bytes / (fileBytes + (tied ? bytes : 0)) };
}

interface About {
  readonly tokenOf: (id: number) => CardToken;
  readonly rows: number;
  readonly areComparable: boolean;
  readonly isOne: boolean;
}

function foundOf(
  found: FoundInSample | null,
  { tokens, sampled }: CheckedCard,
  { tokenOf, rows, areComparable, isOne }: About,
): Pick<IdentityCardData, 'selfPrediction' | 'neighbors' | 'oneWay'> {
  if (found === null) return { selfPrediction: null, neighbors: [], oneWay: [] };
  // In the order of the ids, as the rows were read.
  const ids = tokens.slice().sort();
  const places = new Map([...ids].map((id, i) => [id, i]));
  const ofSample = tokens.subarray(0, sampled);
  const count = ofSample.reduce((sum, id) => sum + (found.predicted[places.get(id)!] === id ? 1 : 0), 0);
  return {
    selfPrediction: areComparable && sampled > 0 ? { of: sampled, count, chance: 1 / rows } : null,
    neighbors: [...tokens].map((id) => ({
      token: tokenOf(id),
      nearest: found.nearest[places.get(id)!]!.map(({ id: near, cosine }) => ({ token: tokenOf(near), cosine })),
    })),
    oneWay:
      areComparable && !isOne
        ? found.pairs.map(({ from, to, forward, backward }) => ({
            from: tokenOf(from),
            to: tokenOf(to),
            forward,
            backward,
          }))
        : [],
  };
}

function notesOf(
  { norm, tables: { input, output } }: CardSubject,
  { text }: CheckedCard,
  { alignment }: SumsResults,
  apart: boolean,
): string[] {
  const notes: string[] = [];
  if (apart) notes.push('The two tables have different shapes: each was measured by itself.');
  if (input === null || output === null) notes.push('One role has no table: there is no direct path.');
  if (norm?.hasBias === true && !apart)
    notes.push(
      `Of the final norm, '${norm.tensor.name}', the weight alone is folded in: not its centring, nor its bias.`,
    );
  if (text !== null && (apart || input === null || output === null))
    notes.push('The text was not read: that takes a table for each role, of one shape.');
  if (!apart && alignment !== null && 'problem' in alignment)
    notes.push(`The tables were not aligned: ${alignment.problem}.`);
  return notes;
}
