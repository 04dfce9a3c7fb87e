import type { ExperimentSpec } from '../../core/types.js';

/** What runs if the page names no experiment: small enough for a minute or two on two cores. */
export const defaultSpec: ExperimentSpec = {
  name: 'whose-table',
  text: { stories: { seed: 1, length: 100_000 } },
  tokenizer: { kind: 'bpe', vocabSize: 512 },
  model: { kind: 'transformer', dModel: 48, nLayers: 2, nHeads: 4, contextLength: 32 },
  training: { steps: 1000, learningRate: 0.003, batchSize: 8, warmupSteps: 50, decay: 'cosine' },
  arms: { tied: { model: { tying: 'tied' } }, untied: { model: { tying: 'untied' } } },
  seeds: [1, 2, 3],
  measure: [
    { metric: 'loss', every: 50 },
    { metric: 'alignment', method: 'linear', between: ['tied.embedding', 'untied.unembedding'] },
    { metric: 'alignment', method: 'linear', between: ['tied.embedding', 'untied.embedding'] },
  ],
  claims: [
    {
      id: 'closer-to-the-output',
      says: 'alignment(untied.unembedding).heldOut > alignment(untied.embedding).heldOut in every seed',
      words:
        'The one table of a tied model is closer to the writing table of its untied twin than to the reading table, on tokens that the map between them has not seen.',
    },
  ],
};
