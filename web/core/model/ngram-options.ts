/** The option `ngrams`: its checks, and its form as numbers of the core. */
import type { Next } from '../runtime/next-number.js';
import type { NgramConfig } from '../types.js';
import { checkInteger, checkOptions } from '../runtime/validate.js';

// Limits of the core, defined in model/config.h.
const HIGHEST_ORDER = 8;
const MOST_ROWS = 2 ** 32 - 1;

export function checkNgrams(given: unknown): NgramConfig {
  const { order, rows } = checkOptions('model.ngrams', given as Partial<NgramConfig>, ['order', 'rows']);
  return Object.freeze({
    order: checkInteger('model.ngrams.order', order, 2, HIGHEST_ORDER),
    rows: checkInteger('model.ngrams.rows', rows, 1, MOST_ROWS),
  });
}

/** The core's ngram_order and ngram_rows. */
export const ngramNumbers = (ngrams: NgramConfig | undefined): number[] => [ngrams?.order ?? 0, ngrams?.rows ?? 0];

/** The reverse. */
export function ngramsOf(next: Next): NgramConfig | undefined {
  const [order, rows] = [next(), next()];
  return order === 0 ? undefined : Object.freeze({ order, rows });
}
