import type { Tying } from '../../../core/types.js';
import type { ArmKind } from '../transformer/settings.js';

/** The class that colours words and marks of an arm; the meaning of the hues is that of the palette. */
export const armClass: Record<Tying | ArmKind, 'is-tied' | 'is-untied' | 'is-through'> = {
  tied: 'is-tied',
  untied: 'is-untied',
  'tied-linear': 'is-through',
  'tied-mlp': 'is-through',
  'tied-low-rank': 'is-through',
  'untied-later': 'is-untied',
};
