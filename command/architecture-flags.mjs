// The options of an architecture, a batch and the context of advice, as flags. Tests compare their names with the package's.
import { ARCHITECTURE_FIELDS } from './command-parts.js';
import { withFields } from './option-flags.mjs';

const number = /** @type {const} */ ('number');

/** @typedef {import('./option-flags.mjs').Option} Option */

export const architectureOptions = withFields([ARCHITECTURE_FIELDS], {
  family: {
    of: ['gpt-2', 'bert', 't5', 'llama', 'gemma', 'gpt-neox', 'mixture-of-experts', 'tied-embeddings', 'plain-formula'],
    says: 'sets the defaults: gpt-2, bert, t5, llama, gemma, gpt-neox, mixture-of-experts, tied-embeddings or plain-formula',
  },
  vocabSize: { says: 'tokens in the vocabulary' },
  dModel: { says: 'width' },
  nLayers: { says: 'layers; with two stacks, of the decoder' },
  stack: { says: 'decoder, encoder or encoder-decoder' },
  outputVocabSize: { says: 'tokens in the output vocabulary, if it differs' },
  nEncoderLayers: { says: 'layers of the encoder' },
  nHeads: { says: 'query heads' },
  nKeyValueHeads: { says: 'key and value heads' },
  dHead: { says: 'width of a head' },
  dFeedForward: { says: 'width of the hidden layers, or of one expert' },
  feedForward: { says: 'gated: gate, up and down (SwiGLU, GeGLU)' },
  nExperts: { says: 'experts per layer' },
  nActiveExperts: { says: 'experts used for one token' },
  nSharedExperts: { says: 'experts used for every token' },
  nDenseLayers: { says: 'how many of the first layers have no experts' },
  dDenseFeedForward: { says: 'width of the hidden layers without experts' },
  positions: {
    says: 'how positions are encoded: learned, rotary, relative or none',
  },
  contextLength: { says: 'rows of learned positions' },
  relativeBuckets: { says: 'bins of relative positions' },
  nSegments: { says: 'rows of the segment table' },
  norm: { says: 'layer-norm, rms-norm or none' },
  normBiases: { says: 'whether norms have biases' },
  normsPerLayer: { says: 'norms per layer' },
  queryKeyNorm: { says: 'norms of queries and keys' },
  embeddingNorm: { says: 'whether the embedding is normalized' },
  finalNorm: { says: 'whether the output of the last layer is normalized' },
  biases: {
    says: 'which linear maps have biases: none, all, query-key-value or feed-forward',
  },
  fusedQueryKeyValue: { says: 'one matrix for queries, keys and values' },
  headTransform: { says: 'a map and a norm before the output table' },
  outputBias: { says: 'a bias for each output token' },
  lowRank: { says: "rank of tying 'tied-low-rank'" },
  tableRank: { says: 'rank of factorized tables (default: 0, whole tables)' },
  ngramOrder: { says: 'longest n-grams that the input reads, with one table per length (default: none)' },
  ngramRows: { says: 'rows of each n-gram table' },
});

/** @type {Readonly<Record<string, Option>>} */
export const batchOptions = {
  sequences: { says: 'sequences per batch (default: 1)' },
  tokens: { says: 'tokens per sequence (default: the context, else 1024)' },
  encoderTokens: { says: "tokens per sequence of the encoder (default: the decoder's)" },
  precision: { of: ['float32', 'bfloat16', 'mixed'], says: 'float32 (default), bfloat16 or mixed' },
  optimizer: { of: ['adamw', 'sgd-momentum', 'sgd'], says: 'adamw (default), sgd-momentum or sgd' },
  flopPerSecond: { kind: number, says: 'FLOP per second that the machine achieves, to estimate times' },
  bytesPerSecond: { kind: number, says: 'bytes per second that its memory achieves' },
};

/** @type {Readonly<Record<string, Option>>} */
export const contextOptions = {
  startsFrom: {
    of: ['scratch', 'tied', 'untied'],
    says: 'what the weights start from: scratch (default), tied or untied',
  },
  lossDifference: {
    kind: number,
    says: 'loss of the tied model minus loss of the untied one, in nats per token, as you measured it',
  },
  parameterBudget: { kind: number, says: 'maximum parameters of the model' },
};
