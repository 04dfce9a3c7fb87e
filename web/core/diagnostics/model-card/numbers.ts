/** The numbers of model cards. */
import { TiedError } from '../../runtime/errors.js';
import type { CardNumber, CardUnit, NotMeasured } from '../../types.js';

/** As JSON has it: null for what is not finite, and no negative zero. */
export const finite = (value: number): number | null => (Number.isFinite(value) ? value + 0 : null);

export function cardNumber(
  value: number,
  unit: CardUnit,
  chance: number | null = null,
  chanceDeviation: number | null = null,
): CardNumber {
  const level = chance === null ? null : finite(chance);
  return { value: finite(value), unit, chance: level, chanceDeviation: finite(chanceDeviation ?? NaN) };
}

/** Where sizes or values leave a measure undetermined, the reason takes its place; other errors are passed on. */
export function unlessUndetermined(error: unknown): NotMeasured {
  if (error instanceof TiedError && (error.code === 'invalid-argument' || error.code === 'shape-mismatch')) {
    return { notMeasured: `It is undetermined for this model: ${error.message}.` };
  }
  throw error;
}
