import { group, type Panel } from '../shared/settings/panel-parts.js';
import type { headsSettings } from './heads.settings.js';

export const headsPanel = [
  'transport',
  'ownText',
  group(
    'rest',
    'textSource',
    group('row choices', 'tokenizer', 'dModel'),
    group('fields', 'vocabSize', 'steps', 'seed'),
  ),
] satisfies Panel<keyof typeof headsSettings | 'ownText' | 'transport'>;

export const comparisonPanel = ['by', group('rest', 'share')] satisfies Panel<keyof typeof headsSettings>;
