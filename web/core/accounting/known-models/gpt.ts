/** GPT-2 and its successors: learned or rotary positions, LayerNorm, biases. */
import type { KnownModel } from '../types.js';
import { file, kerasCount, TIED_BY_DEFAULT, transformersClass } from './sources.js';

const GPT2_SIZES = `${file('openai/gpt-2', '9b63575', 'src/model.py')} (context, biases); ${file('karpathy/nanoGPT', '0011cd4', 'model.py')}, from_pretrained (vocabulary, width, layers, heads)`;

const GPT2 = {
  organization: 'OpenAI',
  year: 2019,
  tying: 'tied',
  sources: {
    sizes: GPT2_SIZES,
    tying: `${file('openai/gpt-2', '9b63575', 'src/model.py')}: logits are h times the transpose of wte`,
  },
} as const;

const PYTHIA_CARD = 'Model cards of EleutherAI/pythia on Hugging Face, table of total parameters';

function pythia(size: string): KnownModel['sources'] {
  const config = file('EleutherAI/pythia', 'a19eecb', `models/${size}/pythia-${size.toLowerCase()}.yml`);
  return {
    sizes: `${config}; vocabulary of 50,304 rows: the model's config.json`,
    tying: `${config}: "no-weight-tying": true`,
  };
}

const PYTHIA = { organization: 'EleutherAI', year: 2023, tying: 'untied' } as const;

export const GPT: readonly KnownModel[] = [
  {
    ...GPT2,
    id: 'gpt2',
    name: 'GPT-2 small',
    architecture: { family: 'gpt-2', vocabSize: 50_257, dModel: 768, nLayers: 12 },
    published: { total: 124_439_808, source: kerasCount('gpt2', 'gpt2_base_en') },
  },
  {
    ...GPT2,
    id: 'gpt2-medium',
    name: 'GPT-2 medium',
    architecture: { family: 'gpt-2', vocabSize: 50_257, dModel: 1024, nLayers: 24 },
    published: { total: 354_823_168, source: kerasCount('gpt2', 'gpt2_medium_en') },
  },
  {
    ...GPT2,
    id: 'gpt2-large',
    name: 'GPT-2 large',
    architecture: { family: 'gpt-2', vocabSize: 50_257, dModel: 1280, nLayers: 36 },
    published: { total: 774_030_080, source: kerasCount('gpt2', 'gpt2_large_en') },
  },
  {
    ...GPT2,
    id: 'gpt2-xl',
    name: 'GPT-2 XL',
    architecture: { family: 'gpt-2', vocabSize: 50_257, dModel: 1600, nLayers: 48 },
    published: { total: 1_557_611_200, source: kerasCount('gpt2', 'gpt2_extra_large_en') },
  },
  {
    ...PYTHIA,
    id: 'pythia-70m',
    name: 'Pythia 70M',
    architecture: { family: 'gpt-neox', vocabSize: 50_304, dModel: 512, nLayers: 6 },
    published: { total: 70_426_624, source: PYTHIA_CARD },
    sources: pythia('70M'),
  },
  {
    ...PYTHIA,
    id: 'pythia-160m',
    name: 'Pythia 160M',
    architecture: { family: 'gpt-neox', vocabSize: 50_304, dModel: 768, nLayers: 12 },
    published: { total: 162_322_944, source: PYTHIA_CARD },
    sources: pythia('160M'),
  },
  {
    ...PYTHIA,
    id: 'pythia-1b',
    name: 'Pythia 1B',
    architecture: { family: 'gpt-neox', vocabSize: 50_304, dModel: 2048, nLayers: 16, nHeads: 8 },
    published: { total: 1_011_781_632, source: PYTHIA_CARD },
    sources: pythia('1B'),
  },
  {
    ...PYTHIA,
    id: 'pythia-2.8b',
    name: 'Pythia 2.8B',
    architecture: { family: 'gpt-neox', vocabSize: 50_304, dModel: 2560, nLayers: 32, nHeads: 32 },
    published: { total: 2_775_208_960, source: PYTHIA_CARD },
    sources: pythia('2.8B'),
  },
  {
    id: 'gpt-neo-2.7b',
    name: 'GPT-Neo 2.7B',
    organization: 'EleutherAI',
    year: 2021,
    architecture: {
      family: 'gpt-2',
      vocabSize: 50_257,
      dModel: 2560,
      nLayers: 32,
      nHeads: 20,
      contextLength: 2048,
      biases: 'feed-forward',
      normBiases: true,
      fusedQueryKeyValue: false,
    },
    tying: 'tied',
    published: {
      total: 2_651_307_520,
      source: 'Weights of EleutherAI/gpt-neo-2.7B on Hugging Face as loaded by transformers, as others report them',
    },
    sources: {
      sizes: `${file('EleutherAI/gpt-neo', '23485e3', 'configs/gpt3_2-7B_256.json')}; 20 heads: config.json of EleutherAI/gpt-neo-2.7B on Hugging Face; biases: ${transformersClass('gpt_neo/modeling_gpt_neo.py', 'no bias in queries, keys and values')}`,
      tying: `${file('AntonioLopardo/weight-tying-bias', 'd94ddee', 'MODELS.md')}; ${TIED_BY_DEFAULT}`,
    },
    note: 'The output maps of its attention have biases, 81,920 parameters in all, that are not counted here.',
  },
  {
    id: 'opt-125m',
    name: 'OPT 125M',
    organization: 'Meta',
    year: 2022,
    architecture: {
      family: 'gpt-2',
      vocabSize: 50_272,
      dModel: 768,
      nLayers: 12,
      contextLength: 2050,
      fusedQueryKeyValue: false,
    },
    tying: 'tied',
    published: { total: 125_237_760, source: kerasCount('opt', 'opt_125m_en') },
    sources: {
      sizes: transformersClass(
        'opt/configuration_opt.py',
        'its defaults are this model; two more rows than the 2,048 positions',
      ),
      tying: TIED_BY_DEFAULT,
    },
    note: 'Two rows of its positions come before the first; the published count leaves them out.',
  },
  {
    id: 'bloom-560m',
    name: 'BLOOM 560M',
    organization: 'BigScience',
    year: 2022,
    architecture: {
      family: 'gpt-2',
      vocabSize: 250_880,
      dModel: 1024,
      nLayers: 24,
      positions: 'none',
      embeddingNorm: true,
    },
    tying: 'tied',
    published: { total: 559_214_592, source: kerasCount('bloom', 'bloom_560m_multi') },
    sources: {
      sizes: 'config.json of bigscience/bloom-560m on Hugging Face; ALiBi has no parameters',
      tying: TIED_BY_DEFAULT,
    },
  },
];
