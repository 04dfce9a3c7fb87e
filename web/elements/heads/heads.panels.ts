import { group, type Panel } from '../shared/settings/panel.js';
import type { headsSettings } from './heads.settings.js';

export const headsPanel = [
  'textSource',
  'ownText',
  group('row choices', 'tokenizer', 'dModel'),
  group('fields', 'vocabSize', 'steps', 'seed'),
  'transport',
] satisfies Panel<keyof typeof headsSettings | 'ownText' | 'transport'>;

export const comparisonPanel = ['by', 'share'] satisfies Panel<keyof typeof headsSettings>;
