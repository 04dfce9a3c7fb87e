import type { ComputePart, HeadCost, Precision } from '../../core/accounting/types.js';
import type { MemoryPart, Optimizer } from './compute-calculator.settings.js';

const parts: Record<ComputePart, string> = {
  lookup: 'Input lookup',
  projections: 'Attention projections',
  scores: 'Attention scores',
  'feed-forward': 'Feed-forward',
  head: 'Head',
};

const partsInBars: Record<ComputePart, string> = {
  lookup: '',
  projections: 'projections',
  scores: 'scores',
  'feed-forward': 'feed-forward',
  head: 'head',
};

const memoryParts: Record<MemoryPart, string> = {
  weights: 'Weights',
  gradients: 'Gradients',
  optimizer: 'Optimizer',
  activations: 'Activations',
  logits: 'Logits',
};

const precisionNames: Record<Precision, string> = {
  float32: 'float32',
  mixed: 'mixed bfloat16',
  bfloat16: 'bfloat16',
};

const optimizerNames: Record<Optimizer, string> = {
  adamw: 'AdamW',
  'sgd-momentum': 'SGD with momentum',
  sgd: 'SGD',
};

/** English texts of `<tied-compute-calculator>`. Numbers arrive formatted. */
export const computeCalculatorStrings = {
  title: 'Does tying save work, or only memory?',
  working: 'Counting …',

  /** In a saved picture. */
  batch: (sequences: string, tokens: string) => `Sequences per batch: ${sequences}, tokens per sequence: ${tokens}`,

  // Controls.
  sequences: 'Sequences per batch',
  tokens: 'Tokens per sequence',
  precision: 'Number format',
  precisionName: (precision: Precision) => precisionNames[precision],
  optimizer: 'Optimizer',
  optimizerName: (optimizer: Optimizer) => optimizerNames[optimizer],
  flopPerSecond: 'Compute rate',
  flopUnit: 'TFLOP/s',
  bytesPerSecond: 'Memory bandwidth',
  bytesUnit: 'GB/s',

  // Work.
  workTitle: 'Work per step: the same, tied or not',
  forward: 'Forward',
  backward: 'Backward',
  part: (part: ComputePart) => parts[part],
  partInBar: (part: ComputePart) => partsInBars[part],
  macs: (count: string) => `${count} multiply-accumulates`,
  share: 'Share',
  percent: (value: string) => `${value}%`,
  barLabel: (name: string, total: string, list: string) => `${name}: ${total} multiply-accumulates (${list})`,
  times: (rate: string, forward: string, step: string) =>
    `At ${rate} the forward pass takes ${forward}, the whole step ${step}.`,

  // Memory.
  memoryTitle: 'Memory of training',
  tied: 'Tied: one table, both roles',
  tiedTables: 'Tied: one table for all roles',
  tiedDecoder: 'Tied within the decoder',
  untied: 'Untied: a table for each role',
  tiedShort: 'Tied',
  untiedShort: 'Untied',
  memoryPart: (part: MemoryPart) => memoryParts[part],
  total: 'Total',
  memoryLabel: (name: string, total: string, list: string) => `${name}: ${total} (${list})`,
  serving: (weights: string, cache: string, untiedWeights: string | null) =>
    `To serve this batch: ${weights} of weights${untiedWeights === null ? '' : ` (${untiedWeights} untied)`} and ${cache} of keys and values.`,
  servingTime: (time: string, bound: 'reading' | 'computing') =>
    `One more token per sequence takes at least ${time}, limited by ${bound === 'reading' ? 'memory bandwidth' : 'the compute rate'}. Tying does not change that, since a lookup reads single rows.`,
  servesNone: (weights: string) => `To serve this batch: ${weights} of weights. An encoder writes no tokens.`,

  // Heads.
  headsTitle: 'What would another head cost? Work per step, as a share of the full head',
  sampledField: 'Sampled: tokens besides the target',
  adaptiveFirst: 'Adaptive: tokens in the head',
  adaptiveSecond: 'Adaptive: tokens in head and first cluster',
  culledField: 'Culled: tokens kept',
  clusteredField: 'Clustered: number of clusters',
  headName: (kind: HeadCost['kind']): string =>
    ({
      full: 'Full head',
      sampled: 'Sampled',
      adaptive: 'Adaptive',
      culled: 'Culled',
      clustered: 'Clustered',
    })[kind],
  headNote: (kind: HeadCost['kind']): string =>
    ({
      full: 'every token, every step',
      sampled: 'an estimate, for training only',
      adaptive: 'exact, but another model: rare tokens have narrower vectors',
      culled: 'no probability for tokens left out',
      clustered: 'exact, but another model: a cluster first, then a token in it',
    })[kind],
  headNumbers: (share: string, macs: string) => `${share}%, ${macs}`,

  // Read-out.
  headWork: (forward: string, backward: string, share: string) =>
    `The head takes ${forward} multiply-accumulates forward and ${backward} backward: ${share}% of this model’s work.`,
  headWorkAlone: (forward: string, backward: string) =>
    `The head takes ${forward} multiply-accumulates forward and ${backward} backward; without layers there is no other work.`,
  savesNoWork: 'Tying saves none of it.',
  savesMemory: (saved: string, total: string, share: string) =>
    `It saves memory: ${saved} of ${total} while training (${share}%).`,
  cannotTie: 'With different input and output vocabularies there is nothing to tie.',

  caption:
    'Change the model or the batch. A larger batch takes more work and activations but no more weights, so tying saves a smaller share of its memory. The backward pass costs twice the forward pass; a lookup multiplies nothing, except for the factor of a factorized table. Mixed precision stores a float32 copy of the weights.',

  expectedCutoffs: 'two rising integers, as in “2000 8000”',
  refused: (problem: string) =>
    `${problem.charAt(0).toUpperCase()}${problem.slice(1)}. The drawing still shows the previous sizes.`,
  fromVocabulary: 'a size that suits the vocabulary',

  // Show data.
  workData: 'Work per step, in multiply-accumulates of two FLOP each',
  memoryData: 'Memory, in bytes',
  headsData: 'Heads',
  quantity: 'Quantity',
  all: 'All',
  flop: 'All, in FLOP',
  headShare: 'Share of the head',
  headShareOfWeights: 'Without attention scores',
  savedRow: 'Saved by tying',
  servingWeights: 'Serving: weights',
  servingCache: 'Serving: keys and values',
  servingCacheToken: 'Serving: keys and values per token',
  servingLogits: 'Serving: logits',
  servingTotal: 'Serving: all',
  servingRead: 'Serving: read for one token per sequence',
  headColumn: 'Head',
  forwardColumn: 'Forward',
  backwardColumn: 'Backward',
  shareColumn: 'Share of full',
  atMostColumn: 'At most',
  logitsColumn: 'Logits, values',
  logitsBytesColumn: 'Logits, bytes',
  numbersColumn: 'Parameters',
};

export type ComputeCalculatorStrings = typeof computeCalculatorStrings;
