/** Experiments that the tests share, small enough for seconds. */
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
  model: { kind: 'transformer', dModel: 8, nLayers: 2, nHeads: 2, contextLength: 8 },
  training: { learningRate: 0.01, steps: 20, batchSize: 4 },
  arms: { tied: { model: { tying: 'tied' } }, untied: { model: { tying: 'untied' } } },
  seeds: [1],
  measure: [
    'training-loss',
    'input-share',
    'input-position-share',
    'input-gradient-norm',
    'output-gradient-norm',
    'gradient-cosine',
    'gradient-norm',
    'embedding-drift',
    'unembedding-drift',
    'loss',
    'rounded-loss',
    'parameters',
    'work',
    'bigram-bounds',
    'cycles',
    'symmetry',
    'gradient-split',
    'loss-by-frequency',
    'logit-lens',
    'tuned-lens',
    'layer-ablation',
    'gradient',
    'direct-path',
    'hidden-states',
    'isotropy',
    'spectrum',
    'norm-frequency',
    'alignment',
    'neighbor-overlap',
    'cka',
    'spectral-distance',
  ].map((metric) => ({
    metric,
    ...(['alignment', 'neighbor-overlap', 'cka', 'spectral-distance'].includes(metric)
      ? { between: ['tied.embedding', 'untied.embedding'] as const }
      : {}),
    ...(metric === 'rounded-loss' ? { bits: 4 } : {}),
    ...(metric === 'tuned-lens' ? { steps: 10, tokensPerStep: 64 } : {}),
  })),
} as const satisfies ExperimentSpec;

/** Without what depends on the clock and the machine. */
export const timeless = ({ runs, ...others }: ExperimentRecords) => ({
  ...others,
  // A browser does not tell the processor.
  runs: runs.map((run) => ({ ...run, started_at: '', seconds: 0, cpu: null })),
});
