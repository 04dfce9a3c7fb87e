/** Small models of every kind whose batches have parts. */
import type { Core, TrainerOptions } from '../../../../web/core/types.js';

const tokenIds = Uint32Array.from({ length: 400 }, (_, at) => (at * at + (at >> 3)) % 13);
const training = { learningRate: 0.01, batchSize: 9, seed: 3, shards: 5 } as const;
const path = { kind: 'direct-path', vocabSize: 13, dModel: 4, tying: 'tied' } as const;
const gpt = {
  kind: 'transformer',
  vocabSize: 13,
  dModel: 8,
  nLayers: 2,
  nHeads: 2,
  contextLength: 6,
  tying: 'tied',
} as const;

/** Every kind of model, of tying, of head and of optimizer. `core` has the modules models and stories. */
export const kindsOf = (core: () => Core): readonly [name: string, options: () => TrainerOptions][] => [
  ['a tied path', () => ({ model: path, training, tokenIds })],
  [
    'untied paths with momentum',
    () => ({
      model: { ...path, tying: 'untied' },
      training: { ...training, optimizer: 'sgd', momentum: 0.9 },
      tokenIds,
    }),
  ],
  ['a path through a map', () => ({ model: { ...path, tying: 'tied-linear' }, training, tokenIds })],
  ['a path through a network', () => ({ model: { ...path, tying: 'tied-mlp' }, training, tokenIds })],
  ['a GPT', () => ({ model: gpt, training, tokenIds })],
  [
    'a GPT through a map, with plain gradients',
    () => ({ model: { ...gpt, tying: 'tied-linear' }, training: { ...training, optimizer: 'sgd' }, tokenIds }),
  ],
  [
    'a GPT of which Muon trains the maps',
    () => ({ model: gpt, training: { ...training, optimizer: 'muon' }, tokenIds }),
  ],
  ['a GPT with a correction', () => ({ model: { ...gpt, tying: 'tied-low-rank', lowRank: 2 }, training, tokenIds })],
  [
    'a GPT of GPT-2 with dropout, clipped gradients and batches that add up',
    () => ({
      model: { ...gpt, tying: 'untied', norm: 'layer-norm', biases: 'all', dropout: 0.2 },
      training: { ...training, gradientClip: 0.5, gradientAccumulation: 2, labelSmoothing: 0.1 },
      tokenIds,
    }),
  ],
  [
    'a GPT of llama2.c that is untied later',
    () => ({
      model: { ...gpt, positions: 'rotary', feedForward: 'swiglu', nKeyValueHeads: 1, tying: { untieAtStep: 5 } },
      training,
      tokenIds,
    }),
  ],
  [
    'a GPT that is untied by its share',
    () => ({ model: { ...gpt, tying: { untieWhen: { inputShare: { above: 0.1 }, over: 3 } } }, training, tokenIds }),
  ],
  [
    'a GPT that predicts hidden tokens, in batches that add up',
    () => ({
      model: { ...gpt, objective: 'masked-diffusion' },
      training: { ...training, gradientAccumulation: 2 },
      tokenIds,
    }),
  ],
  ['tied value embeddings', () => ({ model: { ...gpt, valueEmbeddings: 'tied' }, training, tokenIds })],
  [
    'a factorized table and n-grams before every layer',
    () => ({
      model: { ...gpt, tableRank: 3, ngrams: { order: 3, rows: 17, places: 'every-layer' } },
      training,
      tokenIds,
    }),
  ],
  [
    'a sampled head',
    () => ({ model: { ...gpt, head: { kind: 'sampled', samples: 5, proposal: 'log-uniform' } }, training, tokenIds }),
  ],
  [
    'an adaptive head',
    () => ({ model: { ...gpt, head: { kind: 'adaptive', cutoffs: [4, 8], divisor: 2 } }, training, tokenIds }),
  ],
  ['a clustered head', () => ({ model: { ...gpt, head: { kind: 'clustered', clusters: 3 } }, training, tokenIds })],
  ['a culled head', () => ({ model: { ...gpt, head: { kind: 'culled', kept: 7 } }, training, tokenIds })],
  [
    'an encoder-decoder',
    () => {
      const texts = core().writePairs({ task: 'reversal', seed: 1, count: 40, length: 3 });
      const tokenizer = core().pairTokenizer(texts);
      const { pairs, sourceLength, contextLength } = core().encodePairs({ pairs: texts, tokenizer });
      const { vocabSize } = tokenizer;
      return {
        model: {
          kind: 'encoder-decoder',
          dModel: 8,
          nEncoderLayers: 1,
          nDecoderLayers: 1,
          nHeads: 2,
          vocabSize,
          tying: 'all',
          sourceLength,
          contextLength,
        },
        training,
        pairs,
      };
    },
  ],
];
