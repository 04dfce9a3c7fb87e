/** What a text tells of its numbers: they were rounded when they were printed, all to as many digits, or to as many decimals. */
import type { Values } from './float-originals.js';
import type { Interval, Originals } from './originals.js';

/** `digits`: significant ones. */
export interface Printed {
  readonly by: 'digits' | 'decimals';
  readonly count: number;
}

/** Digits that tell all numbers of 32 bits apart. */
const EXACT = 9;
const PARTS = /^[+-]?0*(\d*)\.?(\d*)(?:[eE]([+-]?\d+))?$/;

/** Null if all digits of 32 bits are there, or none after the point. */
export function printedOf(rows: Iterable<readonly string[]>, from: number): Printed | null {
  let [digits, least, most] = [0, Infinity, 0];
  for (const fields of rows) {
    for (let at = from; at < fields.length; at++) {
      const [, whole = '', fraction = '', exponent] = PARTS.exec(fields[at]!) ?? [];
      // An exponent is there for digits.
      const decimals = exponent === undefined ? fraction.length : -1;
      least = Math.min(least, decimals);
      most = Math.max(most, exponent === undefined ? decimals : fraction.length);
      digits = Math.max(digits, (whole === '' ? fraction.replace(/^0+/, '') : whole + fraction).length);
    }
  }
  if (digits >= EXACT || most === 0) return null;
  return least === most ? { by: 'decimals', count: most } : { by: 'digits', count: digits };
}

export const inWords = ({ by, count }: Printed): string =>
  `${count} ${by === 'digits' ? 'digit' : 'decimal'}${count === 1 ? '' : 's'}`;

const [FIRST, LAST] = [-60, 40];
const TENS = Array.from({ length: LAST - FIRST + 1 }, (_, at) => Number(`1e${at + FIRST}`));

/** The unit of the last digit that was printed. */
function unitOf(value: number, { by, count }: Printed): number {
  if (by === 'decimals') return TENS[-count - FIRST] ?? 0;
  const size = Math.abs(value);
  if (!(size > 0)) return 0;
  let [low, high] = [0, TENS.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    // 0.1 in 32 bits is not 0.1.
    if (TENS[middle]! <= size * (1 + 2 ** -24)) low = middle;
    else high = middle - 1;
  }
  return TENS[low - count + 1] ?? 0;
}

const widened = ({ least, most }: Interval, by: number): Interval => ({ least: least - by, most: most + by });

/** Half a unit farther than the numbers themselves allow; however it was printed, a whole one. */
export function originalsOfPrinted(exact: Originals, values: Values, printed: Printed): Originals {
  const units = Float64Array.from(values, (value) => unitOf(value, printed));
  return {
    low: exact.low.map((least, i) => least - units[i]! / 2),
    high: exact.high.map((most, i) => most + units[i]! / 2),
    boundsOf: (i) => {
      const { near, sure } = exact.boundsOf(i);
      return { near: widened(near, units[i]! / 2), sure: widened(sure, units[i]!) };
    },
  };
}
