/** Options of the readouts that group tokens by how often they occur. */
import { argumentError } from '../runtime/errors.js';
import { checkListening } from './logit-lens.js';
import type { DiagnosticOptions, FrequencyOptions } from '../types.js';
import { checkOptions, checkVector } from '../runtime/validate.js';

export interface CheckedFrequencies extends Pick<DiagnosticOptions, 'onProgress'> {
  counts: Uint32Array | null;
  signal: AbortSignal | undefined;
}

/** Checks of the options, for every model. */
export function checkFrequencies(options: FrequencyOptions = {}): CheckedFrequencies {
  const given = checkOptions('options', options, ['counts', 'onProgress', 'signal']);
  return { counts: readCounts(given.counts), ...checkListening(given) };
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
