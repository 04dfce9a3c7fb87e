import type { TyingReason } from '../../core/accounting/types.js';
import { bytes, chosenPercent, digits, inFull, percent } from '../../core/accounting/advice-sentences.js';
import type { AdvisorStrings } from './advisor.strings.js';

/** A reason's number as shown beside its sentence. */
export interface ShownNumber {
  readonly id: string;
  readonly name: string;
  /** With all digits. */
  readonly text: string;
  /** As a fraction, for a bar. */
  readonly share: number | null;
}

const shares = new Set(['ofTied', 'ofUntied', 'decoderSavedOfUntied', 'moreWidth', 'perplexity']);
const chosenShares = new Set(['large', 'small', 'confidence']);
/** Drawn as bars, because both ends of the scale have a meaning. */
const barred = new Set(['ofTied', 'ofUntied']);
const plain = new Set([
  'layersWorth',
  'within',
  'near',
  'lossDifference',
  'noDifference',
  'largeDifference',
  'difference',
  'low',
  'high',
  'widerDifference',
  'untiedLaterDifference',
  'inputTimesFiveDifference',
  'mapDifference',
  'greaterWidthDifference',
  'greaterWidthLow',
  'greaterWidthHigh',
]);
const signed = (value: number): string => (value < 0 ? `\u2212${digits(-value)}` : digits(value));

/** All numbers of a reason, in its order. */
export function shownNumbers(reason: TyingReason, texts: AdvisorStrings): ShownNumber[] {
  return Object.entries(reason.numbers).map(([id, value]) => ({
    id,
    name: texts.numbers[id] ?? id,
    text: textOf(reason.kind, id, value),
    share: barred.has(id) ? Number(value) : null,
  }));
}

function textOf(kind: TyingReason['kind'], id: string, value: number): string {
  if (kind === 'memory') return bytes(value);
  if (shares.has(id)) return percent(value);
  if (chosenShares.has(id)) return chosenPercent(value);
  return plain.has(id) ? signed(value) : inFull(value);
}
