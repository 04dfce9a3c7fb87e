/** Builds the identity card of a checkpoint: a few rows first, then one pass over all rows of both tables. */
import { log } from '../../runtime/elementary.js';
import { TiedError } from '../../runtime/errors.js';
import type { CardToken, IdentityCard, IdentityCardData, IdentityTable } from './identity-card-types.js';
import { isoScoreByChance, spectrumByChance } from '../../diagnostics/spectrum-by-chance.js';
import type { Matrix } from '../../types.js';
import type { Decoder } from '../decoder.js';
import { lossOf, normed, type LoadedNorm } from './direct-loss.js';
import type { CheckedCard } from './identity-options.js';
import type { LeftOut } from './left-out.js';
import { identityMarkdown } from './identity-markdown.js';
import { nearestByChance } from './nearest-by-chance.js';
import { normBands, normQuantiles, shortRows } from './norms.js';
import type { FoundInSample } from './sample-findings.js';
import { orAborted, throwIfAborted } from '../bytes/source.js';
import { areEndsOfPath } from '../tables/path-ends.js';
import { pause } from '../../runtime/pause.js';
import { eachPart, noParts, workOf, type PartsSoFar } from './row-parts.js';
import type { MomentAsymmetry, MomentTable, StoredRows } from './table-moments.js';
import { areNarrow, type TableRows } from './table-rows.js';
import type { FoundAlignment, TableSums } from './table-sums.js';
import { pairsOf, type TextPairs } from './text-pairs.js';

/** Number of pairs listed, those whose two orders differ most. */
const PAIRS = 10;

/** What is known about a checkpoint before its rows are read. */
export interface CardSubject {
  readonly facts: Pick<IdentityCardData, 'format' | 'tying'>;
  readonly tables: Record<Role, TableFacts | null>;
  readonly tokens: readonly string[] | null;
  /** Bytes of all tensors found. */
  readonly fileBytes: number;
  readonly decoder: Decoder;
  readonly norm: LoadedNorm | null;
  /** What else the model's direct path contains. */
  readonly leftOut: LeftOut;
  /** Some rows of a table, decoded. */
  matrix(role: Role, rows: Uint32Array, signal: AbortSignal | undefined): Promise<Matrix>;
}

export type Role = 'input' | 'output';
/** `table`: the same object for both roles if they share it. */
export interface TableFacts {
  readonly tensor: Pick<IdentityTable, 'name' | 'shape' | 'dtype' | 'bytes'>;
  readonly table: TableRows;
  /** Whether its rows are in another space than those of the other table. */
  readonly isApart?: boolean;
}

/** What an interrupted call has read, by pass. */
export class UnfinishedCard {
  readonly subject: CardSubject;
  readonly passes: readonly UnfinishedPass[] = [{}, {}];

  constructor(subject: CardSubject) {
    this.subject = subject;
  }

  dispose(): void {
    for (const { begun } of this.passes) begun?.sums.dispose();
  }
}

interface UnfinishedPass {
  begun?: BegunPass;
  done?: Pass;
}

/** After a failure, the sums are kept if another call may continue with them: `isInterruption`. */
export async function identityCard(
  { subject, passes: kept }: UnfinishedCard,
  options: CheckedCard,
): Promise<IdentityCard> {
  const { input, output } = subject.tables;
  const [first, second] = [input ?? output!, output ?? input!];
  const fits = first === second || areMeasuredTogether(subject.facts.tying, input, output);
  const pass = async (at: number, ...rest: [TableFacts, TableFacts, CheckedCard, readonly [number, number]]) =>
    (kept[at]!.done ??= await onePass(kept[at]!, subject, ...rest));
  const passes = fits
    ? [await pass(0, first, second, options, [0, 1])]
    : [await pass(0, first, first, options, [0, 0.5]), await pass(1, second, second, options, [0.5, 1])];
  const data = await dataOf(subject, options, passes);
  return {
    data,
    markdown: identityMarkdown(data),
    norms: {
      input: input && passes[0]!.norms.input,
      output: output && (fits ? passes[0]!.norms.output : passes[1]!.norms.input),
    },
  };
}

export const areOfOneShape = ({ table: one }: TableFacts, { table: other }: TableFacts): boolean =>
  one.rows === other.rows && one.cols === other.cols;

/** Tables of two shapes, and tables that may be no pair, are measured one after the other, each alone. */
export const areMeasuredTogether = (
  tying: IdentityCardData['tying'],
  input: TableFacts | null,
  output: TableFacts | null,
): boolean =>
  areEndsOfPath(tying, input?.tensor ?? null, output?.tensor ?? null) &&
  output!.isApart !== true &&
  areOfOneShape(input!, output!);

const hasDirectPath = ({ facts, tables: { input, output } }: CardSubject): boolean =>
  areMeasuredTogether(facts.tying, input, output);

interface Pass {
  readonly isOne: boolean;
  readonly results: Results;
  readonly norms: Record<Role, Float32Array>;
  readonly text: { readonly read: TextPairs; readonly loss: number; readonly withNorm: number | null } | null;
}

interface BegunPass {
  readonly sums: TableSums;
  readonly norms: Record<Role, Float32Array>;
  readonly soFar: PartsSoFar;
  readonly text: {
    readonly read: TextPairs;
    readonly from: Float32Array;
    readonly to: Float32Array;
    readonly states: Float32Array | null;
  } | null;
}

/** Whether the same call may succeed later; not if the file is invalid or has changed. */
export const isInterruption = (error: unknown): boolean =>
  error instanceof TiedError && (error.code === 'cancelled' || error.code === 'unreachable');

async function beginPass(
  subject: CardSubject,
  first: TableFacts,
  second: TableFacts,
  options: CheckedCard,
): Promise<BegunPass> {
  const { tokens, neighbors, text, signal } = options;
  const isOne = first.table === second.table;
  const { rows, cols } = first.table;
  const role: Role = first === subject.tables.input ? 'input' : 'output';
  const few = async (of: Role, ids: Uint32Array): Promise<Float32Array> => (await subject.matrix(of, ids, signal)).data;
  const { input } = subject.tables;
  const ids = tokens.slice().sort();
  // The sample is taken from the first table. A second table of another shape may not have these rows.
  const isSecond = input !== null && first !== input;
  const sampled = ids.length > 0 &&
    !isSecond && {
      ids,
      input: await few(role, ids),
      ...(isOne ? {} : { output: await few('output', ids) }),
      nearest: neighbors,
      pairs: PAIRS,
    };
  const hasPath = hasDirectPath(subject);
  const read = text !== null && hasPath ? pairsOf(text.ids) : null;
  const wanted =
    read !== null && read.pairs.length > 0
      ? { from: await few(role, read.from), to: await few('output', read.to) }
      : null;
  const states = wanted && subject.norm && normed(wanted.from, subject.norm);
  const sums = await subject.decoder.startTableSums({
    ...{ rows, cols, tied: isOne, narrow: areNarrow([first.table, second.table]) },
    ...{ norm: hasPath ? subject.norm?.weight : undefined },
    ...(sampled ? { sampled } : {}),
    ...(wanted ? { text: joined(wanted.from, states) } : {}),
  });
  const norms = { input: new Float32Array(rows), output: new Float32Array(rows) };
  return { sums, norms, soFar: noParts(), text: wanted && { read: read!, ...wanted, states } };
}

async function onePass(
  kept: UnfinishedPass,
  subject: CardSubject,
  first: TableFacts,
  second: TableFacts,
  options: CheckedCard,
  [begin, end]: readonly [number, number],
): Promise<Pass> {
  const { onProgress, signal } = options;
  const isOne = first.table === second.table;
  const { rows, cols } = first.table;
  const { sums, norms, soFar, text } = (kept.begun ??= await beginPass(subject, first, second, options));
  let isOver = false;
  let isKept = false;
  try {
    const tables = isOne ? [first.table] : [first.table, second.table];
    const add = async (at: number, count: number, [one, other]: readonly StoredRows[]): Promise<void> => {
      const lengths = await sums.add(count, one!, other);
      norms.input.set(lengths.input, at);
      norms.output.set(lengths.output, at);
      if (!isOver) onProgress?.(begin + (end - begin) * ((at + count) / rows));
    };
    await eachPart(tables, workOf(cols, isOne), signal, add, soFar);
    const isFolded = hasDirectPath(subject) && subject.norm !== null;
    const results = await resultsOf(sums, { isOne, isFolded }, options);
    return { isOne, results, norms, text: text && textOf(text.read, text, cols, results.logSums!) };
  } catch (error) {
    isKept = isInterruption(error);
    throw inTable(error, first, isOne ? first : second);
  } finally {
    isOver = true;
    if (!isKept) {
      delete kept.begun;
      sums.dispose();
    }
  }
}

interface Results {
  readonly asymmetry: MomentAsymmetry;
  readonly folded: MomentAsymmetry | null;
  readonly input: MomentTable;
  readonly output: MomentTable;
  /** Null for one table. */
  readonly alignment: FoundAlignment | null;
  readonly sample: FoundInSample | null;
  readonly logSums: Float64Array | null;
}

/** One after the other, so a signal takes effect between two. */
async function resultsOf(
  sums: TableSums,
  { isOne, isFolded }: { readonly isOne: boolean; readonly isFolded: boolean },
  { seed, signal }: CheckedCard,
): Promise<Results> {
  const asked = async <Answer>(answer: Answer | Promise<Answer>): Promise<Answer> => {
    // Each may take a second in a worker.
    const found = await orAborted(Promise.resolve(answer), signal);
    await pause();
    throwIfAborted(signal);
    return found;
  };
  const asymmetry = await asked(sums.asymmetry(false));
  const folded = isFolded ? await asked(sums.asymmetry(true)) : null;
  const input = await asked(sums.table('input'));
  const output = isOne ? input : await asked(sums.table('output'));
  const alignment = isOne ? null : await asked(sums.alignment(seed));
  return { asymmetry, folded, input, output, alignment, ...(await asked(sums.findings())) };
}

/** `states`: the rows of `from` after the final norm, whose sums follow theirs. */
function textOf(
  read: TextPairs,
  { from, to, states }: Record<'from' | 'to', Float32Array> & { readonly states: Float32Array | null },
  cols: number,
  logSums: Float64Array,
): NonNullable<Pass['text']> {
  const loss = lossOf(read, { from, to }, cols, logSums);
  const withNorm = states && lossOf(read, { from: states, to }, cols, logSums.subarray(from.length / cols));
  return { read, loss, withNorm };
}

function joined(one: Float32Array, other: Float32Array | null): Float32Array {
  if (other === null) return one;
  const both = new Float32Array(one.length + other.length);
  both.set(one);
  both.set(other, one.length);
  return both;
}

/** The core names the entry that is not finite, or reports that all are zeros; this adds the tensor. */
export function inTable(error: unknown, first: TableFacts, second = first): unknown {
  const ofTable = error instanceof TiedError && (error.code === 'not-finite' || error.code === 'invalid-argument');
  if (!ofTable) return error;
  const { name } = error.message.startsWith('output') ? second.tensor : first.tensor;
  return new TiedError(error.code, `'${name.slice(0, 120)}': ${error.message}`, { cause: error });
}

async function dataOf(subject: CardSubject, options: CheckedCard, passes: readonly Pass[]): Promise<IdentityCardData> {
  const { facts, tables, tokens, norm } = subject;
  const { input, output } = tables;
  const [pass, other] = passes as [Pass, Pass | undefined];
  const { results, isOne } = pass;
  const tokenOf = (id: number): CardToken => ({ id, text: tokens?.[id] ?? null });
  const areComparable = hasDirectPath(subject) && other === undefined;
  const inputTable = input && (await tableOf(input, results.input, pass.norms.input, tokenOf));
  throwIfAborted(options.signal);
  const outputTable =
    output &&
    (other
      ? await tableOf(output, other.results.input, other.norms.input, tokenOf)
      : isOne && inputTable
        ? { ...inputTable, ...output.tensor }
        : await tableOf(output, results.output, pass.norms.output, tokenOf));
  throwIfAborted(options.signal);
  return {
    ...facts,
    leftOut: { output: subject.leftOut.output, notes: subject.leftOut.notes },
    tables: { input: inputTable, output: outputTable },
    saving: areComparable ? savingOf(subject, input!, output!) : null,
    asymmetry: areComparable ? results.asymmetry : null,
    folded: areComparable && results.folded && norm ? { ...results.folded, tensor: norm.tensor.name } : null,
    alignment: areComparable ? alignmentOf(results) : null,
    sample: { tokens: options.tokens.length, seed: options.seed },
    neighborsNull: nearestByChance(pass.norms.input.length, (input ?? output)!.table.cols),
    ...foundOf(results.sample, options, { tokenOf, rows: pass.norms.input.length, areComparable, isOne }),
    text: pass.text && {
      pairs: pass.text.read.pairs.length,
      leftOut: pass.text.read.leftOut,
      unread: options.text!.unread,
      loss: pass.text.loss,
      withNorm: pass.text.withNorm,
      uniform: log(pass.norms.input.length),
    },
    notes: notesOf(subject, options, results, other !== undefined),
  };
}

function alignmentOf({ alignment }: Results): IdentityCardData['alignment'] {
  if (alignment === null || 'problem' in alignment) return null;
  const { identity, orthogonal, linear, linearNull, cosine, null: chance } = alignment;
  return { identity, orthogonal, linear, linearNull, cosine, cosineNull: chance.mean };
}

type TokenOf = (id: number) => CardToken;

/** How far the mean row of equal rows may be from all of them, for rounding. */
const EQUAL = 1e-12;

/** Pauses after each sort of lengths, which takes 20 ms for 150,000, to keep the page responsive. */
export async function tableOf(
  { tensor, table }: TableFacts,
  found: MomentTable,
  norms: Float32Array,
  tokenOf: TokenOf,
): Promise<IdentityTable> {
  const quantiles = normQuantiles(norms);
  await pause();
  const short = shortRows(norms, quantiles[4]!);
  await pause();
  const bands = normBands(norms);
  await pause();
  const { spectrum, meanCosine, meanShare, leftOut } = found;
  // Minus their mean, equal rows are zero: what is left of them is rounding, and has no directions.
  const areEqual = meanShare > 1 - EQUAL;
  const isoScore = areEqual ? NaN : found.isoScore;
  const centered = areEqual ? { ...found.centered, participationRatio: NaN, effectiveRank: NaN } : found.centered;
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
    normQuantiles: quantiles,
    normBands: bands,
    shortRows: {
      ...{ count: short.count, below: short.below },
      tokens: short.rows.map(({ id, norm }) => ({ token: tokenOf(id), norm })),
    },
    zeroRows: leftOut,
    spectrum: card(spectrum, used),
    centered: card(centered, used - 1),
    ...{ meanCosine, isoScore, meanShare },
    isoScoreNull: isoScoreByChance(spectrumByChance(used - 1, table.cols), table.cols),
  };
}

function savingOf(
  { fileBytes, facts }: CardSubject,
  { tensor: input, table }: TableFacts,
  { tensor: output }: TableFacts,
): IdentityCardData['saving'] {
  const tied = facts.tying.tied === true;
  const isStoredOnce = tied && input.name === output.name;
  const bytes = Math.min(input.bytes, output.bytes);
  return {
    ...{ tied, storedTwice: tied && !isStoredOnce, parameters: table.rows * table.cols, bytes },
    share: bytes / (fileBytes + (isStoredOnce ? bytes : 0)),
  };
}

interface About {
  readonly tokenOf: TokenOf;
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
        ? found.pairs
            .filter(({ forward, backward }) => forward !== backward)
            .map(({ from, to, forward, backward }) => ({
              from: tokenOf(from),
              to: tokenOf(to),
              forward,
              backward,
            }))
        : [],
  };
}

function notesOf(
  { norm, leftOut, facts: { tying }, tables: { input, output } }: CardSubject,
  { text }: CheckedCard,
  { alignment }: Results,
  apart: boolean,
): string[] {
  const notes: string[] = [];
  if (apart)
    notes.push(
      output!.isApart === true
        ? 'The two tables are stored as factors, and the rows of the factors are in two spaces: each was measured by itself.'
        : areEndsOfPath(tying, input!.tensor, output!.tensor)
          ? 'The two tables have different shapes: each was measured by itself.'
          : 'The two tables may not be those of one language model, so each was measured by itself.',
    );
  if (input === null || output === null)
    notes.push(
      leftOut.insteadNote ?? 'No table is known for one role, or it cannot be read, so there is no direct path.',
    );
  if (norm && norm.biasTensor !== null && !apart)
    notes.push(
      `Only the weight of the final norm, '${norm.tensor.name}', is folded into the asymmetry, not its centering or its bias.`,
    );
  if (!apart && input !== null && output !== null) {
    notes.push(...leftOut.notes);
    if (norm && leftOut.normNote !== null) notes.push(leftOut.normNote);
  }
  if (text !== null && (apart || input === null || output === null))
    notes.push('The text was not read: that requires a table for each role, both of one shape.');
  if (!apart && alignment !== null && 'problem' in alignment)
    notes.push(`The tables were not aligned: ${alignment.problem}.`);
  return notes;
}
