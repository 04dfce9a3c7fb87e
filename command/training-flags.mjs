// The options of tokenizers, models and training as flags. Tests compare their names and choices with the package's.
const boolean = /** @type {const} */ ('boolean');
const number = /** @type {const} */ ('number');

/** @typedef {import('./option-flags.mjs').Option} Option */

/** Defaults of the command, used if neither a flag nor a file sets a value. */
export const usual = {
  tokenizer: { kind: 'bpe' },
  validation: 0.1,
  model: { kind: 'transformer', dModel: 64, tying: 'tied' },
  training: { steps: 1000, learningRate: 0.003, seed: 1 },
  /** Sequences for a transformer, pairs for a direct path. */
  batchSize: { transformer: 16, 'direct-path': 256 },
};

/** @type {Readonly<Record<string, Option>>} */
export const modelOptions = {
  kind: {
    of: ['direct-path', 'transformer'],
    says: 'transformer (default) or direct-path: no layers, only the tables',
  },
  dModel: { says: 'width (default: 64)' },
  tying: {
    of: ['tied', 'untied', 'tied-linear', 'tied-mlp', 'tied-low-rank'],
    says: 'tied (default), untied, tied-linear, tied-mlp (direct paths only) or tied-low-rank (transformers only)',
  },
  lowRank: { says: 'rank of the correction of tied-low-rank (default: 8)' },
  tableRank: { says: 'rank of factorized tables, tied or untied (default: whole tables)' },
  embeddingScale: {
    of: ['none', 'sqrt-d-model'],
    says: 'factor of looked-up rows: none (default) or sqrt-d-model',
  },
  outputBias: { kind: boolean, says: 'one output bias per token (default: false)' },
  initStd: { kind: number, says: 'standard deviation of the initial weights (default: 0.02)' },
  nLayers: { says: 'layers (default: 4)' },
  nHeads: { says: 'query heads (default: 4)' },
  nKeyValueHeads: { says: 'key and value heads (default: as many as query heads)' },
  contextLength: { says: 'tokens per sequence (default: 64)' },
  dFeedForward: { says: 'width of hidden layers (default: 4 times the width)' },
  norm: { of: ['rms-norm', 'layer-norm'], says: 'rms-norm (default) or layer-norm' },
  normEpsilon: { kind: number, says: 'added to the mean square before the square root (default: 1e-5)' },
  positions: { of: ['learned', 'none', 'rotary'], says: 'learned (default), none or rotary' },
  rotaryBase: { kind: number, says: 'base of rotary positions (default: 10000)' },
  feedForward: { of: ['gelu', 'swiglu'], says: 'gelu (default) or swiglu' },
  finalNorm: { kind: boolean, says: 'whether the output of the last layer is normalized (default: true)' },
  biases: { of: ['none', 'feed-forward', 'all'], says: 'which maps have biases: none, feed-forward (default) or all' },
  dropout: { kind: number, says: 'dropout rate (default: 0)' },
};

/** @type {Readonly<Record<string, Option>>} */
export const trainingOptions = {
  steps: { says: 'total steps (default: 1000)' },
  learningRate: { kind: number, says: 'default: 0.003' },
  batchSize: { says: 'sequences per batch (default: 16), or pairs for a direct path (default: 256)' },
  optimizer: { of: ['adamw', 'sgd', 'coupled-adamw'], says: 'adamw (default), sgd or coupled-adamw' },
  warmupSteps: { says: 'steps of linear warm-up (default: 0)' },
  decay: { of: ['constant', 'cosine'], says: 'constant (default), or cosine, which ends with the run' },
  totalSteps: { says: 'step at which the cosine ends (default: --steps)' },
  finalLearningRateFraction: {
    kind: number,
    says: 'fraction of the learning rate at the end of the cosine (default: 0)',
  },
  weightDecay: { kind: number, says: 'default: 0' },
  decayEmbeddings: { kind: boolean, says: 'whether tables decay too (default: true)' },
  gradientClip: { kind: number, says: 'maximum norm of the gradient (default: none)' },
  momentum: { kind: number, says: 'momentum of sgd (default: 0)' },
  beta1: { kind: number, says: 'beta1 of adamw (default: 0.9)' },
  beta2: { kind: number, says: 'beta2 of adamw (default: 0.999)' },
  epsilon: { kind: number, says: 'epsilon of adamw (default: 1e-8)' },
  gradientAccumulation: { says: 'batches per step (default: 1)' },
  inputGradientScale: { kind: number, says: "factor of the input part of the table's gradient (default: 1)" },
  labelSmoothing: { kind: number, says: 'fraction of each target that is spread over all tokens (default: 0)' },
  temperature: { kind: number, says: 'what the logits are divided by (default: 1)' },
  seed: { says: 'seed of data, dropout and initial weights (default: 1)' },
  initSeed: { says: 'seed of the initial weights, if it should differ' },
};

/** @type {Readonly<Record<string, import('./declare.mjs').Flag>>} */
export const textFlags = {
  tokenizer: {
    kind: 'choice',
    of: ['character', 'word', 'bpe'],
    says: 'character, word or bpe (default)',
    heading: 'Text',
  },
  'vocab-size': {
    kind: 'integer',
    least: 2,
    says: 'maximum tokens (default: bpe 512, word 2000, all characters)',
    heading: 'Text',
  },
  alphabet: {
    kind: 'choice',
    of: ['bytes', 'text'],
    says: 'tokens that bpe starts with: bytes (default), or text, only the bytes in the text',
    heading: 'Text',
  },
  validation: {
    kind: 'number',
    least: 0,
    most: 0.9,
    says: 'fraction of the tokens to hold out, at the end (default: 0.1)',
    heading: 'Text',
  },
};

/** @type {Readonly<Record<string, import('./declare.mjs').Flag>>} */
export const scheduleFlags = {
  'untie-at-step': {
    kind: 'integer',
    least: 0,
    says: 'tied up to this step, then two tables; with both flags, in turn',
    heading: 'Model',
  },
  'tie-at-step': { kind: 'integer', least: 0, says: 'two tables up to this step, then one', heading: 'Model' },
};
