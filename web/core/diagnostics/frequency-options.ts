/** Options of the readouts that group tokens by how often they occur. */
import { argumentError } from '../runtime/errors.js';
import type { FrequencyOptions } from '../types.js';
import { checkOptions, checkVector, LISTENING } from '../runtime/validate.js';

export interface CheckedFrequencies {
  counts: Uint32Array | null;
}

/** Checks of the options, for every model. */
export function checkFrequencies(options: FrequencyOptions = {}): CheckedFrequencies {
  return { counts: readCounts(checkOptions('options', options, ['counts', ...LISTENING]).counts) };
}

/** A copy of `options.counts`. */
export function readCounts(counts: unknown): Uint32Array | null {
  return counts === undefined ? null : checkVector('options.counts', counts, 'Uint32Array').slice();
}

/** The counts that were given, or those of the tokens of the text. */
export function countsOf({ counts }: CheckedFrequencies, ids: Uint32Array, vocabSize: number): Uint32Array {
  if (counts !== null) {
    if (counts.length === vocabSize) return counts;
    throw argumentError('shape-mismatch', 'options.counts', counts, `${vocabSize} elements, one for each token`);
  }
  const counted = new Uint32Array(vocabSize);
  for (const id of ids) counted[id]!++;
  return counted;
}
