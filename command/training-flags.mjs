// The options of tokenizers, models and training as flags. Tests compare their names with the package's.
import { MODEL_DEFAULTS, MODEL_FIELDS, TRAINING_DEFAULTS, TRAINING_FIELDS } from './command-parts.js';
import { withFields } from './option-flags.mjs';

/** Defaults of the command, used if neither a flag nor a file sets a value. */
export const usual = {
  tokenizer: { kind: 'bpe' },
  validation: 0.1,
  model: { kind: 'transformer', dModel: 64, tying: 'tied' },
  training: { steps: 1000, learningRate: 0.003, seed: 1 },
  /** Sequences for a transformer, pairs for a direct path. */
  batchSize: { transformer: 16, 'direct-path': 256 },
};

export const modelOptions = withFields([MODEL_FIELDS, MODEL_DEFAULTS], {
  kind: {
    of: ['direct-path', 'transformer'],
    summary: 'transformer (default) or direct-path: no layers, only the tables',
  },
  dModel: { summary: 'width (default: 64)' },
  tying: {
    summary: 'tied (default), untied, tied-linear, tied-mlp (direct paths only) or tied-low-rank (transformers only)',
  },
  lowRank: { summary: 'rank of the correction of tied-low-rank (default: 8)' },
  tableRank: { summary: 'rank of factorized tables, tied or untied (default: whole tables)' },
  embeddingScale: 'factor of looked-up rows',
  outputBias: 'one output bias per token',
  initStd: 'standard deviation of the initial weights',
  nLayers: 'layers',
  nHeads: 'query heads',
  nKeyValueHeads: { summary: 'key and value heads (default: as many as query heads)' },
  contextLength: 'tokens per sequence',
  dFeedForward: { summary: 'width of hidden layers (default: 4 times the width)' },
  norm: '',
  normEpsilon: 'added to the mean square before the square root',
  positions: '',
  rotaryBase: 'base of rotary positions',
  feedForward: '',
  finalNorm: 'whether the output of the last layer is normalized',
  biases: 'which maps have biases',
  dropout: 'dropout rate',
  objective: { summary: 'next-token (default), masked or masked-diffusion: what the model predicts' },
  maskRate: 'fraction of the tokens that masked hides',
  valueEmbeddings: { summary: "table added to each layer's values: none (default), own, or tied, the input table" },
});

export const trainingOptions = withFields([TRAINING_FIELDS, TRAINING_DEFAULTS], {
  steps: { summary: 'total steps (default: 1000)', least: 1 },
  learningRate: { summary: 'default: 0.003' },
  batchSize: { summary: 'sequences per batch (default: 16), or pairs for a direct path (default: 256)' },
  optimizer: '',
  warmupSteps: 'steps of linear warm-up',
  decay: { summary: 'constant (default), or cosine, which ends with the run' },
  totalSteps: { summary: 'step at which the cosine ends (default: --steps)' },
  finalLearningRateFraction: 'fraction of the learning rate at the end of the cosine',
  weightDecay: '',
  decayEmbeddings: 'whether tables decay too',
  gradientClip: { summary: 'maximum norm of the gradient (default: none)' },
  momentum: { summary: 'momentum of sgd (default: 0) or muon (default: 0.95)' },
  muonLearningRate: { summary: 'rate of the maps that muon trains (default: --learning-rate)' },
  muonScale: 'factor of the rate of muon by the shape of a map',
  beta1: 'beta1 of adamw',
  beta2: 'beta2 of adamw',
  epsilon: 'epsilon of adamw',
  gradientAccumulation: 'batches per step',
  shards: { summary: 'parts of each batch that threads can share (default: 1)' },
  inputGradientScale: "factor of the input part of the table's gradient",
  outputGradientScale: { kind: 'number', summary: "factor of the output part of the table's gradient (default: 1)" },
  labelSmoothing: 'fraction of each target that is spread over all tokens',
  temperature: 'what the logits are divided by',
  seed: { summary: 'seed of data, dropout and initial weights (default: 1)' },
  initSeed: { summary: 'seed of the initial weights, if it should differ' },
});

/** @type {Readonly<Record<string, import('./declare.mjs').Flag>>} */
export const textFlags = {
  tokenizer: {
    kind: 'choice',
    of: ['character', 'word', 'bpe'],
    summary: 'character, word or bpe (default)',
    heading: 'Text',
  },
  'vocab-size': {
    kind: 'integer',
    least: 2,
    summary: 'maximum tokens (default: bpe 512, word 2000, all characters)',
    heading: 'Text',
  },
  alphabet: {
    kind: 'choice',
    of: ['bytes', 'text'],
    summary: 'tokens that bpe starts with: bytes (default), or text, only the bytes in the text',
    heading: 'Text',
  },
  validation: {
    kind: 'number',
    least: 0,
    most: 0.9,
    summary: 'fraction of the tokens to hold out, at the end (default: 0.1)',
    heading: 'Text',
  },
};

/** @type {Readonly<Record<string, import('./declare.mjs').Flag>>} */
export const scheduleFlags = {
  'untie-at-step': {
    kind: 'integer',
    least: 0,
    summary: 'tied up to this step, then two tables; with both flags, in turn',
    heading: 'Model',
  },
  'tie-at-step': { kind: 'integer', least: 0, summary: 'two tables up to this step, then one', heading: 'Model' },
};
