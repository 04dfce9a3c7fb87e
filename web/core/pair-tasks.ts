/** The tasks that pairs can be generated for, and their limits. */
import type { PairTask } from './types.js';

/** In the order of text/pair_tasks.h. */
export const TASKS: readonly PairTask[] = [
  'reversal',
  'sorting',
  'transliteration',
  'numbers',
  'plurals',
  'past-tense',
];
export const WITH_LENGTH: readonly PairTask[] = ['reversal', 'sorting'];
export const DEFAULT_LENGTH = 8;
export const MAX_LENGTH = 1000;
export const MAX_COUNT = 2 ** 18;
