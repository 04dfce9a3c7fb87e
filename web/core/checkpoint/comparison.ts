/** Checkpoints beside each other: one pass over the rows for each, which are read in step with those that it is compared with. */
import type {
  CheckpointComparison,
  CheckpointComparisonData,
  ComparedCheckpoint,
  LengthAgreement,
  TableChange,
} from '../checkpoint-comparison-types.js';
import type { CardToken, IdentityTable } from '../identity-card-types.js';
import { comparisonMarkdown } from './comparison-markdown.js';
import type { CheckedComparison } from './comparison-options.js';
import type { Decoder } from './decoder.js';
import { inTable, tableOf, type CardSubject, type Role, type TableFacts } from './identity-card.js';
import { lengthAgreement, sharedIds } from './length-agreement.js';
import { normBands, normQuantiles } from './norms.js';
import { pause } from '../pause.js';
import { eachPart, workOf } from './row-parts.js';
import { throwIfAborted } from './source.js';
import type { TableSums } from './table-sums.js';

const MOST_TURNED = 20;

export type ComparedSubject = Pick<CardSubject, 'facts' | 'tables' | 'tokens'>;

const ROLES = ['input', 'output'] as const;

/** `subjects`: at least two. Those with tables of another shape than what they are compared with have token strings in common with it. */
export async function compareCheckpoints(
  subjects: readonly ComparedSubject[],
  decoder: Decoder,
  options: CheckedComparison,
): Promise<CheckpointComparison> {
  const { against, seed, names } = options;
  const found: Compared[] = [];
  for (let at = 1; at < subjects.length; at++) {
    const place = against === 'first' ? 0 : at - 1;
    const [before, after] = [subjects[place]!, subjects[at]!];
    const range = [(at - 1) / (subjects.length - 1), at / (subjects.length - 1)] as const;
    if (haveOneShape(before, after)) {
      found.push(...(await new Pass(decoder, options).run(before, after, at === 1, range)));
      continue;
    }
    const middle = at === 1 ? (range[0] + range[1]) / 2 : range[0];
    if (at === 1) found.push(await new Pass(decoder, options).alone(before, [range[0], middle]));
    const alone = await new Pass(decoder, options).alone(after, [middle, range[1]]);
    found.push({ ...alone, lengths: agreementOf([before, found[place]!], [after, alone]) });
  }
  const data: CheckpointComparisonData = {
    ...{ against, seed },
    checkpoints: found.map(({ cosines: _, norms: __, ...one }, at) => ({ name: names[at] ?? String(at + 1), ...one })),
    notes: notesOf(subjects, found),
  };
  return { data, markdown: comparisonMarkdown(data), cosines: found.map(({ cosines }) => cosines) };
}

type Compared = Omit<ComparedCheckpoint, 'name'> & {
  readonly cosines: CheckpointComparison['cosines'][number];
  /** Lengths of the rows. */
  readonly norms: ByRole<Float32Array | null>;
};
type ByRole<Value> = Record<Role, Value>;

/** Of the tables that both have. */
export function haveOneShape(one: ComparedSubject, other: ComparedSubject): boolean {
  return ROLES.every((role) => {
    const [mine, theirs] = [one.tables[role]?.table, other.tables[role]?.table];
    return !mine || !theirs || (mine.rows === theirs.rows && mine.cols === theirs.cols);
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

/** Sums of two tables that are read in step, or of one. */
interface Sums {
  readonly sums: TableSums;
  readonly of: readonly TableFacts[];
  readonly lengths: readonly [Float32Array, Float32Array];
  readonly products: Float32Array;
}

/** One checkpoint beside the one that it is compared with. */
class Pass {
  readonly #made: Sums[] = [];
  readonly #decoder: Decoder;
  readonly #options: CheckedComparison;

  constructor(decoder: Decoder, options: CheckedComparison) {
    this.#decoder = decoder;
    this.#options = options;
  }

  /** `isFirst`: also measures `before`, which comes first then. */
  async run(
    before: ComparedSubject,
    after: ComparedSubject,
    isFirst: boolean,
    range: readonly [number, number],
  ): Promise<Compared[]> {
    try {
      const own = isFirst ? await this.#own(before) : null;
      const later = await this.#own(after);
      const input = await this.#both(before.tables.input, after.tables.input);
      // Of one table in each, the second change is the first again.
      const areSingle = isOneTable(before) && isOneTable(after);
      const output = areSingle ? input : await this.#both(before.tables.output, after.tables.output);
      await this.#read(range);
      const none = { input: null, output: null };
      return [
        ...(own ? [await this.#compared(before, own, none)] : []),
        await this.#compared(after, later, { input, output }),
      ];
    } finally {
      for (const { sums } of this.#made) sums.dispose();
    }
  }

  /** Its own measures. */
  async alone(subject: ComparedSubject, range: readonly [number, number]): Promise<Compared> {
    try {
      const own = await this.#own(subject);
      await this.#read(range);
      return await this.#compared(subject, own, { input: null, output: null });
    } finally {
      for (const { sums } of this.#made) sums.dispose();
    }
  }

  async #start(...of: readonly TableFacts[]): Promise<Sums> {
    const { rows, cols } = of[0]!.table;
    const sums = await this.#decoder.startTableSums({ cols, tied: of.length === 1 });
    const made: Sums = {
      ...{ sums, of, products: new Float32Array(rows) },
      lengths: [new Float32Array(rows), new Float32Array(rows)],
    };
    this.#made.push(made);
    return made;
  }

  /** The sums with a table of each role: the same ones where they are of one width. */
  async #own(subject: ComparedSubject): Promise<ByRole<Sums | null>> {
    const { input, output } = subject.tables;
    if (input && output && !isOneTable(subject) && input.table.cols === output.table.cols) {
      const both = await this.#start(input, output);
      return { input: both, output: both };
    }
    const first = input && (await this.#start(input));
    return { input: first, output: isOneTable(subject) ? first : output && (await this.#start(output)) };
  }

  async #both(before: TableFacts | null, after: TableFacts | null): Promise<Sums | null> {
    return before && after ? this.#start(before, after) : null;
  }

  async #read([begin, end]: readonly [number, number]): Promise<void> {
    const { onProgress, signal } = this.#options;
    const tables = [...new Set(this.#made.flatMap(({ of }) => of.map(({ table }) => table)))];
    const work = this.#made.reduce((sum, { of }) => sum + workOf(of[0]!.table.cols, of.length === 1), 0);
    const { rows } = tables[0]!;
    await eachPart(tables, work, signal, async (at, count, parts) => {
      for (const made of this.#made) {
        const { sums, of, lengths, products } = made;
        const [one, other] = of.map(({ table }) => parts[tables.indexOf(table)]!);
        const added = await inTables(made, () => sums.add(count, one!, other));
        lengths[0].set(added.input, at);
        lengths[1].set(added.output, at);
        products.set(added.products, at);
      }
      if (signal?.aborted !== true) onProgress?.(begin + (end - begin) * ((at + count) / rows));
    });
  }

  async #compared(subject: ComparedSubject, own: ByRole<Sums | null>, changes: ByRole<Sums | null>): Promise<Compared> {
    const tokenOf = (id: number): CardToken => ({ id, text: subject.tokens?.[id] ?? null });
    const tables: ByRole<IdentityTable | null> = { input: null, output: null };
    const change: ByRole<TableChange | null> = { input: null, output: null };
    const cosines: ByRole<Float32Array | null> = { input: null, output: null };
    const norms: ByRole<Float32Array | null> = { input: null, output: null };
    for (const role of ROLES) {
      const [facts, made, changed] = [subject.tables[role], own[role], changes[role]];
      if (facts === null || made === null) continue;
      const isAgain = role === 'output' && isOneTable(subject);
      // Of two tables in one sums, the second is the output table.
      const place = role === 'output' && made.of.length === 2 ? 1 : 0;
      norms[role] = made.lengths[place];
      tables[role] = isAgain
        ? { ...tables.input!, ...facts.tensor }
        : tableOf(facts, await this.#asked(made, (sums) => sums.table(ROLES[place])), made.lengths[place], tokenOf);
      if (isAgain && changed === changes.input) [change.output, cosines.output] = [change.input, cosines.input];
      else if (changed !== null) [change[role], cosines[role]] = await this.#change(changed, tokenOf);
    }
    const hasPath = own.input !== null && own.input === own.output;
    const asymmetry = hasPath ? await this.#asked(own.input!, (sums) => sums.asymmetry(false)) : null;
    return { ...subject.facts, tables, asymmetry, change, lengths: null, cosines, norms };
  }

  async #change(made: Sums, tokenOf: (id: number) => CardToken): Promise<[TableChange, Float32Array]> {
    const { lengths, products } = made;
    const [before, after] = lengths;
    const { distance, cosineByChance } = await this.#asked(made, (sums) => sums.drift());
    const aligned = await this.#asked(made, (sums) => sums.alignment(this.#options.seed));
    const cosines = products.map((product, id) => {
      const length = before[id]! * after[id]!;
      // Rounded lengths may make it a little more than 1.
      return length > 0 ? Math.max(-1, Math.min(1, product / length)) : NaN;
    });
    const known = cosines.filter((cosine) => !Number.isNaN(cosine));
    const change: TableChange = {
      distance,
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

  /** A signal is heard after each result. */
  async #asked<Answer>(made: Sums, ask: (sums: TableSums) => Answer | Promise<Answer>): Promise<Answer> {
    const found = await inTables(made, () => ask(made.sums));
    await pause();
    throwIfAborted(this.#options.signal);
    return found;
  }
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

/** Says of which tensor. */
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
          `${apart === 1 ? 'One checkpoint has tables' : `${apart} checkpoints have tables`} of another shape: ${apart === 1 ? 'its' : 'their'} measures stand beside the others, and of rows only the lengths are compared, by token string.`,
        ];
  return [...ofShapes, ...notesOfStrings(subjects, found)];
}

/** Where rows of one id are compared. */
function notesOfStrings(subjects: readonly ComparedSubject[], found: readonly Compared[]): string[] {
  const [first, ...others] = subjects.filter((_, at) => found[at]!.lengths === null).map(({ tokens }) => tokens);
  if (!first) return [];
  const differing = others.reduce(
    (most, tokens) => Math.max(most, tokens?.reduce((sum, token, id) => sum + (token === first[id] ? 0 : 1), 0) ?? 0),
    0,
  );
  if (differing === 0) return [];
  return [`Up to ${differing} ids stand for other strings than in the first: rows of one id are compared.`];
}
