/** Checks of the option `ngrams`. */
import { MODEL_FIELDS } from '../generated/fields.js';
import { checkField } from './option-codec.js';
import type { NgramConfig } from './types.js';
import { checkInteger, checkOptions } from '../runtime/validate.js';

export function checkNgrams(given: unknown): NgramConfig {
  const { order, rows } = checkOptions('model.ngrams', given as Partial<NgramConfig>, ['order', 'rows']);
  return Object.freeze({
    order: checkInteger('model.ngrams.order', order, 2, MODEL_FIELDS['ngrams.order'].whole[1]),
    rows: checkField('model.ngrams.rows', rows, MODEL_FIELDS['ngrams.rows']) as number,
  });
}
