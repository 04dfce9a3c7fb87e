import type { Tying } from '../../../core/types.js';
import type { ArmKind } from '../transformer/settings.js';

/** The class that colors the text and marks of an arm, in the palette's hues. */
export const armClass: Record<Tying | ArmKind, 'is-tied' | 'is-untied' | 'is-through'> = {
  tied: 'is-tied',
  untied: 'is-untied',
  'tied-linear': 'is-through',
  'tied-mlp': 'is-through',
  'tied-low-rank': 'is-through',
  'untied-later': 'is-untied',
  'untied-between': 'is-untied',
  'untied-by-share': 'is-untied',
};
