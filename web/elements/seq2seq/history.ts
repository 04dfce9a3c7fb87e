/** What is known about the models of a run: plain data, from a run in the page or from one that was trained earlier. */

/** How the three tables of an encoder-decoder are shared: as one table, as two, or not at all. */
export const tyings = ['all', 'decoder', 'none'] as const;
export type Tying = (typeof tyings)[number];

/** The roles in which tables read or write tokens; each role pulls on its table. */
export const roles = ['encoder', 'input', 'output'] as const;
export type Role = (typeof roles)[number];

/** The roles of each table of a model. */
export const tablesOf: Readonly<Record<Tying, readonly (readonly Role[])[]>> = {
  all: [['encoder', 'input', 'output']],
  decoder: [['encoder'], ['input', 'output']],
  none: [['encoder'], ['input'], ['output']],
};

/** The tables of two roles, if they are separate. */
export const tableComparisons = ['encoder-input', 'encoder-output', 'input-output'] as const;
export type ComparedTables = (typeof tableComparisons)[number];
export const rolesCompared: Readonly<Record<ComparedTables, readonly [Role, Role]>> = {
  'encoder-input': ['encoder', 'input'],
  'encoder-output': ['encoder', 'output'],
  'input-output': ['input', 'output'],
};

/** The comparisons of a model's different tables, each once. */
export function comparedTables(tying: Tying): ComparedTables[] {
  const first = (role: Role): Role => tablesOf[tying].find((sharing) => sharing.includes(role))![0]!;
  return tableComparisons.filter((compared) => {
    const [one, other] = rolesCompared[compared];
    return first(one) === one && first(other) === other;
  });
}

/** The mean cosine between the two rows of each token in two tables, after subtracting each table's mean row. */
export interface Alignment {
  readonly cosine: number;
  /** The same, with the rows of one table in random orders. */
  readonly chance: { readonly mean: number; readonly least: number; readonly most: number };
}

export interface Example {
  readonly source: string;
  readonly target: string;
}

/** What a model writes for an example. */
export interface Written {
  readonly text: string;
  /** [written tokens and their end, source tokens]: what the decoder attends to as it writes, averaged over heads. */
  readonly attention: { readonly rows: number; readonly cols: number; readonly data: ArrayLike<number> };
}

/** A model after some steps, evaluated on pairs that it is not trained on. */
export interface Moment {
  readonly step: number;
  /** Nats per token. */
  readonly loss: number;
  /** The fraction of targets written without a mistake. */
  readonly exactMatch: number;
  /** Edits per character of the targets. */
  readonly characterErrorRate: number;
  /** ‖W - W₀‖ / ‖W₀‖ for the table of each role. */
  readonly drift: Readonly<Record<Role, number>>;
  /** For each comparison of different tables. */
  readonly alignment: Readonly<Partial<Record<ComparedTables, Alignment>>>;
  /** One for each example. */
  readonly written: readonly Written[];
}

export const metrics = ['exact-match', 'character-error-rate', 'loss'] as const;
export type Metric = (typeof metrics)[number];

export const measured = (moment: Moment, metric: Metric): number =>
  moment[
    ({ 'exact-match': 'exactMatch', 'character-error-rate': 'characterErrorRate', loss: 'loss' } as const)[metric]
  ];

export interface ModelHistory {
  readonly tying: Tying;
  /** Parameters of the whole model; `tableParameters`: of its tables only. */
  readonly parameters: number;
  readonly tableParameters: number;
  /** Norms of the gradient by role; the first one is for step 1. */
  readonly norms: Readonly<Record<Role, readonly number[]>>;
  readonly moments: readonly Moment[];
}

/** What determines a run, to the bit. */
export interface Plan {
  readonly task: string;
  /** Letters per word, if the task has a length. */
  readonly length: number | null;
  readonly seed: number;
  readonly tyings: readonly Tying[];
  /** The reader's pairs; null for any other task. */
  readonly lines: string | null;
}

export interface History {
  readonly plan: Plan;
  readonly vocabSize: number;
  readonly dModel: number;
  /** Pairs that are not trained on. */
  readonly heldOut: number;
  /** How many of the reader's pairs are too long. */
  readonly leftOut: number;
  readonly examples: readonly Example[];
  readonly models: readonly ModelHistory[];
}

export const samePlan = (a: Plan, b: Plan): boolean => JSON.stringify(a) === JSON.stringify(b);

/** The number of steps that all models have done. */
export const stepOf = ({ models }: History): number => Math.min(...models.map(({ norms }) => norms.output.length));

/** The number of steps over which a pull is averaged, because single steps fluctuate. */
const window = 10;

/**
 * The share of each role in the norms of the gradient at a step, averaged over the last steps; null before the first.
 */
export function pullAt({ norms }: Pick<ModelHistory, 'norms'>, step: number): Readonly<Record<Role, number>> | null {
  const to = Math.min(Math.max(step, 1), norms.output.length);
  const from = Math.max(0, to - window);
  const sumOf = (role: Role): number => norms[role].slice(from, to).reduce((sum, norm) => sum + norm, 0);
  const all = roles.reduce((sum, role) => sum + sumOf(role), 0);
  if (!(all > 0)) return null;
  return { encoder: sumOf('encoder') / all, input: sumOf('input') / all, output: sumOf('output') / all };
}

/** The fractions of a run after which models are measured: most happens early. */
const shares = [0, 0.04, 0.08, 0.12, 0.16, 0.2, 0.24, 0.28, 0.32, 0.36, 0.4, 0.45, 0.5, 0.6, 0.7, 0.8, 0.9, 1];

export const momentSteps = (steps: number): number[] => [...new Set(shares.map((share) => Math.round(share * steps)))];

/** At most `most` of `count` positions, evenly spaced, including the first, the last and `chosen`. */
export function spread(count: number, most: number, chosen = 0): number[] {
  if (count <= most) return Array.from({ length: count }, (_, at) => at);
  const positions = Array.from({ length: most }, (_, at) => Math.round((at * (count - 1)) / (most - 1)));
  if (positions.includes(chosen)) return positions;
  // The chosen one takes the place of its neighbor, and neither that of the first nor of the last.
  const after = positions.findIndex((position) => position > chosen);
  positions[Math.min(after, most - 2)] = chosen;
  return positions.sort((a, b) => a - b);
}

/** A part of what was written, and whether it is as in the target. */
export interface Mark {
  readonly text: string;
  readonly right: boolean;
}

/**
 * What was written, split into right and wrong characters, according to the smallest number of edits that lead to the
 * target.
 */
export function marksOf(written: string, target: string): Mark[] {
  const [a, b] = [[...written], [...target]];
  const width = b.length + 1;
  const edits = new Uint16Array((a.length + 1) * width);
  const at = (i: number, j: number): number => edits[i * width + j]!;
  for (let i = 0; i <= a.length; i++) {
    for (let j = 0; j <= b.length; j++) {
      edits[i * width + j] =
        i === 0 || j === 0
          ? i + j
          : Math.min(at(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1), at(i - 1, j) + 1, at(i, j - 1) + 1);
    }
  }
  const rights = a.map(() => false);
  for (let [i, j] = [a.length, b.length]; i > 0 && j > 0;) {
    const same = a[i - 1] === b[j - 1];
    if (at(i, j) === at(i - 1, j - 1) + (same ? 0 : 1)) {
      rights[--i] = same;
      j--;
    } else if (at(i, j) === at(i - 1, j) + 1) i--;
    else j--;
  }
  const marks: Mark[] = [];
  for (const [index, text] of a.entries()) {
    const right = rights[index]!;
    const last = marks.at(-1);
    if (last?.right === right) marks[marks.length - 1] = { text: last.text + text, right };
    else marks.push({ text, right });
  }
  return marks;
}
