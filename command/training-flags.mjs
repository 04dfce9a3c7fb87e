// The options of tokenizers, models and training as flags. Tests compare their names and choices with the package's.
const boolean = /** @type {const} */ ('boolean');
const number = /** @type {const} */ ('number');

/** @typedef {import('./option-flags.mjs').Option} Option */

/** Where a flag, a file or the package's own default says nothing else. */
export const usual = {
  tokenizer: { kind: 'bpe' },
  validation: 0.1,
  model: { kind: 'transformer', dModel: 64, tying: 'tied' },
  training: { steps: 1000, learningRate: 0.003, seed: 1 },
  /** Sequences of a transformer, pairs of a direct path. */
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
    says: 'tied (default), untied, tied-linear, tied-mlp (of a direct path) or tied-low-rank (of a transformer)',
  },
  lowRank: { says: 'rank of the correction of tied-low-rank (default: 8)' },
  tableRank: { says: 'rank of factorised tables, tied or untied (default: whole tables)' },
  embeddingScale: {
    of: ['none', 'sqrt-d-model'],
    says: 'what multiplies rows that are read: none (default) or sqrt-d-model',
  },
  outputBias: { kind: boolean, says: 'a bias for each token (default: false)' },
  initStd: { kind: number, says: 'standard deviation of the initial weights (default: 0.02)' },
  nLayers: { says: 'layers (default: 4)' },
  nHeads: { says: 'query heads (default: 4)' },
  nKeyValueHeads: { says: 'key and value heads (default: as many)' },
  contextLength: { says: 'tokens of a sequence (default: 64)' },
  dFeedForward: { says: 'width of hidden layers (default: 4 times the width)' },
  norm: { of: ['rms-norm', 'layer-norm'], says: 'rms-norm (default) or layer-norm' },
  normEpsilon: { kind: number, says: 'added before its root is taken (default: 1e-5)' },
  positions: { of: ['learned', 'none', 'rotary'], says: 'learned (default), none or rotary' },
  rotaryBase: { kind: number, says: 'of rotary positions (default: 10000)' },
  feedForward: { of: ['gelu', 'swiglu'], says: 'gelu (default) or swiglu' },
  finalNorm: { kind: boolean, says: 'whether the last layer is normalised (default: true)' },
  biases: { of: ['none', 'feed-forward', 'all'], says: 'which maps have biases: none, feed-forward (default) or all' },
  dropout: { kind: number, says: 'probability that an element is dropped (default: 0)' },
};

/** @type {Readonly<Record<string, Option>>} */
export const trainingOptions = {
  steps: { says: 'steps in all (default: 1000)' },
  learningRate: { kind: number, says: 'default: 0.003' },
  batchSize: { says: 'sequences a step (default: 16), of a direct path pairs (default: 256)' },
  optimizer: { of: ['adamw', 'sgd', 'coupled-adamw'], says: 'adamw (default), sgd or coupled-adamw' },
  warmupSteps: { says: 'steps of linear warm-up (default: 0)' },
  decay: { of: ['constant', 'cosine'], says: 'constant (default) or cosine, which ends with the run' },
  totalSteps: { says: 'where the cosine ends (default: --steps)' },
  finalLearningRateFraction: { kind: number, says: 'of the learning rate, at the end of the cosine (default: 0)' },
  weightDecay: { kind: number, says: 'default: 0' },
  decayEmbeddings: { kind: boolean, says: 'whether tables decay too (default: true)' },
  gradientClip: { kind: number, says: 'largest norm of the gradient (default: none)' },
  momentum: { kind: number, says: 'of sgd (default: 0)' },
  beta1: { kind: number, says: 'of adamw (default: 0.9)' },
  beta2: { kind: number, says: 'of adamw (default: 0.999)' },
  epsilon: { kind: number, says: 'of adamw (default: 1e-8)' },
  gradientAccumulation: { says: 'batches a step (default: 1)' },
  inputGradientScale: { kind: number, says: "factor of the input part of the table's gradient (default: 1)" },
  labelSmoothing: { kind: number, says: 'share of targets that is spread over all tokens (default: 0)' },
  temperature: { kind: number, says: 'what the logits are divided by (default: 1)' },
  seed: { says: 'of data, dropout and initial weights (default: 1)' },
  initSeed: { says: 'of the initial weights, where it is to differ' },
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
    says: 'most tokens (default: bpe 512, word 2000, all characters)',
    heading: 'Text',
  },
  alphabet: {
    kind: 'choice',
    of: ['bytes', 'text'],
    says: 'what bpe begins with: bytes (default), or text, those that the text has',
    heading: 'Text',
  },
  validation: {
    kind: 'number',
    least: 0,
    most: 0.9,
    says: 'fraction of the tokens, at the end, that is held out (default: 0.1)',
    heading: 'Text',
  },
};

/** @type {Readonly<Record<string, import('./declare.mjs').Flag>>} */
export const scheduleFlags = {
  'untie-at-step': {
    kind: 'integer',
    least: 0,
    says: 'tied up to this step, then two tables; both flags: in turn',
    heading: 'Model',
  },
  'tie-at-step': { kind: 'integer', least: 0, says: 'two tables up to this step, then one', heading: 'Model' },
};
