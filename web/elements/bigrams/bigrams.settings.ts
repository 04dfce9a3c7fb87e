import { builtInTexts } from '../../texts/index.js';
import { chanceSetting } from '../shared/chance.js';
import { group, type Panel } from '../shared/settings/panel-parts.js';
import { choice, integer, number, seed, segments } from '../shared/settings/setting.js';

export const textSources = [...builtInTexts.map(({ id }) => id), 'stories', 'own'] as const;
export const textOrders = ['written', 'backwards', 'shuffled'] as const;
export const mapValues = ['flow', 'counts', 'probabilities'] as const;
export type TextOrder = (typeof textOrders)[number];
export type MapValues = (typeof mapValues)[number];

export const bigramsSettings = {
  textSource: choice<string>(textSources, { link: 'always', label: 'textSource', control: { names: 'textSources' } }),
  tokenizer: segments(['character', 'word'], 'tokenizer', 'tokenizers', { link: 'always' }),
  /** The most frequent words are tokens; all others share one token, the rare word. */
  vocabSize: number(100, {
    ...integer(8, 1024),
    label: 'vocabSize',
    control: { slider: 'log', atEnd: true },
    applies: ({ tokenizer }) => tokenizer === 'word',
  }),
  textOrder: segments(textOrders, 'textOrder', 'textOrders'),
  mapValues: segments(mapValues, 'mapValues', 'mapValuesNames'),
  /** Tokens in the map: the most frequent ones. */
  mapTokens: number(28, { ...integer(2, 64), label: 'mapTokens', control: { slider: 'linear' } }),
  chance: chanceSetting,
  /** Reversible texts drawn per order of the text. */
  nullRuns: number(20, { ...integer(2, 200) }),
  /** Seed of the shuffle, the stories and the reversible texts. */
  seed: seed(),
};

export const bigramsPanel = [
  'textSource',
  'modelsText',
  'ownText',
  group('rest', 'tokenizer', 'vocabSize', 'textOrder', 'mapValues', 'mapTokens', 'chance'),
] satisfies Panel<keyof typeof bigramsSettings | 'modelsText' | 'ownText'>;
