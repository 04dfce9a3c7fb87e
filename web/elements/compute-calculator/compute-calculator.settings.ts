import type { Precision } from '../../core/accounting/types.js';
import { group, type Panel } from '../shared/settings/panel-parts.js';
import { choice, number, text, type Values, type ValuesOf } from '../shared/settings/setting.js';

/** What the memory of training is for. */
export const memoryParts = ['weights', 'gradients', 'optimizer', 'activations', 'logits'] as const;
export type MemoryPart = (typeof memoryParts)[number];

export const precisions = ['float32', 'mixed', 'bfloat16'] as const satisfies readonly Precision[];
export const optimizers = ['adamw', 'sgd-momentum', 'sgd'] as const;
export type Optimizer = (typeof optimizers)[number];

/** Decimals for three significant digits. */
const decimals = (value: number): number => (value >= 100 ? 0 : value >= 10 ? 1 : value >= 1 ? 2 : 3);
const step = (value: number): number => Math.max(0.001, Number((value / 50).toPrecision(1)));

const count = (initial: number, label: string, mostOnSlider: number) =>
  number(initial, {
    min: 1,
    whole: true,
    link: 'always',
    label,
    control: { slider: 'log', between: [1, mostOnSlider] },
  });
const rate = (initial: number, label: string, unit: { name: string; size: number }) =>
  number(initial, { positive: true, label, control: { unit, typed: [0.001, 1e9], step, decimals } });

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 1;

/** '2000 8000' or '2000,8000' -> [2000, 8000]; null if it is not two increasing integers. */
export function parseCutoffs(text: string): readonly [number, number] | null {
  const [first, second, ...more] = text
    .trim()
    .split(/[\s,;]+/)
    .map(Number);
  return isCount(first) && isCount(second) && first < second && more.length === 0 ? [first, second] : null;
}

/** The default batch: the one of a published example, on a machine with round numbers. */
export const batchSettings = {
  /** B. */
  sequences: count(4, 'sequences', 4096),
  /** T, per sequence. */
  tokens: count(128, 'tokens', 131_072),
  precision: choice(precisions, { label: 'precision', control: { names: 'precisionName' } }),
  optimizer: choice(optimizers, { label: 'optimizer', control: { names: 'optimizerName' } }),
  flopPerSecond: rate(1e14, 'flopPerSecond', { name: 'flopUnit', size: 1e12 }),
  bytesPerSecond: rate(1e12, 'bytesPerSecond', { name: 'bytesUnit', size: 1e9 }),
};

const headSize = number(null, { min: 1, whole: true, unset: 'fromVocabulary' });

/** Sizes of other heads; null = follows from the vocabulary. */
export const headSettings = {
  /** Tokens besides the target. */
  sampled: headSize,
  /** Two increasing ids, as in '2000 8000'. */
  adaptive: text(null, {
    accepts: (cutoffs) => parseCutoffs(cutoffs) !== null,
    expected: 'expectedCutoffs',
    unset: 'fromVocabulary',
  }),
  /** Tokens that remain. */
  culled: headSize,
  clustered: headSize,
};

/** The fields for these sizes, with the sizes in use; their values and limits follow from the vocabulary. */
const sizeField = (label: string, min: number | Limit, max: Limit, applies: (values: Values) => boolean = () => true) =>
  number(1, {
    min,
    max,
    whole: true,
    label,
    control: { step: (value) => Math.max(1, Number((value / 50).toPrecision(1))) },
    applies,
  });
type Limit = (values: Values) => number;
const below =
  (name: string, distance: number): Limit =>
  (values) =>
    Number(values[name]) - distance;
const hasAdaptive = (values: Values): boolean => values['hasAdaptive'] === true;

export const headFields = {
  sampled: sizeField('sampledField', 1, below('vocabSize', 1)),
  adaptiveFirst: sizeField('adaptiveFirst', 1, below('adaptiveSecond', 1), hasAdaptive),
  adaptiveSecond: sizeField('adaptiveSecond', below('adaptiveFirst', -1), below('vocabSize', 1), hasAdaptive),
  culled: sizeField('culledField', 1, below('vocabSize', 0)),
  clustered: sizeField('clusteredField', 1, below('vocabSize', 0)),
};

export const computeSettings = { ...batchSettings, ...headSettings };
export type BatchSettings = Readonly<ValuesOf<typeof batchSettings>>;
export type HeadSettings = Readonly<ValuesOf<typeof headSettings>>;

export const batchPanel = [
  group(
    'rest',
    group('batch', 'sequences', 'tokens'),
    group('row choices', 'precision', 'optimizer', 'flopPerSecond', 'bytesPerSecond'),
  ),
] satisfies Panel<keyof typeof batchSettings>;
export const headsPanel = [group('fields', ...(Object.keys(headFields) as (keyof typeof headFields)[]))];
