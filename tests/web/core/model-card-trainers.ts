// Trainers for the tests of model cards.
import { OPTIONAL_MODULES } from '../../../web/core/runtime/modules.js';
import {
  loadCore,
  type Core,
  type ModelCardData,
  type ModelCardOptions,
  type ModelConfig,
  type Trainer,
  type TrainingConfig,
} from '../../../web/index.js';
import { matrixOf } from './support.js';

export const core: Core = await loadCore({ modules: OPTIONAL_MODULES });

export const VOCAB = 24;
export const IDS = Uint32Array.from({ length: 150 }, (_, i) => (i * i + 3 * (i % 7)) % VOCAB);
export const BASE = {
  ...{ kind: 'transformer', vocabSize: VOCAB, dModel: 8, tying: 'untied' },
  ...{ nLayers: 2, nHeads: 2, contextLength: 16, initStd: 0.3 },
} as const;
export const TRAINING = { learningRate: 0.01, batchSize: 4, seed: 3 };

export function trained(
  model: Partial<ModelConfig> = {},
  { steps = 20, training = {} }: { steps?: number; training?: Partial<TrainingConfig> } = {},
): Trainer {
  const trainer = core.createTrainer({
    model: { ...BASE, ...model } as ModelConfig,
    training: { ...TRAINING, ...training },
    tokenIds: IDS,
  });
  trainer.run(steps);
  return trainer;
}

/** A direct path with the given tables. */
export function pathOf(embedding: number[][], unembedding?: number[][]): Trainer {
  const table = matrixOf(embedding);
  const trainer = core.createTrainer({
    model: {
      ...{ kind: 'direct-path', vocabSize: table.rows, dModel: table.cols },
      tying: unembedding ? 'untied' : 'tied',
    },
    training: { learningRate: 0.1, seed: 1 },
    bigramCounts: core.bigrams(
      Uint32Array.from(embedding, (_, i) => i),
      table.rows,
    ).counts,
  });
  trainer.setMatrix('embedding', table);
  if (unembedding) trainer.setMatrix('unembedding', matrixOf(unembedding));
  return trainer;
}

export const ALL_TYINGS: Partial<ModelConfig>[] = [
  { tying: 'tied' },
  { tying: 'untied', norm: 'layer-norm', biases: 'all', outputBias: true },
  { tying: 'tied-linear', finalNorm: false },
  { tying: 'tied-low-rank', lowRank: 2 } as Partial<ModelConfig>,
  { tying: { untieAtStep: 5 } },
  { tying: { tieAtStep: 5 } },
  { tying: { untieAtStep: 500 } },
  { tying: { tieWhen: { inputShare: { above: 0.001 }, over: 2, from: 3 } } },
  { tying: { untieWhen: { inputShare: { below: 0 }, over: 2 } } },
];

export const cardOf = (trainer: Trainer, options: Partial<ModelCardOptions> = {}): ModelCardData =>
  trainer.modelCard({ tokenIds: IDS, ...options }).data;

/** Every value in plain data, with its path. */
export function leavesOf(value: unknown, path = 'data'): [path: string, leaf: unknown][] {
  if (typeof value !== 'object' || value === null) return [[path, value]];
  return Object.entries(value).flatMap(([name, field]) => leavesOf(field, `${path}.${name}`));
}
