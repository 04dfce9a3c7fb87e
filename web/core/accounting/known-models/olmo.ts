/** OLMo: tied at first, untied since. */
import type { KnownModel } from '../types.js';
import { file, hubCount } from './sources.js';

const OLMO = { organization: 'Allen Institute for AI' } as const;

function official(path: string): KnownModel['sources'] {
  const config = file('allenai/OLMo', '59a53e3', `configs/${path}`);
  return {
    sizes: `${config} (embedding_size, hidden width of both halves of SwiGLU)`,
    tying: `${config}: weight_tying`,
  };
}

export const OLMO_MODELS: readonly KnownModel[] = [
  {
    ...OLMO,
    id: 'olmo-1b',
    name: 'OLMo 1B',
    year: 2024,
    architecture: {
      family: 'llama',
      vocabSize: 50_304,
      dModel: 2048,
      nLayers: 16,
      nHeads: 16,
      dFeedForward: 8192,
      norm: 'none',
    },
    tying: 'tied',
    published: { total: 1_176_764_416, source: hubCount('allenai/OLMo-1B-hf') },
    sources: official('official-0724/OLMo-1B.yaml'),
    note: 'Its norms have no parameters.',
  },
  {
    ...OLMO,
    id: 'olmo-1b-0724',
    name: 'OLMo 1B (July 2024)',
    year: 2024,
    architecture: {
      family: 'llama',
      vocabSize: 50_304,
      dModel: 2048,
      nLayers: 16,
      nHeads: 16,
      dFeedForward: 8192,
      norm: 'none',
    },
    tying: 'untied',
    published: { total: 1_279_787_008, source: hubCount('allenai/OLMo-1B-0724-hf') },
    sources: {
      sizes: 'config.json of allenai/OLMo-1B-0724-hf on Hugging Face',
      tying: `The same file: tie_word_embeddings; ${file('AntonioLopardo/weight-tying-bias', 'd94ddee', 'MODELS.md')}`,
    },
    note: 'Its norms have no parameters.',
  },
  {
    ...OLMO,
    id: 'olmo-2-1b',
    name: 'OLMo 2 1B',
    year: 2025,
    architecture: {
      family: 'llama',
      vocabSize: 100_352,
      dModel: 2048,
      nLayers: 16,
      nHeads: 16,
      dFeedForward: 8192,
      queryKeyNorm: 'full',
    },
    tying: 'untied',
    published: { total: 1_484_916_736, source: hubCount('allenai/OLMo-2-0425-1B') },
    sources: official('official-0425/OLMo2-1B-stage1.yaml'),
  },
  {
    ...OLMO,
    id: 'olmo-2-7b',
    name: 'OLMo 2 7B',
    year: 2024,
    architecture: {
      family: 'llama',
      vocabSize: 100_352,
      dModel: 4096,
      nLayers: 32,
      nHeads: 32,
      dFeedForward: 11_008,
      queryKeyNorm: 'full',
    },
    tying: 'untied',
    published: { total: 7_298_617_344, source: hubCount('allenai/OLMo-2-1124-7B') },
    sources: official('official-1124/OLMo2-7B-stage1.yaml'),
  },
];
