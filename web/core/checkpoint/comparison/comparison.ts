/** Compares checkpoints: one pass over the rows of each, read in step with the rows that they are compared with. */
import type {
  CheckpointComparison,
  CheckpointComparisonData,
  ComparedCheckpoint,
  LengthAgreement,
  TableChange,
} from './comparison-types.js';
import type { CardToken, IdentityTable } from '../card/identity-card-types.js';
import { comparisonMarkdown } from './comparison-markdown.js';
import type { CheckedComparison } from './comparison-options.js';
import type { Decoder } from '../decoder.js';
import {
  areMeasuredTogether,
  areOfOneShape,
  inTable,
  isInterruption,
  tableOf,
  type CardSubject,
  type Role,
  type TableFacts,
} from '../card/identity-card.js';
import { lengthAgreement, sharedIds } from './length-agreement.js';
import { normBands, normQuantiles } from '../card/norms.js';
import { pause } from '../../runtime/pause.js';
import { eachPart, noParts, workOf, type PartsSoFar } from '../card/row-parts.js';
import { throwIfAborted } from '../bytes/source.js';
import type { StoredRows } from '../card/table-moments.js';
import { areNarrow } from '../card/table-rows.js';
import type { TableSums } from '../card/table-sums.js';

const MOST_TURNED = 20;

export type ComparedSubject = Pick<CardSubject, 'facts' | 'tables' | 'tokens'>;

const ROLES = ['input', 'output'] as const;

/** What an interrupted call has found and read. */
export class UnfinishedComparison {
  readonly subjects: readonly ComparedSubject[];
  readonly decoder: Decoder;
  /** Results of finished passes, in order. */
  readonly done: (readonly Compared[])[] = [];
  /** The pass after them, if it has begun. */
  begun: Pass | null = null;

  /** `subjects`: at least two. A subject whose tables differ in shape from those it is compared with shares token strings with them. */
  constructor(subjects: readonly ComparedSubject[], decoder: Decoder) {
    this.subjects = subjects;
    this.decoder = decoder;
  }

  dispose(): void {
    this.begun?.dispose();
    this.begun = null;
  }
}

/** After a failure, what was read is kept if another call may continue with it: `isInterruption`. */
export async function compareCheckpoints(
  unfinished: UnfinishedComparison,
  options: CheckedComparison,
): Promise<CheckpointComparison> {
  const { subjects } = unfinished;
  const { against, seed, names } = options;
  let passes = 0;
  const pass = async (
    range: Range,
    before: ComparedSubject | null,
    after: ComparedSubject,
  ): Promise<readonly Compared[]> =>
    (unfinished.done[passes++] ??= await onePass(unfinished, [before, after, range, passes === 1], options));
  const found: Compared[] = [];
  for (let at = 1; at < subjects.length; at++) {
    const place = against === 'first' ? 0 : at - 1;
    const [before, after] = [subjects[place]!, subjects[at]!];
    const range = [(at - 1) / (subjects.length - 1), at / (subjects.length - 1)] as const;
    if (haveOneShape(before, after)) {
      found.push(...(await pass(range, before, after)));
      continue;
    }
    const middle = at === 1 ? (range[0] + range[1]) / 2 : range[0];
    if (at === 1) found.push(...(await pass([range[0], middle], null, before)));
    const [alone] = await pass([middle, range[1]], null, after);
    found.push({ ...alone!, lengths: agreementOf([before, found[place]!], [after, alone!]) });
  }
  const data: CheckpointComparisonData = {
    ...{ against, seed },
    checkpoints: found.map(({ cosines: _, norms: __, ...one }, at) => ({ name: names[at] ?? String(at + 1), ...one })),
    notes: notesOf(subjects, found),
  };
  return { data, markdown: comparisonMarkdown(data), cosines: found.map(({ cosines }) => cosines) };
}

/** A range of the progress. */
type Range = readonly [number, number];

async function onePass(
  unfinished: UnfinishedComparison,
  what: ConstructorParameters<typeof Pass>[1],
  options: CheckedComparison,
): Promise<readonly Compared[]> {
  const pass = (unfinished.begun ??= new Pass(unfinished.decoder, what));
  let isKept = false;
  try {
    return await pass.run(options);
  } catch (error) {
    isKept = isInterruption(error) && pass.hasBegun;
    throw error;
  } finally {
    if (!isKept) unfinished.dispose();
  }
}

type Compared = Omit<ComparedCheckpoint, 'name'> & {
  readonly cosines: CheckpointComparison['cosines'][number];
  /** Row lengths. */
  readonly norms: ByRole<Float32Array | null>;
};
type ByRole<Value> = Record<Role, Value>;

/** Compares the tables that both have. */
function haveOneShape(one: ComparedSubject, other: ComparedSubject): boolean {
  return ROLES.every((role) => {
    const [mine, theirs] = [one.tables[role], other.tables[role]];
    return !mine || !theirs || areOfOneShape(mine, theirs);
  });
}

function agreementOf(
  [before, earlier]: readonly [ComparedSubject, Compared],
  [after, later]: readonly [ComparedSubject, Compared],
): ByRole<LengthAgreement | null> {
  const of = (role: Role): LengthAgreement | null => {
    const [one, other] = [earlier.norms[role], later.norms[role]];
    if (one === null || other === null) return null;
    // A table may have fewer rows than there are strings.
    const names = (tokens: ComparedSubject['tokens'], { length }: Float32Array): readonly string[] =>
      (tokens ?? []).slice(0, length);
    return lengthAgreement(one, other, sharedIds(names(before.tokens, one), names(after.tokens, other)));
  };
  const input = of('input');
  return { input, output: isOneTable(before) && isOneTable(after) ? input : of('output') };
}

/** Sums over two tables that are read in step, or over one. */
interface Sums {
  readonly sums: TableSums;
  readonly of: readonly TableFacts[];
  readonly lengths: readonly [Float32Array, Float32Array];
  readonly products: Float32Array;
  readonly distances: Float32Array;
}

/** The sums of a pass, by role: of each checkpoint, and of both together. */
interface Begun {
  readonly earlier: ByRole<Sums | null> | null;
  readonly later: ByRole<Sums | null>;
  readonly changes: ByRole<Sums | null>;
}

/** One checkpoint and the one that it is compared with; the first checkpoint has none before it. */
class Pass {
  readonly #made: Sums[] = [];
  readonly #decoder: Decoder;
  readonly #before: ComparedSubject | null;
  readonly #after: ComparedSubject;
  readonly #range: Range;
  /** Whether to measure the one before as well, which is then the first of all. */
  readonly #isFirst: boolean;
  /** Progress of the reading, by number of rows. */
  readonly #soFar = new Map<number, PartsSoFar>();
  #begun: Begun | null = null;

  constructor(
    decoder: Decoder,
    [before, after, range, isFirst]: readonly [ComparedSubject | null, ComparedSubject, Range, boolean],
  ) {
    this.#decoder = decoder;
    this.#before = before;
    this.#after = after;
    this.#range = range;
    this.#isFirst = isFirst;
  }

  /** Continues where an interrupted call stopped. */
  async run(options: CheckedComparison): Promise<Compared[]> {
    const [before, after] = [this.#before, this.#after];
    const { earlier, later, changes } = (this.#begun ??= await this.#begin());
    await this.#read(options);
    const none = { input: null, output: null };
    return [
      ...(earlier ? [await this.#compared(before!, earlier, none, options)] : []),
      await this.#compared(after, later, changes, options),
    ];
  }

  /** Whether all of its sums have been created. */
  get hasBegun(): boolean {
    return this.#begun !== null;
  }

  dispose(): void {
    for (const { sums } of this.#made) sums.dispose();
  }

  async #begin(): Promise<Begun> {
    const [before, after] = [this.#before, this.#after];
    const earlier = before && this.#isFirst ? await this.#own(before) : null;
    const later = await this.#own(after);
    if (before === null) return { earlier, later, changes: { input: null, output: null } };
    const input = await this.#both(before.tables.input, after.tables.input);
    // If both have a single table, the second change equals the first.
    const areSingle = isOneTable(before) && isOneTable(after);
    const output = areSingle ? input : await this.#both(before.tables.output, after.tables.output);
    return { earlier, later, changes: { input, output } };
  }

  async #start(...of: readonly TableFacts[]): Promise<Sums> {
    const { rows, cols } = of[0]!.table;
    const sums = await this.#decoder.startTableSums({
      ...{ cols, tied: of.length === 1, narrow: areNarrow(of.map(({ table }) => table)) },
    });
    const made: Sums = {
      ...{ sums, of, products: new Float32Array(rows), distances: new Float32Array(rows) },
      lengths: [new Float32Array(rows), new Float32Array(rows)],
    };
    this.#made.push(made);
    return made;
  }

  /** The sums with a table of each role; the same sums if the tables are a pair of one shape. */
  async #own(subject: ComparedSubject): Promise<ByRole<Sums | null>> {
    const { input, output } = subject.tables;
    if (!isOneTable(subject) && areMeasuredTogether(subject.facts.tying, input, output)) {
      const both = await this.#start(input!, output!);
      return { input: both, output: both };
    }
    const first = input && (await this.#start(input));
    return { input: first, output: isOneTable(subject) ? first : output && (await this.#start(output)) };
  }

  async #both(before: TableFacts | null, after: TableFacts | null): Promise<Sums | null> {
    return before && after ? this.#start(before, after) : null;
  }

  /** The tables of a checkpoint may differ in rows. Tables with equally many are read in step, one group after the other. */
  async #read(options: CheckedComparison): Promise<void> {
    const rowsOf = ({ of }: Sums): number => of[0]!.table.rows;
    const counts = [...new Set(this.#made.map(rowsOf))];
    const total = counts.reduce((sum, rows) => sum + rows, 0);
    const [begin, end] = this.#range;
    let done = 0;
    for (const rows of counts) {
      const before = done;
      const onRows = (read: number): void => options.onProgress?.(begin + (end - begin) * ((before + read) / total));
      await this.#readInStep(
        this.#made.filter((made) => rowsOf(made) === rows),
        onRows,
        options,
      );
      done += rows;
    }
  }

  async #readInStep(
    group: readonly Sums[],
    onRows: (read: number) => void,
    { signal }: CheckedComparison,
  ): Promise<void> {
    const tables = [...new Set(group.flatMap(({ of }) => of.map(({ table }) => table)))];
    const work = group.reduce((sum, { of }) => sum + workOf(of[0]!.table.cols, of.length === 1), 0);
    const { rows } = tables[0]!;
    const soFar = this.#soFar.get(rows) ?? noParts();
    this.#soFar.set(rows, soFar);
    const add = async (at: number, count: number, parts: readonly StoredRows[]): Promise<void> => {
      for (const made of group) {
        const { sums, of, lengths, products, distances } = made;
        const [one, other] = of.map(({ table }) => parts[tables.indexOf(table)]!);
        const added = await inTables(made, () => sums.add(count, one!, other));
        lengths[0].set(added.input, at);
        lengths[1].set(added.output, at);
        products.set(added.products, at);
        distances.set(added.distances, at);
      }
      if (!isOver && signal?.aborted !== true) onRows(at + count);
    };
    let isOver = false;
    try {
      await eachPart(tables, work, signal, add, soFar);
    } finally {
      isOver = true;
    }
  }

  async #compared(
    subject: ComparedSubject,
    own: ByRole<Sums | null>,
    changes: ByRole<Sums | null>,
    options: CheckedComparison,
  ): Promise<Compared> {
    const tokenOf = (id: number): CardToken => ({ id, text: subject.tokens?.[id] ?? null });
    const tables: ByRole<IdentityTable | null> = { input: null, output: null };
    const change: ByRole<TableChange | null> = { input: null, output: null };
    const cosines: ByRole<Float32Array | null> = { input: null, output: null };
    const norms: ByRole<Float32Array | null> = { input: null, output: null };
    for (const role of ROLES) {
      const [facts, made, changed] = [subject.tables[role], own[role], changes[role]];
      if (facts === null || made === null) continue;
      const isAgain = role === 'output' && isOneTable(subject);
      // If sums cover two tables, the second is the output table.
      const place = role === 'output' && made.of.length === 2 ? 1 : 0;
      norms[role] = made.lengths[place];
      tables[role] = isAgain
        ? { ...tables.input!, ...facts.tensor }
        : await tableOf(
            facts,
            await asked(made, options, (sums) => sums.table(ROLES[place])),
            made.lengths[place],
            tokenOf,
          );
      if (isAgain && changed === changes.input) [change.output, cosines.output] = [change.input, cosines.input];
      else if (changed !== null) [change[role], cosines[role]] = await this.#change(changed, tokenOf, options);
    }
    const hasPath = own.input !== null && own.input === own.output;
    const asymmetry = hasPath ? await asked(own.input!, options, (sums) => sums.asymmetry(false)) : null;
    return { ...subject.facts, tables, asymmetry, change, lengths: null, cosines, norms };
  }

  async #change(
    made: Sums,
    tokenOf: (id: number) => CardToken,
    options: CheckedComparison,
  ): Promise<[TableChange, Float32Array]> {
    const { lengths, products, distances } = made;
    const [before, after] = lengths;
    const { distance, cosineByChance } = await asked(made, options, (sums) => sums.drift());
    const aligned = await asked(made, options, (sums) => sums.alignment(options.seed));
    const cosines = products.map((product, id) => {
      const length = before[id]! * after[id]!;
      // Because lengths are rounded, it may slightly exceed 1.
      return length > 0 ? Math.max(-1, Math.min(1, product / length)) : NaN;
    });
    const known = cosines.filter((cosine) => !Number.isNaN(cosine));
    const change: TableChange = {
      distance,
      differingRows: distances.reduce((sum, distance) => sum + (distance > 0 ? 1 : 0), 0),
      rows: distances.length,
      moved: greatestOf(distances).map((id) => ({
        ...{ token: tokenOf(id), distance: distances[id]! },
        ...{ before: before[id]!, after: after[id]! },
      })),
      meanCosine: known.reduce((sum, cosine) => sum + cosine, 0) / known.length,
      meanCosineNull: cosineByChance,
      cosineQuantiles: known.length === 0 ? [] : normQuantiles(known),
      cosineBands: normBands(cosines),
      turned: leastOf(cosines, known).map((id) => ({
        ...{ token: tokenOf(id), cosine: cosines[id]! },
        ...{ before: before[id]!, after: after[id]! },
      })),
      rotated: 'problem' in aligned ? null : { cosine: aligned.cosine, null: aligned.null.mean },
    };
    return [change, cosines];
  }
}

/** Checks the signal after each result. */
async function asked<Answer>(
  made: Sums,
  { signal }: CheckedComparison,
  ask: (sums: TableSums) => Answer | Promise<Answer>,
): Promise<Answer> {
  const found = await inTables(made, () => ask(made.sums));
  await pause();
  throwIfAborted(signal);
  return found;
}

/** The ids of the least cosines, ascending. Only a few are sorted by id: a vocabulary may have 200,000. */
function leastOf(cosines: Float32Array, known: Float32Array): number[] {
  const last = known.slice().sort()[Math.min(MOST_TURNED, known.length) - 1]!;
  const ids: number[] = [];
  cosines.forEach((cosine, id) => {
    if (cosine < last) ids.push(id);
  });
  for (let id = 0; ids.length < Math.min(MOST_TURNED, known.length); id++) if (cosines[id] === last) ids.push(id);
  return ids.sort((one, other) => cosines[one]! - cosines[other]! || one - other);
}

/** The ids of the greatest distances, descending, without those of equal rows. */
function greatestOf(distances: Float32Array): number[] {
  const count = Math.min(MOST_TURNED, distances.length);
  const last = distances.slice().sort().at(-count)!;
  const ids: number[] = [];
  distances.forEach((distance, id) => {
    if (distance > last) ids.push(id);
  });
  for (let id = 0; ids.length < count; id++) if (distances[id] === last) ids.push(id);
  return ids
    .filter((id) => distances[id]! > 0)
    .sort((one, other) => distances[other]! - distances[one]! || one - other);
}

/** Adds the name of the tensor to errors. */
async function inTables<Answer>({ of }: Sums, ask: () => Answer | Promise<Answer>): Promise<Answer> {
  try {
    return await ask();
  } catch (error) {
    throw inTable(error, of[0]!, of[1]);
  }
}

const isOneTable = ({ tables: { input, output } }: ComparedSubject): boolean =>
  input !== null && input.table === output?.table;

function notesOf(subjects: readonly ComparedSubject[], found: readonly Compared[]): string[] {
  const apart = found.filter(({ lengths }) => lengths !== null).length;
  const ofShapes =
    apart === 0
      ? []
      : [
          `${apart === 1 ? 'One checkpoint has tables' : `${apart} checkpoints have tables`} of another shape: ${apart === 1 ? 'its' : 'their'} measures are listed with the others, but of ${apart === 1 ? 'its' : 'their'} rows only the lengths are compared, by token string.`,
        ];
  return [...ofShapes, ...notesOfStrings(subjects, found)];
}

/** Notes if rows are compared by id. */
function notesOfStrings(subjects: readonly ComparedSubject[], found: readonly Compared[]): string[] {
  const [first, ...others] = subjects.filter((_, at) => found[at]!.lengths === null).map(({ tokens }) => tokens);
  if (!first) return [];
  const differing = others.reduce(
    (most, tokens) => Math.max(most, tokens?.reduce((sum, token, id) => sum + (token === first[id] ? 0 : 1), 0) ?? 0),
    0,
  );
  if (differing === 0) return [];
  return [`Up to ${differing} ids stand for different strings than in the first: rows are compared by id.`];
}
