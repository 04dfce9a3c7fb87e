/** What a text tells of its numbers: they were rounded when they were printed, to so many digits, or to so many decimals. */
import type { Values } from './float-originals.js';
import type { Interval, Originals } from './originals.js';

/** Of all numbers of a text, the most significant digits and the most decimals. Zeros at their ends may be left out, so either may be what they were rounded to. */
export interface Printed {
  readonly digits: number;
  readonly decimals: number;
}

/** Digits that tell all numbers of 32 bits apart. */
const EXACT = 9;
const PARTS = /^[+-]?0*(\d*)\.?(\d*)(?:[eE]([+-]?\d+))?$/;

/** Null if all digits of 32 bits are there, or none after the point. */
export function printedOf(rows: Iterable<readonly string[]>, from: number): Printed | null {
  let [digits, least, decimals] = [0, Infinity, 0];
  for (const fields of rows) {
    for (let at = from; at < fields.length; at++) {
      const [, whole = '', fraction = '', exponent] = PARTS.exec(fields[at]!) ?? [];
      const after = fraction.length - Number(exponent ?? 0);
      least = Math.min(least, after);
      decimals = Math.max(decimals, after);
      digits = Math.max(digits, (whole === '' ? fraction.replace(/^0+/, '') : whole + fraction).length);
    }
  }
  const areAll = digits >= EXACT && least < decimals && decimals >= digits;
  return areAll || decimals === 0 ? null : { digits, decimals };
}

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;

export const inWords = ({ digits, decimals }: Printed): string =>
  `at most ${counted(digits, 'digit')} and ${counted(decimals, 'decimal')}`;

const [FIRST, LAST] = [-60, 40];
const TENS = Array.from({ length: LAST - FIRST + 1 }, (_, at) => Number(`1e${at + FIRST}`));

/** The unit of the last digit that was printed. */
const tenTo = (power: number): number => TENS[power - FIRST] ?? 0;

/** The unit of the last digit that was printed, as it may be: the larger of the two. */
function unitOf(value: number, { digits, decimals }: Printed): number {
  const size = Math.abs(value);
  let [low, high] = [FIRST, LAST];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    // 0.1 in 32 bits is not 0.1.
    if (tenTo(middle) <= size * (1 + 2 ** -24)) low = middle;
    else high = middle - 1;
  }
  return Math.max(tenTo(-decimals), size > 0 ? tenTo(low - digits + 1) : 0);
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
