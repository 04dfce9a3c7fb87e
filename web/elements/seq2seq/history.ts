/** What is known of the models of a run: plain data, from a run in the page or from one that was trained earlier. */

/** How the three tables of an encoder-decoder are shared: in one table, in two, or not at all. */
export const tyings = ['all', 'decoder', 'none'] as const;
export type Tying = (typeof tyings)[number];

/** The places where tokens are read or written, each of which pulls on its table. */
export const roles = ['encoder', 'input', 'output'] as const;
export type Role = (typeof roles)[number];

/** The roles of each table of a model. */
export const tablesOf: Readonly<Record<Tying, readonly (readonly Role[])[]>> = {
  all: [['encoder', 'input', 'output']],
  decoder: [['encoder'], ['input', 'output']],
  none: [['encoder'], ['input'], ['output']],
};

/** Tables of two places, where they are two. */
export const tablePairs = ['encoder-input', 'encoder-output', 'input-output'] as const;
export type TablePair = (typeof tablePairs)[number];
export const rolesOfPair: Readonly<Record<TablePair, readonly [Role, Role]>> = {
  'encoder-input': ['encoder', 'input'],
  'encoder-output': ['encoder', 'output'],
  'input-output': ['input', 'output'],
};

/** The pairs of a model's different tables, each once. */
export function comparedPairs(tying: Tying): TablePair[] {
  const first = (role: Role): Role => tablesOf[tying].find((sharing) => sharing.includes(role))![0]!;
  return tablePairs.filter((pair) => {
    const [one, other] = rolesOfPair[pair];
    return first(one) === one && first(other) === other;
  });
}

/** The mean cosine of the rows that a token has in two tables, less the mean row of each. */
export interface Alignment {
  readonly cosine: number;
  /** The same with the rows of one of them in random orders. */
  readonly chance: { readonly mean: number; readonly least: number; readonly most: number };
}

export interface Example {
  readonly source: string;
  readonly target: string;
}

/** What a model makes of an example. */
export interface Written {
  readonly text: string;
  /** [written tokens and their end, source tokens]: where the decoder looks as it writes, mean over heads. */
  readonly attention: { readonly rows: number; readonly cols: number; readonly data: ArrayLike<number> };
}

/** A model after some steps, on pairs that it is not trained on. */
export interface Moment {
  readonly step: number;
  /** Nats per token. */
  readonly loss: number;
  /** Share of targets written without a mistake. */
  readonly exactMatch: number;
  /** Edits per character of the targets. */
  readonly characterErrorRate: number;
  /** ‖W - W₀‖ / ‖W₀‖ of the table of each place. */
  readonly drift: Readonly<Record<Role, number>>;
  /** Of the pairs of different tables. */
  readonly alignment: Readonly<Partial<Record<TablePair, Alignment>>>;
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
  /** Of the whole model, and of its tables alone. */
  readonly parameters: number;
  readonly tableParameters: number;
  /** Norms of the gradient by role; the first is that of step 1. */
  readonly norms: Readonly<Record<Role, readonly number[]>>;
  readonly moments: readonly Moment[];
}

/** What decides a run, to the bit. */
export interface Plan {
  readonly task: string;
  /** Letters of a word, where the task has a length. */
  readonly length: number | null;
  readonly seed: number;
  readonly tyings: readonly Tying[];
  /** The reader's pairs; null for a task. */
  readonly lines: string | null;
}

export interface History {
  readonly plan: Plan;
  readonly vocabSize: number;
  readonly dModel: number;
  /** Pairs that are not trained on. */
  readonly heldOut: number;
  /** Pairs of the reader's that are too long. */
  readonly leftOut: number;
  readonly examples: readonly Example[];
  readonly models: readonly ModelHistory[];
}

export const samePlan = (a: Plan, b: Plan): boolean => JSON.stringify(a) === JSON.stringify(b);

/** Steps done by all models. */
export const stepOf = ({ models }: History): number => Math.min(...models.map(({ norms }) => norms.output.length));

/** Steps over which a pull is averaged: single steps jump. */
const window = 10;

/** The share of each role in the norms of the gradient at a step, averaged over the steps before it; null before the first. */
export function pullAt({ norms }: Pick<ModelHistory, 'norms'>, step: number): Readonly<Record<Role, number>> | null {
  const to = Math.min(Math.max(step, 1), norms.output.length);
  const from = Math.max(0, to - window);
  const sumOf = (role: Role): number => norms[role].slice(from, to).reduce((sum, norm) => sum + norm, 0);
  const all = roles.reduce((sum, role) => sum + sumOf(role), 0);
  if (!(all > 0)) return null;
  return { encoder: sumOf('encoder') / all, input: sumOf('input') / all, output: sumOf('output') / all };
}

/** Shares of a run of `steps` after which models are measured: most happens early. */
const shares = [0, 0.04, 0.08, 0.12, 0.16, 0.2, 0.24, 0.28, 0.32, 0.36, 0.4, 0.45, 0.5, 0.6, 0.7, 0.8, 0.9, 1];

export const momentSteps = (steps: number): number[] => [...new Set(shares.map((share) => Math.round(share * steps)))];

/** At most `most` of `count` places, evenly, with the first and the last. */
export function spread(count: number, most: number): number[] {
  if (count <= most) return Array.from({ length: count }, (_, at) => at);
  return Array.from({ length: most }, (_, at) => Math.round((at * (count - 1)) / (most - 1)));
}

/** A part of what was written: whether it stands where the target has it. */
export interface Mark {
  readonly text: string;
  readonly right: boolean;
}

/** What was written, in runs of right and wrong characters, by the least number of edits that lead to the target. */
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
