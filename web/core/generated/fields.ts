/**
 * The tables of options of model/config.cpp, training/training_config.cpp and accounting/architecture.cpp, printed by
 * `npm run fields`. A value is one of its `words`, a flag, or in the range of its `whole` or `real`, ends included (but
 * not the last if `below`). `omitted`: the value that completed options omit. `of`: which models have the option; one
 * condition suffices. `core`: the name in the core's errors, if it is not the path as one word in camel case.
 */
export const FIELDS_VERSION = 1646315826;

export const MODEL_FIELDS = {
  kind: { words: ['direct-path', 'transformer', 'encoder-decoder'] },
  vocabSize: { whole: [2, 4294967295] },
  dModel: { whole: [1, 1048576] },
  tying: { words: ['tied', 'untied', 'tied-linear', 'tied-mlp', 'tied-low-rank'] },
  'tying.untieAtStep': { whole: [0], core: 'untieAtStep' },
  'tying.tieAtStep': { whole: [0], core: 'tieAtStep' },
  'tying.condition': { words: ['none', 'above', 'below'] },
  'tying.share': { real: [0, 1] },
  'tying.over': { whole: [0, 9007199254740992] },
  'tying.from': { whole: [0, 9007199254740992] },
  embeddingScale: { words: ['none', 'sqrt-d-model'], core: 'scalesEmbedding' },
  outputBias: { flag: true },
  initStd: { real: [1e-30, 1e+06] },
  lowRank: { whole: [1, 1048576], omitted: 0, of: { tying: ['tied-low-rank'] } },
  dFeedForward: { whole: [1, 1048576], omitted: 0, of: { kind: ['transformer', 'encoder-decoder'], tying: ['tied-mlp'] } },
  nLayers: { whole: [1, 1000], of: { kind: ['transformer', 'encoder-decoder'] } },
  nHeads: { whole: [1, 1048576], of: { kind: ['transformer', 'encoder-decoder'] } },
  nKeyValueHeads: { whole: [1, 1048576], omitted: 0, of: { kind: ['transformer', 'encoder-decoder'] }, core: 'nKvHeads' },
  contextLength: { whole: [1, 1048576], of: { kind: ['transformer', 'encoder-decoder'] } },
  norm: { words: ['rms-norm', 'layer-norm'], of: { kind: ['transformer', 'encoder-decoder'] } },
  normEpsilon: { real: [1e-30, 1], of: { kind: ['transformer', 'encoder-decoder'] } },
  positions: { words: ['learned', 'none', 'rotary'], of: { kind: ['transformer', 'encoder-decoder'] } },
  rotaryBase: { real: [1, 1e+12], of: { positions: ['rotary'] } },
  feedForward: { words: ['gelu', 'swiglu'], of: { kind: ['transformer', 'encoder-decoder'] } },
  finalNorm: { flag: true, of: { kind: ['transformer', 'encoder-decoder'] } },
  biases: { words: ['none', 'feed-forward', 'all'], of: { kind: ['transformer', 'encoder-decoder'] } },
  dropout: { real: [0, 1], below: true, of: { kind: ['transformer', 'encoder-decoder'] } },
  encoderTable: { words: ['own', 'embedding', 'unembedding'], of: { kind: ['encoder-decoder'] } },
  nEncoderLayers: { whole: [1, 1000], of: { kind: ['encoder-decoder'] } },
  sourceLength: { whole: [1, 1048576], of: { kind: ['encoder-decoder'] } },
  startToken: { whole: [0, 4294967295], of: { kind: ['encoder-decoder'] } },
  endToken: { whole: [0, 4294967295], of: { kind: ['encoder-decoder'] } },
  logitScale: { words: ['none', 'inverse-sqrt-d-model'], of: { kind: ['encoder-decoder'] }, core: 'scalesLogits' },
  tableRank: { whole: [1, 1048576], omitted: 0, of: { kind: ['direct-path', 'transformer'] } },
  'head.kind': { words: ['full', 'sampled', 'adaptive', 'clustered', 'culled'], omitted: 'full', of: { kind: ['direct-path', 'transformer'] }, core: 'head' },
  'head.samples': { whole: [1, 4194304], omitted: 0, of: { 'head.kind': ['sampled'] } },
  'head.proposal': { words: ['log-uniform', 'counts'], of: { 'head.kind': ['sampled'] }, core: 'proposal' },
  'head.clusters': { whole: [1], omitted: 0, of: { 'head.kind': ['clustered'] } },
  'head.kept': { whole: [1], omitted: 0, of: { 'head.kind': ['culled'] } },
  'head.cutoffs.0': { whole: [1], omitted: 0, of: { 'head.kind': ['adaptive'] }, core: 'headCutoffs' },
  'head.cutoffs.1': { whole: [1], omitted: 0, of: { 'head.kind': ['adaptive'] }, core: 'headCutoffs' },
  'head.cutoffs.2': { whole: [1], omitted: 0, of: { 'head.kind': ['adaptive'] }, core: 'headCutoffs' },
  'head.cutoffs.3': { whole: [1], omitted: 0, of: { 'head.kind': ['adaptive'] }, core: 'headCutoffs' },
  'head.divisor': { whole: [1], omitted: 0, of: { 'head.kind': ['adaptive'] } },
  'ngrams.order': { whole: [1, 8], omitted: 0, of: { kind: ['transformer'] }, core: 'ngramOrder' },
  'ngrams.rows': { whole: [1, 4294967295], omitted: 0, of: { kind: ['transformer'] }, core: 'ngramRows' },
  'ngrams.heads': { whole: [1, 64], omitted: 0, of: { kind: ['transformer'] }, core: 'ngramHeads' },
  'ngrams.places': { words: ['input', 'every-layer'], omitted: 'input', of: { kind: ['transformer'] }, core: 'ngramPlaces' },
  valueEmbeddings: { words: ['none', 'own', 'tied'], omitted: 'none', of: { kind: ['transformer'] } },
  objective: { words: ['next-token', 'masked', 'masked-diffusion'], omitted: 'next-token', of: { kind: ['transformer'] } },
  maskRate: { real: [1e-30, 1], of: { objective: ['masked'] } },
} as const;

export const MODEL_DEFAULTS = {
  embeddingScale: 'none',
  outputBias: false,
  initStd: 0.02,
  nLayers: 4,
  nHeads: 4,
  contextLength: 64,
  norm: 'rms-norm',
  normEpsilon: 1e-05,
  positions: 'learned',
  rotaryBase: 10000,
  feedForward: 'gelu',
  finalNorm: true,
  biases: 'feed-forward',
  dropout: 0,
  maskRate: 0.15,
} as const;

/** Additional defaults of encoder-decoders. */
export const ENCODER_DECODER_DEFAULTS = {
  nEncoderLayers: 2,
  sourceLength: 32,
  startToken: 0,
  endToken: 1,
  logitScale: 'none',
} as const;

export const TRAINING_FIELDS = {
  optimizer: { words: ['adamw', 'sgd', 'coupled-adamw', 'muon'] },
  learningRate: { real: [1e-30, 1e+30] },
  warmupSteps: { whole: [0] },
  decay: { words: ['constant', 'cosine'] },
  totalSteps: { whole: [1], omitted: 0 },
  finalLearningRateFraction: { real: [0, 1] },
  weightDecay: { real: [0, 1e+30] },
  gradientClip: { real: [1e-30, 1e+30], omitted: 0 },
  momentum: { real: [0, 1], below: true, of: { optimizer: ['sgd', 'muon'] } },
  muonLearningRate: { real: [1e-30, 1e+30], omitted: 0, of: { optimizer: ['muon'] } },
  muonScale: { words: ['match-rms-adamw', 'original'], of: { optimizer: ['muon'] } },
  beta1: { real: [0, 1], below: true, of: { optimizer: ['adamw', 'coupled-adamw', 'muon'] } },
  beta2: { real: [0, 1], below: true, of: { optimizer: ['adamw', 'coupled-adamw', 'muon'] } },
  epsilon: { real: [1e-30, 1e+30], of: { optimizer: ['adamw', 'coupled-adamw', 'muon'] } },
  batchSize: { whole: [1, 4194304], omitted: 0 },
  gradientAccumulation: { whole: [1, 4194304] },
  shards: { whole: [1, 64], omitted: 1 },
  decayEmbeddings: { flag: true, core: 'decaysEmbeddings' },
  labelSmoothing: { real: [0, 1], below: true, omitted: 0 },
  temperature: { real: [0.001, 1000], omitted: 1 },
  seed: { whole: [0] },
  initSeed: { whole: [0] },
} as const;

export const TRAINING_DEFAULTS = {
  optimizer: 'adamw',
  warmupSteps: 0,
  decay: 'constant',
  finalLearningRateFraction: 0,
  weightDecay: 0,
  momentum: 0,
  muonScale: 'match-rms-adamw',
  beta1: 0.9,
  beta2: 0.999,
  epsilon: 1e-08,
  gradientAccumulation: 1,
  decayEmbeddings: true,
  inputGradientScale: 1,
} as const;

export const ARCHITECTURE_FIELDS = {
  stack: { words: ['decoder', 'encoder', 'encoder-decoder'] },
  vocabSize: { whole: [1, 9007199254740991] },
  outputVocabSize: { whole: [1, 9007199254740991] },
  dModel: { whole: [1, 9007199254740991] },
  nLayers: { whole: [0, 9007199254740991] },
  nEncoderLayers: { whole: [0, 9007199254740991] },
  nHeads: { whole: [1, 9007199254740991] },
  nKeyValueHeads: { whole: [1, 9007199254740991] },
  dHead: { whole: [1, 9007199254740991] },
  dFeedForward: { whole: [1, 9007199254740991] },
  feedForward: { words: ['plain', 'gated'] },
  nExperts: { whole: [0, 9007199254740991] },
  nActiveExperts: { whole: [0, 9007199254740991] },
  nSharedExperts: { whole: [0, 9007199254740991] },
  nDenseLayers: { whole: [0, 9007199254740991] },
  dDenseFeedForward: { whole: [0, 9007199254740991] },
  positions: { words: ['learned', 'rotary', 'relative', 'none'] },
  contextLength: { whole: [0, 9007199254740991] },
  relativeBuckets: { whole: [0, 9007199254740991] },
  nSegments: { whole: [0, 9007199254740991] },
  norm: { words: ['layer-norm', 'rms-norm', 'none'] },
  normBiases: { flag: true },
  normsPerLayer: { whole: [0, 4] },
  queryKeyNorm: { words: ['none', 'head', 'full'] },
  embeddingNorm: { flag: true },
  finalNorm: { flag: true },
  biases: { words: ['none', 'all', 'query-key-value', 'feed-forward'] },
  fusedQueryKeyValue: { flag: true },
  headTransform: { flag: true },
  outputBias: { flag: true },
  lowRank: { whole: [0, 9007199254740991] },
  tableRank: { whole: [0, 9007199254740991] },
  ngramOrder: { whole: [0, 8] },
  ngramRows: { whole: [0, 9007199254740991] },
  valueEmbeddings: { words: ['none', 'own', 'tied'] },
} as const;

/** Options that are a number or points of a schedule, after the other options of training. */
export const SCHEDULES = {
  inputGradientScale: {},
  outputGradientScale: {},
  'learningRateMultipliers.embedding': { core: 'embeddingRate' },
  'learningRateMultipliers.unembedding': { core: 'unembeddingRate' },
  'learningRateMultipliers.inner': { core: 'innerRate' },
} as const;

/** The momentum of Muon, if none is given: the default above is that of SGD. */
export const MUON_MOMENTUM = 0.95;
export const MAX_SCHEDULE_POINTS = 16;
export const MAX_CUTOFFS = 4;
export const MAX_TYING_CHANGES = 8;
