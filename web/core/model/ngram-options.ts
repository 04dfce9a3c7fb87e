/** Checks of the option `ngrams`. */
import { MODEL_FIELDS } from '../generated/fields.js';
import { checkField } from './option-codec.js';
import type { NgramConfig } from './types.js';
import { checkDivides, checkInteger, checkOptions } from '../runtime/validate.js';

export function checkNgrams(given: unknown, dModel: number): NgramConfig {
  const { order, rows, heads, places } = checkOptions('model.ngrams', given as Partial<NgramConfig>, [
    'order',
    'rows',
    'heads',
    'places',
  ]);
  const complete: NgramConfig = {
    order: checkInteger('model.ngrams.order', order, 2, MODEL_FIELDS['ngrams.order'].whole[1]),
    rows: checkField('model.ngrams.rows', rows, MODEL_FIELDS['ngrams.rows']) as number,
  };
  if (heads !== undefined) {
    checkField('model.ngrams.heads', heads, MODEL_FIELDS['ngrams.heads']);
    checkDivides('model.ngrams.heads', heads, 'model.dModel', dModel);
    // One head is written as none is, so that equal models have equal options.
    if (heads > 1) complete.heads = heads;
  }
  if (places !== undefined) {
    checkField('model.ngrams.places', places, MODEL_FIELDS['ngrams.places']);
    if (places !== 'input') complete.places = places;
  }
  return Object.freeze(complete);
}
