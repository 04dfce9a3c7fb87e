import { hypot } from '../../core/runtime/elementary.js';
import type { Lab, Matrix } from '../../core/types.js';
import type { OpenedTwins } from '../shared/model-twins.js';
import { readPrompt } from '../shared/prompt.js';

/** The tables whose rows hidden states are compared with: the tied model's, and both of the untied model. */
export const tableNames = ['tied', 'writing', 'reading'] as const;
export type TableName = (typeof tableNames)[number];
/** Which row to compare with: the one of the token that the model predicts, or of the one that follows in the text. */
export const targets = ['predicted', 'next'] as const;
export type Target = (typeof targets)[number];
/** Hidden states after the final norm, from which the logits are computed, or before it. */
export const places = ['after', 'before'] as const;
export type Place = (typeof places)[number];
export type PerTable<Value> = Readonly<Record<TableName, Value>>;

export interface Medians {
  readonly ratio: number;
  readonly other: number;
  readonly centeredOther: number;
}

/** A hidden state compared with the row of its target. */
export interface Beside {
  readonly target: string;
  readonly cosine: number;
  /** |h⊥| / |h∥| */
  readonly ratio: number;
  /** The largest |cosine| of h⊥ with another row. */
  readonly other: number;
}

export interface Split {
  readonly positions: readonly Beside[];
  /** Over the positions; for `centeredOther`, with the mean row subtracted from the rows. */
  readonly median: Medians;
  /** The median ratio for the row of another position's target, a stricter chance level than a random direction. */
  readonly otherPosition: number;
}

/** The measurement of a prompt, as plain JSON data. */
export interface Measured {
  readonly prompt: string;
  readonly tokens: readonly string[];
  /** Whether the prompt is longer than the models can process. */
  readonly cut: boolean;
  /** Words of the prompt that the models do not know. */
  readonly leftOut?: readonly string[];
  readonly splits: PerTable<Readonly<Record<Place, Readonly<Record<Target, Split>>>>>;
  /** √(d - 1): two of three random directions have a ratio above it. */
  readonly baseline: number;
  /** Medians for random directions. */
  readonly chance: PerTable<Medians>;
}

export const perTable = <Value>(of: (name: TableName) => Value): PerTable<Value> => ({
  tied: of('tied'),
  writing: of('writing'),
  reading: of('reading'),
});

async function settled<Value>(values: PerTable<Promise<Value>>): Promise<PerTable<Value>> {
  const [tied, writing, reading] = await Promise.all([values.tied, values.writing, values.reading]);
  return { tied, writing, reading };
}

function medianOf(values: Float32Array): number {
  const sorted = values.filter((value) => !Number.isNaN(value)).sort();
  const middle = (sorted.length - 1) / 2;
  return ((sorted[Math.floor(middle)] ?? Number.NaN) + (sorted[Math.ceil(middle)] ?? Number.NaN)) / 2;
}

/** Null if the prompt has too few tokens for a next one. */
export async function measurePrompt(
  lab: Lab,
  twins: OpenedTwins,
  { prompt }: Pick<Measured, 'prompt'>,
): Promise<Measured | null> {
  const { ids, ...read } = await readPrompt(twins, prompt);
  if (ids.length < 2) return null;
  let baseline = Number.NaN;
  const splitOf = async (name: TableName, hidden: Matrix, of: Uint32Array): Promise<Split> => {
    // As many states as targets: the last one has no next token.
    const states = { rows: of.length, cols: hidden.cols, data: hidden.data.slice(0, of.length * hidden.cols) };
    const parts = await lab.decomposeHidden(states, twins.tables[name], of);
    const { parallel, orthogonal, ratio, medianRatio, maxOtherCosine, centeredMaxOtherCosine } = parts;
    const otherPosition = parts.null.medianRatio;
    ({ baseline } = parts);
    return {
      positions: Array.from(of, (id, at) => ({
        target: twins.tokens[id] ?? '',
        cosine: parallel[at]! / hypot(parallel[at]!, orthogonal[at]!),
        ratio: ratio[at]!,
        other: maxOtherCosine[at]!,
      })),
      median: { ratio: medianRatio, other: medianOf(maxOtherCosine), centeredOther: medianOf(centeredMaxOtherCosine) },
      otherPosition,
    };
  };
  const measured = perTable(async (name) => {
    const { before, after, predicted } = await twins.read(name === 'tied' ? 'tied' : 'untied', ids);
    const atPlace = async (hidden: Matrix): Promise<Record<Target, Split>> => ({
      predicted: await splitOf(name, hidden, predicted),
      next: await splitOf(name, hidden, ids.slice(1)),
    });
    return { after: await atPlace(after), before: await atPlace(before) };
  });
  const rows = Uint32Array.from({ length: twins.random.rows }, (_, id) => id);
  const chances = perTable(async (name) => (await splitOf(name, twins.random, rows)).median);
  const [splits, chance] = await Promise.all([settled(measured), settled(chances)]);
  return { prompt, ...read, splits, baseline, chance };
}
