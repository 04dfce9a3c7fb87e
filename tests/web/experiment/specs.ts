/** Experiments shared by the tests, small enough to take seconds. */
import { METRICS, metricsOf } from '../../../web/core/experiment/metrics.js';
import type { ExperimentRecords, ExperimentSpec } from '../../../web/index.js';

export const paths = {
  name: 'order-of-words',
  text: { string: 'New York is old. The old city is New York. '.repeat(30) },
  tokenizer: { kind: 'word' },
  model: { kind: 'direct-path', dModel: 4 },
  training: { learningRate: 0.1, steps: 60 },
  arms: { tied: { model: { tying: 'tied' } }, untied: { model: { tying: 'untied' } } },
  seeds: [1, 2, 3],
  measure: [
    { metric: 'loss', every: 30 },
    { metric: 'input-share', every: 20 },
    { metric: 'isotropy', table: 'unembedding', at: ['start', 'end'] },
    { metric: 'alignment', method: 'orthogonal', between: ['tied.embedding', 'untied.unembedding'] },
    { metric: 'alignment', method: 'orthogonal', between: ['tied.embedding', 'untied.embedding'] },
  ],
  claims: [
    { id: 'gap', says: 'loss(tied) - loss(untied) > 0 in every seed and above 3 sd' },
    { id: 'lower', says: 'loss(tied) < loss(tied, step=0)' },
  ],
} as const satisfies ExperimentSpec;

export const transformers = {
  name: 'every-metric',
  text: { stories: { seed: 1, length: 6000 } },
  tokenizer: { kind: 'bpe', vocabSize: 300 },
  model: { kind: 'transformer', dModel: 8, nLayers: 2, nHeads: 2, contextLength: 8, ngrams: { order: 2, rows: 101 } },
  training: { learningRate: 0.01, steps: 20, batchSize: 4 },
  arms: { tied: { model: { tying: 'tied' } }, untied: { model: { tying: 'untied' } } },
  seeds: [1],
  measure: metricsOf('text').map((metric) => ({
    metric,
    ...(METRICS[metric]!.of === 'two tables' ? { between: ['tied.embedding', 'untied.embedding'] as const } : {}),
    ...(metric === 'neighbors' ? { token: 3, k: 2 } : {}),
    ...(metric === 'rounded-loss' ? { bits: 4 } : {}),
    ...(metric === 'packed-loss' ? { packing: 'Q4_K_M' } : {}),
    ...(metric === 'tuned-lens' ? { steps: 10, tokensPerStep: 64 } : {}),
  })),
} as const satisfies ExperimentSpec;

export const translators = {
  name: 'three-tables',
  pairs: { task: 'reversal', seed: 1, count: 300, length: 3 },
  model: { dModel: 8, nHeads: 2, nEncoderLayers: 1, nDecoderLayers: 1 },
  training: { learningRate: 0.01, steps: 30, batchSize: 16 },
  arms: {
    one: { model: { tying: 'all' } },
    two: { model: { tying: { tables: ['encoder-input', 'output'] } } },
    three: { model: { tying: 'none' } },
  },
  seeds: [1, 2],
  measure: [
    { metric: 'loss', every: 15 },
    { metric: 'translation' },
    { metric: 'parameters' },
    { metric: 'role-shares', every: 10 },
    { metric: 'encoder-gradient-norm' },
    { metric: 'encoder-embedding-drift', every: 10 },
    { metric: 'role-gradients', at: ['start', 'end'] },
    { metric: 'isotropy', table: 'encoder-embedding' },
    { metric: 'alignment', method: 'identity', between: ['three.encoder-embedding', 'three.unembedding'] },
    { metric: 'start-cosine', table: 'encoder-embedding', at: ['start', 'end'] },
  ],
  claims: [
    { id: 'a-third', says: 'abs(parameters(three).tables - 3 * parameters(one).tables) <= 0 in every seed' },
    { id: 'adds-up', says: 'role-gradients(one, step=0..30).split <= 0 in every seed' },
  ],
} as const satisfies ExperimentSpec;

/** A text and another one of the same words, in another order. */
export const moving = {
  name: 'moved',
  text: { stories: { seed: 1, length: 4000 } },
  tokenizer: { kind: 'bpe', vocabSize: 300 },
  then: {
    text: { string: 'It was a cold morning in March, and the last of the snow lay on the stairs. '.repeat(20) },
    afterSteps: 70,
    training: { learningRate: 0.003 },
  },
  model: { kind: 'transformer', dModel: 8, nLayers: 1, nHeads: 2, contextLength: 8 },
  training: { learningRate: 0.01, steps: 150, batchSize: 4, decay: 'cosine' },
  arms: { tied: { model: { tying: 'tied' } }, untied: { model: { tying: 'untied' } } },
  seeds: [1, 2],
  measure: [
    { metric: 'loss', at: ['start', 70, 'end'] },
    { metric: 'loss', on: 'second', at: ['start', 70, 'end'] },
    { metric: 'calibration', on: 'second', at: [70, 'end'] },
    { metric: 'embedding-drift', every: 1 },
    { metric: 'training-loss', every: 10 },
    { metric: 'work', at: [70, 'end'] },
  ],
  claims: [{ id: 'forgets', says: 'loss(tied, on=first) > loss(tied, on=first, step=70) in every seed' }],
} as const satisfies ExperimentSpec;

/** Without values that depend on time and machine. */
export const timeless = ({ runs, ...others }: ExperimentRecords) => ({
  ...others,
  // A browser does not report the CPU.
  runs: runs.map((run) => ({ ...run, started_at: '', seconds: 0, cpu: null })),
});
