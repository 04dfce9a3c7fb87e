import type { Precision } from '../../core/accounting-types.js';
import { choice, number, text, type ValuesOf } from '../shared/settings/setting.js';
import { parseCutoffs } from './batch.js';

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

/** The default batch: that of a published example, on a machine of round numbers. */
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

/** Sizes of other heads; null = chosen from the vocabulary. */
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

export const computeSettings = { ...batchSettings, ...headSettings };
export type BatchSettings = Readonly<ValuesOf<typeof batchSettings>>;
export type HeadSettings = Readonly<ValuesOf<typeof headSettings>>;
