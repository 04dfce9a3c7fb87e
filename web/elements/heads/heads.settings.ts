import { choice, integer, number, seed, segments } from '../shared/settings/setting.js';
import { comparisons } from './race.js';

export const textSources = ['stories', 'own'] as const;
export const widths = ['16', '32', '64'] as const;

export const headsSettings = {
  textSource: segments(textSources, 'textSource', 'textSources'),
  tokenizer: segments(['bpe', 'word'], 'tokenizer', 'tokenizers'),
  /** The maximum; a text may have fewer tokens. */
  vocabSize: number(2048, {
    ...integer(300, 16_384),
    label: 'vocabSize',
    control: { slider: 'log', between: [300, 8192], atEnd: true },
  }),
  dModel: choice(widths, { initial: '32', label: 'dModel', control: { as: 'segmented' } }),
  /** Steps of every model before they are compared at equal steps. */
  steps: number(200, {
    ...integer(20, 10_000),
    label: 'steps',
    control: { slider: 'log', between: [50, 1000], atEnd: true },
  }),
  seed: seed({ label: 'seed' }),
  by: segments(comparisons, 'by', 'comparisons', { link: 'always' }),
  /** The fraction of the steps, or of the time, in percent. */
  share: number(100, { ...integer(1, 100), label: 'share', control: { slider: 'linear' } }),
};
