/** The tasks that pairs can be generated for, their limits, and those of all pairs of texts. */
import type { PairTask } from '../types.js';

export const WITH_LENGTH: readonly PairTask[] = ['reversal', 'sorting'];
export const DEFAULT_LENGTH = 8;
export const MAX_LENGTH = 1000;
export const MAX_COUNT = 2 ** 18;

export const MAX_PAIRS = 2 ** 20;
/** Maximum UTF-16 units of a source or a target: far more than attention over characters can handle. */
export const MAX_SIDE = 2 ** 16;
/** Characters that occur in no text: they start and end a target. These are the control characters of that name. */
export const ENDS = ['\u0002', '\u0003'] as const;
