/** Encoders, and encoders with decoders. */
import type { KnownModel } from '../accounting-types.js';
import { file, kerasCount } from './sources.js';

const T5_TIED = `${file('google-research/text-to-text-transfer-transformer', 'e081111', 'released_checkpoints.md')}: only version 1.1 ends the sharing between embedding and classifier`;

export const BERT_T5: readonly KnownModel[] = [
  {
    id: 'bert-base',
    name: 'BERT base, uncased',
    organization: 'Google',
    year: 2018,
    architecture: { family: 'bert', vocabSize: 30_522, dModel: 768, nLayers: 12 },
    tying: 'tied',
    published: { total: 110_000_000, source: file('google-research/bert', 'eedf571', 'README.md') },
    sources: {
      sizes: `${file('google-research/bert', 'eedf571', 'modeling.py')} and README.md; vocabulary of 30,522: vocab.txt of the release`,
      tying: `${file('google-research/bert', 'eedf571', 'run_pretraining.py')}, get_masked_lm_output: output weights are the input embeddings, with a bias a token after a map and a norm`,
    },
    note: 'Counted with the head for masked tokens and without the pooler.',
  },
  {
    id: 't5-small',
    name: 'T5 small',
    organization: 'Google',
    year: 2019,
    architecture: { family: 't5', vocabSize: 32_128, dModel: 512, nLayers: 6 },
    tying: 'tied',
    published: { total: 60_506_624, source: kerasCount('t5', 't5_small_multi') },
    sources: {
      sizes:
        'Raffel et al. 2019, section 3.7; vocabulary of 32,128 rows: T5Config of Hugging Face transformers, src/transformers/models/t5/configuration_t5.py',
      tying: T5_TIED,
    },
  },
];
