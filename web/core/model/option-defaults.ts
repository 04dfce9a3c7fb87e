/**
 * Defaults of models and training, used by the options' checks, the numbers sent to the core and the settings of
 * elements. The core has the same in model/config.h and training/training_config.h; a test compares them.
 */
import type { EncoderDecoderConfig, ModelConfig, TrainingConfig } from '../types.js';

export const MODEL_DEFAULTS = {
  embeddingScale: 'none',
  outputBias: false,
  initStd: 0.02,
  /** At most dModel. */
  lowRank: 8,
  nLayers: 4,
  nHeads: 4,
  contextLength: 64,
  norm: 'rms-norm',
  normEpsilon: 1e-5,
  positions: 'learned',
  rotaryBase: 10000,
  feedForward: 'gelu',
  finalNorm: true,
  biases: 'feed-forward',
  dropout: 0,
} as const satisfies Partial<ModelConfig>;

/** Additional defaults of encoder-decoders. */
export const ENCODER_DECODER_DEFAULTS = {
  nEncoderLayers: 2,
  nDecoderLayers: 2,
  sourceLength: 32,
  startToken: 0,
  endToken: 1,
  logitScale: 'none',
} as const satisfies Partial<EncoderDecoderConfig>;

export const TRAINING_DEFAULTS = {
  optimizer: 'adamw',
  warmupSteps: 0,
  decay: 'constant',
  finalLearningRateFraction: 0,
  weightDecay: 0,
  momentum: 0,
  beta1: 0.9,
  beta2: 0.999,
  epsilon: 1e-8,
  gradientAccumulation: 1,
  inputGradientScale: 1,
  learningRateMultipliers: { embedding: 1, unembedding: 1, inner: 1 },
  decayEmbeddings: true,
} as const satisfies Partial<TrainingConfig>;

type Filled<Given, Defaults> = Omit<Given, keyof Defaults> & {
  readonly [Name in keyof Defaults & keyof Given]-?: Exclude<Given[Name], undefined>;
};

/** `given`, with defaults for absent fields. Null is a value, which the checks refuse. */
export function filledIn<Given extends object, Defaults extends object>(
  given: Given,
  defaults: Defaults,
): Filled<Given, Defaults> {
  const present = Object.entries(given).filter(([, value]) => value !== undefined);
  return { ...defaults, ...Object.fromEntries(present) } as Filled<Given, Defaults>;
}
