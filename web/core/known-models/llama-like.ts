/** Llama and those built like it: rotary positions, RMSNorm, SwiGLU, no biases. */
import type { KnownModel } from '../accounting-types.js';
import { file, hubCount, kerasCount, mlcPreset } from './sources.js';

/** A config.json that says both sizes and tying. */
function preset(name: string): KnownModel['sources'] {
  return { sizes: mlcPreset(name), tying: `The same file: tie_word_embeddings` };
}

const LLAMA_32_CARD = file('meta-llama/llama-models', 'a9c89c4', 'models/llama3_2/MODEL_CARD.md');

function llama32(name: string): KnownModel['sources'] {
  return { sizes: mlcPreset(name), tying: `${LLAMA_32_CARD}: "Shared Embeddings: Yes"; tie_word_embeddings is true` };
}

function smollm(path: string): KnownModel['sources'] {
  const config = file('huggingface/smollm', 'a041759', `text/pretraining/${path}`);
  return { sizes: config, tying: `${config}: tie_word_embeddings: true` };
}

export const LLAMA_LIKE: readonly KnownModel[] = [
  {
    id: 'llama-2-7b',
    name: 'Llama 2 7B',
    organization: 'Meta',
    year: 2023,
    architecture: { family: 'llama', vocabSize: 32_000, dModel: 4096, nLayers: 32, nHeads: 32 },
    tying: 'untied',
    published: { total: 6_738_415_616, source: kerasCount('llama', 'llama2_7b_en') },
    sources: preset('llama2_7b'),
  },
  {
    id: 'llama-2-70b',
    name: 'Llama 2 70B',
    organization: 'Meta',
    year: 2023,
    architecture: {
      family: 'llama',
      vocabSize: 32_000,
      dModel: 8192,
      nLayers: 80,
      nHeads: 64,
      nKeyValueHeads: 8,
      dFeedForward: 28_672,
    },
    tying: 'untied',
    published: null,
    sources: preset('llama2_70b'),
    note: 'Its name says 70 billion.',
  },
  {
    id: 'llama-3.1-8b',
    name: 'Llama 3.1 8B',
    organization: 'Meta',
    year: 2024,
    architecture: {
      family: 'llama',
      vocabSize: 128_256,
      dModel: 4096,
      nLayers: 32,
      nHeads: 32,
      nKeyValueHeads: 8,
      dFeedForward: 14_336,
    },
    tying: 'untied',
    published: { total: 8_030_261_248, source: kerasCount('llama3', 'llama3.1_8b') },
    sources: preset('llama3_1_8b'),
  },
  {
    id: 'llama-3.1-70b',
    name: 'Llama 3.1 70B',
    organization: 'Meta',
    year: 2024,
    architecture: {
      family: 'llama',
      vocabSize: 128_256,
      dModel: 8192,
      nLayers: 80,
      nHeads: 64,
      nKeyValueHeads: 8,
      dFeedForward: 28_672,
    },
    tying: 'untied',
    published: { total: 70_553_706_496, source: `${hubCount('meta-llama/Llama-3.3-70B-Instruct')}, of the same shape` },
    sources: preset('llama3_1_70b'),
  },
  {
    id: 'llama-3.2-1b',
    name: 'Llama 3.2 1B',
    organization: 'Meta',
    year: 2024,
    architecture: {
      family: 'llama',
      vocabSize: 128_256,
      dModel: 2048,
      nLayers: 16,
      nHeads: 32,
      nKeyValueHeads: 8,
      dFeedForward: 8192,
    },
    tying: 'tied',
    published: { total: 1_230_000_000, source: LLAMA_32_CARD },
    sources: llama32('llama3_2_1b'),
  },
  {
    id: 'llama-3.2-3b',
    name: 'Llama 3.2 3B',
    organization: 'Meta',
    year: 2024,
    architecture: {
      family: 'llama',
      vocabSize: 128_256,
      dModel: 3072,
      nLayers: 28,
      nHeads: 24,
      nKeyValueHeads: 8,
      dFeedForward: 8192,
    },
    tying: 'tied',
    published: { total: 3_210_000_000, source: LLAMA_32_CARD },
    sources: llama32('llama3_2_3b'),
  },
  {
    id: 'tinyllama-1.1b',
    name: 'TinyLlama 1.1B',
    organization: 'TinyLlama',
    year: 2023,
    architecture: {
      family: 'llama',
      vocabSize: 32_000,
      dModel: 2048,
      nLayers: 22,
      nHeads: 32,
      nKeyValueHeads: 4,
      dFeedForward: 5632,
    },
    tying: 'untied',
    published: { total: 1_100_000_000, source: file('jzhang38/TinyLlama', 'bf12224', 'README.md') },
    sources: {
      sizes: file('jzhang38/TinyLlama', 'bf12224', 'lit_gpt/config.py'),
      tying: `${mlcPreset('tinyllama_1b_chat_v1.0')}: tie_word_embeddings is false`,
    },
  },
  {
    id: 'mobilellm-125m',
    name: 'MobileLLM 125M',
    organization: 'Meta',
    year: 2024,
    architecture: {
      family: 'llama',
      vocabSize: 32_000,
      dModel: 576,
      nLayers: 30,
      nHeads: 9,
      nKeyValueHeads: 3,
      dFeedForward: 1536,
    },
    tying: 'tied',
    published: { total: 124_600_000, source: 'Model card of facebook/MobileLLM-125M on Hugging Face' },
    sources: {
      sizes: file('facebookresearch/MobileLLM', '8b9769d', 'configs/125M/config.json'),
      tying: `${file('facebookresearch/MobileLLM', '8b9769d', 'pretrain.sh')}: --share_embedding True; logits come from the embedding in utils/modeling_llama.py`,
    },
    note: 'Its config.json has tie_word_embeddings false: the sharing is a flag of its own, share_embedding.',
  },
  {
    id: 'smollm2-135m',
    name: 'SmolLM2 135M',
    organization: 'Hugging Face',
    year: 2024,
    architecture: {
      family: 'llama',
      vocabSize: 49_152,
      dModel: 576,
      nLayers: 30,
      nHeads: 9,
      nKeyValueHeads: 3,
      dFeedForward: 1536,
    },
    tying: 'tied',
    published: { total: 135_000_000, source: file('huggingface/smollm', 'a041759', 'text/README.md') },
    sources: smollm('smollm2/config_smollm2_135M.yaml'),
  },
  {
    id: 'smollm2-360m',
    name: 'SmolLM2 360M',
    organization: 'Hugging Face',
    year: 2024,
    architecture: {
      family: 'llama',
      vocabSize: 49_152,
      dModel: 960,
      nLayers: 32,
      nHeads: 15,
      nKeyValueHeads: 5,
      dFeedForward: 2560,
    },
    tying: 'tied',
    published: { total: 361_821_120, source: hubCount('HuggingFaceTB/SmolLM2-360M-Instruct') },
    sources: smollm('smollm2/config_smollm2_360M.yaml'),
  },
  {
    id: 'smollm-1.7b',
    name: 'SmolLM 1.7B',
    organization: 'Hugging Face',
    year: 2024,
    architecture: { family: 'llama', vocabSize: 49_152, dModel: 2048, nLayers: 24, nHeads: 32, dFeedForward: 8192 },
    tying: 'tied',
    published: { total: 1_711_376_384, source: `${hubCount('HuggingFaceTB/SmolLM2-1.7B')}, of the same shape` },
    sources: smollm('smollm1/config_smollm1_1B.yaml'),
  },
  {
    id: 'smollm3-3b',
    name: 'SmolLM3 3B',
    organization: 'Hugging Face',
    year: 2025,
    architecture: {
      family: 'llama',
      vocabSize: 128_256,
      dModel: 2048,
      nLayers: 36,
      nHeads: 16,
      nKeyValueHeads: 4,
      dFeedForward: 11_008,
    },
    tying: 'tied',
    published: { total: 3_075_100_928, source: kerasCount('smollm3', 'smollm3_3b_en') },
    sources: smollm('smollm3/stage1_8T.yaml'),
    note: 'The published count has 2,304 numbers more than the weights that learn.',
  },
];
