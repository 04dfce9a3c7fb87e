/** Gemma: heads of 256 whatever the width, large vocabularies, tied at every size. */
import type { KnownModel } from '../types.js';
import { file, kerasCount, mlcPreset, transformersClass } from './sources.js';

const GEMMA = { organization: 'Google', tying: 'tied' } as const;

const TIED = `${file('google-deepmind/gemma', '7691fd4', 'gemma/gm/nn/_modules.py')}: Embedder.decode multiplies by the transpose of the input table`;

/** A model whose configuration in transformers' format does not mention tying. */
function preset(name: string, module: string): KnownModel['sources'] {
  const unsaid = transformersClass(`${module}/configuration_${module}.py`, 'true is the default, and no flag is set');
  return { sizes: mlcPreset(name), tying: `${TIED}; ${unsaid}` };
}

export const GEMMA_MODELS: readonly KnownModel[] = [
  {
    ...GEMMA,
    id: 'gemma-2b',
    name: 'Gemma 2B',
    year: 2024,
    architecture: { family: 'gemma', vocabSize: 256_000, dModel: 2048, nLayers: 18, nHeads: 8, nKeyValueHeads: 1 },
    published: { total: 2_506_172_416, source: kerasCount('gemma', 'gemma_2b_en') },
    sources: preset('gemma_2b', 'gemma'),
  },
  {
    ...GEMMA,
    id: 'gemma-2-2b',
    name: 'Gemma 2 2B',
    year: 2024,
    architecture: {
      family: 'gemma',
      vocabSize: 256_000,
      dModel: 2304,
      nLayers: 26,
      nHeads: 8,
      nKeyValueHeads: 4,
      dFeedForward: 9216,
      normsPerLayer: 4,
    },
    published: { total: 2_614_341_888, source: kerasCount('gemma', 'gemma2_2b_en') },
    sources: preset('gemma2_2b', 'gemma2'),
  },
  {
    ...GEMMA,
    id: 'gemma-2-9b',
    name: 'Gemma 2 9B',
    year: 2024,
    architecture: {
      family: 'gemma',
      vocabSize: 256_000,
      dModel: 3584,
      nLayers: 42,
      nHeads: 16,
      nKeyValueHeads: 8,
      dFeedForward: 14_336,
      normsPerLayer: 4,
    },
    published: { total: 9_241_705_984, source: kerasCount('gemma', 'gemma2_9b_en') },
    sources: preset('gemma2_9b', 'gemma2'),
  },
  {
    ...GEMMA,
    id: 'gemma-2-27b',
    name: 'Gemma 2 27B',
    year: 2024,
    architecture: {
      family: 'gemma',
      vocabSize: 256_000,
      dModel: 4608,
      nLayers: 46,
      nHeads: 32,
      nKeyValueHeads: 16,
      dHead: 128,
      dFeedForward: 36_864,
      normsPerLayer: 4,
    },
    published: { total: 27_227_128_320, source: kerasCount('gemma', 'gemma2_27b_en') },
    sources: preset('gemma2_27b', 'gemma2'),
  },
  {
    ...GEMMA,
    id: 'gemma-3-270m',
    name: 'Gemma 3 270M',
    year: 2025,
    architecture: {
      family: 'gemma',
      vocabSize: 262_144,
      dModel: 640,
      nLayers: 18,
      nHeads: 4,
      nKeyValueHeads: 1,
      dFeedForward: 2048,
      normsPerLayer: 4,
      queryKeyNorm: 'head',
    },
    published: { total: 268_098_176, source: kerasCount('gemma3', 'gemma3_270m') },
    sources: { sizes: file('google-deepmind/gemma', '7691fd4', 'gemma/gm/nn/_gemma.py'), tying: TIED },
  },
  {
    ...GEMMA,
    id: 'gemma-3-1b',
    name: 'Gemma 3 1B',
    year: 2025,
    architecture: {
      family: 'gemma',
      vocabSize: 262_144,
      dModel: 1152,
      nLayers: 26,
      nHeads: 4,
      nKeyValueHeads: 1,
      dFeedForward: 6912,
      normsPerLayer: 4,
      queryKeyNorm: 'head',
    },
    published: { total: 999_885_952, source: kerasCount('gemma3', 'gemma3_1b') },
    sources: preset('gemma3_1b_it', 'gemma3'),
  },
];
