/** Encoders, and encoders with decoders. */
import type { KnownModel } from '../types.js';
import { file, kerasCount, transformersClass } from './sources.js';

const BERT = 'google-research/bert';
const T5 = 'google-research/text-to-text-transfer-transformer';

const T5_SOURCES = {
  sizes: `${file(T5, 'e081111', 't5/models/gin/models')}; vocabulary of 32,128 rows: ${transformersClass('t5/configuration_t5.py', 'defaults')}`,
  tying: `${file(T5, 'e081111', 'released_checkpoints.md')}: only from version 1.1 on do embedding and classifier not share`,
};

const BERT_SOURCES = {
  sizes: `${file(BERT, 'eedf571', 'modeling.py and README.md')}; 30,522 tokens: ${transformersClass('bert/configuration_bert.py', 'default')}`,
  tying: `${file(BERT, 'eedf571', 'run_pretraining.py')}, get_masked_lm_output: the output weights are the input embeddings`,
};

const BERT_NOTE =
  'Counted with the head for masked tokens (a map, a norm, one bias per token); the published count has the pooler instead.';

export const BERT_T5: readonly KnownModel[] = [
  {
    id: 'bert-base',
    name: 'BERT base, uncased',
    organization: 'Google',
    year: 2018,
    architecture: { family: 'bert', vocabSize: 30_522, dModel: 768, nLayers: 12 },
    tying: 'tied',
    published: { total: 109_482_240, source: kerasCount('bert', 'bert_base_en_uncased') },
    sources: BERT_SOURCES,
    note: BERT_NOTE,
  },
  {
    id: 'bert-large',
    name: 'BERT large, uncased',
    organization: 'Google',
    year: 2018,
    architecture: { family: 'bert', vocabSize: 30_522, dModel: 1024, nLayers: 24 },
    tying: 'tied',
    published: { total: 335_141_888, source: kerasCount('bert', 'bert_large_en_uncased') },
    sources: BERT_SOURCES,
    note: BERT_NOTE,
  },
  {
    id: 'roberta-base',
    name: 'RoBERTa base',
    organization: 'Meta',
    year: 2019,
    architecture: { family: 'bert', vocabSize: 50_265, dModel: 768, nLayers: 12, contextLength: 514, nSegments: 1 },
    tying: 'tied',
    published: {
      total: 125_000_000,
      source: file('facebookresearch/fairseq', '3d262bb', 'examples/roberta/README.md'),
    },
    sources: {
      sizes: `As BERT base; vocabulary, 514 positions and one segment: config.json of roberta-base on Hugging Face and ${transformersClass('roberta/configuration_roberta.py', 'defaults')}`,
      tying: transformersClass(
        'roberta/modeling_roberta.py',
        'the decoder of RobertaForMaskedLM is tied to the word embeddings',
      ),
    },
    note: 'Two rows of its 514 positions stand for padding.',
  },
  {
    id: 't5-small',
    name: 'T5 small',
    organization: 'Google',
    year: 2019,
    architecture: { family: 't5', vocabSize: 32_128, dModel: 512, nLayers: 6 },
    tying: 'tied',
    published: { total: 60_506_624, source: kerasCount('t5', 't5_small_multi') },
    sources: T5_SOURCES,
  },
  {
    id: 't5-base',
    name: 'T5 base',
    organization: 'Google',
    year: 2019,
    architecture: { family: 't5', vocabSize: 32_128, dModel: 768, nLayers: 12 },
    tying: 'tied',
    published: { total: 222_903_552, source: kerasCount('t5', 't5_base_multi') },
    sources: T5_SOURCES,
  },
  {
    id: 't5-v1.1-base',
    name: 'T5 v1.1 base (and Flan-T5)',
    organization: 'Google',
    year: 2020,
    architecture: {
      family: 't5',
      vocabSize: 32_128,
      dModel: 768,
      nLayers: 12,
      dFeedForward: 2048,
      feedForward: 'gated',
    },
    tying: 'tied-inputs',
    published: { total: 247_577_856, source: kerasCount('t5', 't5_1.1_base') },
    sources: {
      sizes: file(T5, 'e081111', 't5/models/gin/models/t5.1.1.base.gin'),
      tying: `${file(T5, 'e081111', 't5/models/gin/models/t5.1.1.base.gin')}: shared_embedding_and_softmax_weights = False; encoder and decoder read from one table`,
    },
  },
  {
    id: 'mt5-small',
    name: 'mT5 small',
    organization: 'Google',
    year: 2020,
    architecture: {
      family: 't5',
      vocabSize: 250_112,
      dModel: 512,
      nLayers: 8,
      nHeads: 6,
      dFeedForward: 1024,
      feedForward: 'gated',
    },
    tying: 'tied-inputs',
    published: { total: 300_000_000, source: 'Xue et al. 2021, "mT5", section 3.2: Small, about 300 million' },
    sources: {
      sizes: transformersClass('mt5/configuration_mt5.py', 'its defaults are this model'),
      tying: transformersClass('mt5/configuration_mt5.py', 'tie_word_embeddings is false; mT5 follows T5 v1.1'),
    },
  },
];
