// The options of an architecture, of a batch and of a context of advice, as flags. Tests compare their names and choices with the package's.
const boolean = /** @type {const} */ ('boolean');
const number = /** @type {const} */ ('number');

/** @typedef {import('./option-flags.mjs').Option} Option */

/** @type {Readonly<Record<string, Option>>} */
export const architectureOptions = {
  family: {
    of: ['gpt-2', 'bert', 't5', 'llama', 'gemma', 'gpt-neox', 'mixture-of-experts', 'tied-embeddings', 'plain-formula'],
    says: 'fills in what is not given: gpt-2, bert, t5, llama, gemma, gpt-neox, mixture-of-experts, tied-embeddings or plain-formula',
  },
  vocabSize: { says: 'tokens of the vocabulary' },
  dModel: { says: 'width' },
  nLayers: { says: 'layers, of the decoder where there are two stacks' },
  stack: { of: ['decoder', 'encoder', 'encoder-decoder'], says: 'decoder, encoder or encoder-decoder' },
  outputVocabSize: { says: 'tokens written, where they are others than those read' },
  nEncoderLayers: { says: 'layers of the encoder' },
  nHeads: { says: 'query heads' },
  nKeyValueHeads: { says: 'key and value heads' },
  dHead: { says: 'width of a head' },
  dFeedForward: { says: 'width of the hidden layers, of one expert where there are experts' },
  feedForward: { of: ['plain', 'gated'], says: 'gated: gate, up and down (SwiGLU, GeGLU)' },
  nExperts: { says: 'experts a layer' },
  nActiveExperts: { says: 'experts used for one token' },
  nSharedExperts: { says: 'experts used for every token' },
  nDenseLayers: { says: 'first layers without experts' },
  dDenseFeedForward: { says: 'width of the hidden layers of those' },
  positions: {
    of: ['learned', 'rotary', 'relative', 'none'],
    says: 'how positions are told: learned, rotary, relative or none',
  },
  contextLength: { says: 'rows of learned positions' },
  relativeBuckets: { says: 'bins of relative positions' },
  nSegments: { says: 'rows of a table of segments' },
  norm: { of: ['layer-norm', 'rms-norm', 'none'], says: 'layer-norm, rms-norm or none' },
  normBiases: { kind: boolean, says: 'whether norms have biases' },
  normsPerLayer: { says: 'norms a layer' },
  queryKeyNorm: { of: ['none', 'head', 'full'], says: 'norms of queries and keys' },
  embeddingNorm: { kind: boolean, says: 'whether the embedding is normalised' },
  finalNorm: { kind: boolean, says: 'whether the last layer is' },
  biases: {
    of: ['none', 'all', 'query-key-value', 'feed-forward'],
    says: 'which linear maps have biases: none, all, query-key-value or feed-forward',
  },
  fusedQueryKeyValue: { kind: boolean, says: 'one matrix for queries, keys and values' },
  headTransform: { kind: boolean, says: 'a map and a norm before the table that writes' },
  outputBias: { kind: boolean, says: 'a bias for each token written' },
  lowRank: { says: "rank of tying 'tied-low-rank'" },
  tableRank: { says: 'rank of factorised tables (default: 0, whole tables)' },
  ngramOrder: { says: 'longest n-grams that the input reads, each length from a table of its own (default: none)' },
  ngramRows: { says: 'rows of each of those tables' },
};

/** @type {Readonly<Record<string, Option>>} */
export const batchOptions = {
  sequences: { says: 'sequences at once (default: 1)' },
  tokens: { says: 'tokens of a sequence (default: the context, else 1024)' },
  encoderTokens: { says: 'of the encoder (default: as many)' },
  precision: { of: ['float32', 'bfloat16', 'mixed'], says: 'float32 (default), bfloat16 or mixed' },
  optimizer: { of: ['adamw', 'sgd-momentum', 'sgd'], says: 'adamw (default), sgd-momentum or sgd' },
  flopPerSecond: { kind: number, says: 'what the machine achieves, for times' },
  bytesPerSecond: { kind: number, says: 'what its memory achieves' },
};

/** @type {Readonly<Record<string, Option>>} */
export const contextOptions = {
  startsFrom: {
    of: ['scratch', 'tied', 'untied'],
    says: 'what the weights start from: scratch (default), tied or untied',
  },
  lossDifference: {
    kind: number,
    says: 'loss of the tied model minus that of the untied one, nats per token, as you measured it',
  },
  parameterBudget: { kind: number, says: 'parameters that the model may have at most' },
};
