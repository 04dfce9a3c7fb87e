// The options of an architecture, a batch and the context of advice, as flags. Tests compare their names with the package's.
import { ARCHITECTURE_FIELDS } from './command-parts.js';
import { withFields } from './option-flags.mjs';

const number = /** @type {const} */ ('number');

/** @typedef {import('./option-flags.mjs').Option} Option */

export const architectureOptions = withFields([ARCHITECTURE_FIELDS], {
  family: {
    of: ['gpt-2', 'bert', 't5', 'llama', 'gemma', 'gpt-neox', 'mixture-of-experts', 'tied-embeddings', 'plain-formula'],
    summary:
      'sets the defaults: gpt-2, bert, t5, llama, gemma, gpt-neox, mixture-of-experts, tied-embeddings or plain-formula',
  },
  vocabSize: { summary: 'tokens in the vocabulary' },
  dModel: { summary: 'width' },
  nLayers: { summary: 'layers; with two stacks, of the decoder' },
  stack: { summary: 'decoder, encoder or encoder-decoder' },
  outputVocabSize: { summary: 'tokens in the output vocabulary, if it differs' },
  nEncoderLayers: { summary: 'layers of the encoder' },
  nHeads: { summary: 'query heads' },
  nKeyValueHeads: { summary: 'key and value heads' },
  dHead: { summary: 'width of a head' },
  dFeedForward: { summary: 'width of the hidden layers, or of one expert' },
  feedForward: { summary: 'gated: gate, up and down (SwiGLU, GeGLU)' },
  nExperts: { summary: 'experts per layer' },
  nActiveExperts: { summary: 'experts used for one token' },
  nSharedExperts: { summary: 'experts used for every token' },
  nDenseLayers: { summary: 'how many of the first layers have no experts' },
  dDenseFeedForward: { summary: 'width of the hidden layers without experts' },
  positions: {
    summary: 'how positions are encoded: learned, rotary, relative or none',
  },
  contextLength: { summary: 'rows of learned positions' },
  relativeBuckets: { summary: 'bins of relative positions' },
  nSegments: { summary: 'rows of the segment table' },
  norm: { summary: 'layer-norm, rms-norm or none' },
  normBiases: { summary: 'whether norms have biases' },
  normsPerLayer: { summary: 'norms per layer' },
  queryKeyNorm: { summary: 'norms of queries and keys' },
  embeddingNorm: { summary: 'whether the embedding is normalized' },
  finalNorm: { summary: 'whether the output of the last layer is normalized' },
  biases: {
    summary: 'which linear maps have biases: none, all, query-key-value or feed-forward',
  },
  fusedQueryKeyValue: { summary: 'one matrix for queries, keys and values' },
  headTransform: { summary: 'a map and a norm before the output table' },
  outputBias: { summary: 'a bias for each output token' },
  lowRank: { summary: "rank of tying 'tied-low-rank'" },
  tableRank: { summary: 'rank of factorized tables (default: 0, whole tables)' },
  ngramOrder: { summary: 'longest n-grams that the input reads, with one table per length (default: none)' },
  ngramRows: { summary: 'rows of each n-gram table' },
  valueEmbeddings: { summary: 'table added to the values of every layer: none, own or tied' },
});

/** @type {Readonly<Record<string, Option>>} */
export const batchOptions = {
  sequences: { summary: 'sequences per batch (default: 1)' },
  tokens: { summary: 'tokens per sequence (default: the context, else 1024)' },
  encoderTokens: { summary: "tokens per sequence of the encoder (default: the decoder's)" },
  precision: { of: ['float32', 'bfloat16', 'mixed'], summary: 'float32 (default), bfloat16 or mixed' },
  optimizer: { of: ['adamw', 'sgd-momentum', 'sgd'], summary: 'adamw (default), sgd-momentum or sgd' },
  flopPerSecond: { kind: number, summary: 'FLOP per second that the machine achieves, to estimate times' },
  bytesPerSecond: { kind: number, summary: 'bytes per second that its memory achieves' },
};

/** @type {Readonly<Record<string, Option>>} */
export const contextOptions = {
  startsFrom: {
    of: ['scratch', 'tied', 'untied'],
    summary: 'what the weights start from: scratch (default), tied or untied',
  },
  lossDifference: {
    kind: number,
    summary: 'loss of the tied model minus loss of the untied one, in nats per token, as you measured it',
  },
  parameterBudget: { kind: number, summary: 'maximum parameters of the model' },
};
