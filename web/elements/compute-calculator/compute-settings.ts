import type { Architecture, Batch, Precision } from '../../core/accounting-types.js';

/** The batch that the figure counts and the heads that it compares, as attributes give them and as the core takes them. */

export const precisions = ['float32', 'mixed', 'bfloat16'] as const satisfies readonly Precision[];
export const optimizers = ['adamw', 'sgd-momentum', 'sgd'] as const;
export type Optimizer = (typeof optimizers)[number];

export interface ComputeSettings {
  /** B and T. */
  readonly sequences: number;
  readonly tokens: number;
  readonly precision: Precision;
  readonly optimizer: Optimizer;
  /** What the machine computes and reads per second. */
  readonly flopPerSecond: number;
  readonly bytesPerSecond: number;
}

/** The batch of a published worked example, on a machine of round numbers. */
export const startSettings: ComputeSettings = {
  sequences: 4,
  tokens: 128,
  precision: 'float32',
  optimizer: 'adamw',
  flopPerSecond: 1e14,
  bytesPerSecond: 1e12,
};

/** Sizes of the heads to compare; what is absent follows from the vocabulary. */
export interface HeadSizes {
  /** Sampled: tokens beside the target. */
  readonly sampled?: number;
  /** Adaptive: where the head and the first cluster end. */
  readonly adaptive?: readonly [number, number];
  /** Culled: tokens kept. */
  readonly culled?: number;
  readonly clustered?: number;
}

export type CompleteHeadSizes = Required<HeadSizes>;

const within = (value: number, least: number, most: number): number => Math.min(most, Math.max(least, value));

/**
 * Sizes that a vocabulary allows; null where it is too small to have anything left out. As many clusters as each has
 * tokens is the least work (Goodman 2001).
 */
export function headSizes(vocabSize: number, chosen: HeadSizes): CompleteHeadSizes | null {
  if (vocabSize < 4) return null;
  const first = within(chosen.adaptive?.[0] ?? Math.round(vocabSize / 16), 1, vocabSize - 2);
  return {
    sampled: within(chosen.sampled ?? 1024, 1, vocabSize - 1),
    adaptive: [first, within(chosen.adaptive?.[1] ?? Math.round(vocabSize / 4), first + 1, vocabSize - 1)],
    culled: within(chosen.culled ?? Math.round(vocabSize / 4), 1, vocabSize),
    clustered: within(chosen.clustered ?? Math.round(Math.sqrt(vocabSize)), 1, vocabSize),
  };
}

/** Widths of the two clusters of the adaptive head: a fourth and a sixteenth, as wide as the model allows. */
export const adaptiveDivisor = 4;
const narrowest = adaptiveDivisor ** 2;

export function batchOf(settings: ComputeSettings, architecture: Architecture, chosen: HeadSizes): Batch {
  const sizes = headSizes(architecture.outputVocabSize ?? architecture.vocabSize, chosen);
  if (sizes === null) return { ...settings };
  return {
    ...settings,
    heads: {
      sampled: { samples: sizes.sampled },
      // Clusters of no width are no clusters, and how full they are is reckoned for whole tokens alone.
      ...(architecture.dModel < narrowest || settings.sequences * settings.tokens > Number.MAX_SAFE_INTEGER
        ? {}
        : { adaptive: { cutoffs: [...sizes.adaptive], divisor: adaptiveDivisor } }),
      culled: { vocabSize: sizes.culled },
      clustered: { clusters: sizes.clustered },
    },
  };
}

// ---------------------------------------------------------------- attributes

export const settingAttributes: Readonly<Record<keyof ComputeSettings, string>> = {
  sequences: 'sequences',
  tokens: 'tokens',
  precision: 'precision',
  optimizer: 'optimizer',
  flopPerSecond: 'flop-per-second',
  bytesPerSecond: 'bytes-per-second',
};

export const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 1;
const isRate = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value) && value > 0;

/** Whether a property, which an attribute may have filled with anything, can be used. */
export function isSetting(name: keyof ComputeSettings, value: unknown): boolean {
  if (name === 'precision') return (precisions as readonly unknown[]).includes(value);
  if (name === 'optimizer') return (optimizers as readonly unknown[]).includes(value);
  return name === 'sequences' || name === 'tokens' ? isCount(value) : isRate(value);
}

/** '2000 8000' or '2000,8000' -> [2000, 8000]; null where it is not two rising whole numbers. */
export function parseCutoffs(text: string): readonly [number, number] | null {
  const [first, second, ...more] = text
    .trim()
    .split(/[\s,;]+/)
    .map(Number);
  return isCount(first) && isCount(second) && first < second && more.length === 0 ? [first, second] : null;
}
