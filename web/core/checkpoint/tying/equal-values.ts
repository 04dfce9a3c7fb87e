/** Whether two tables have the same values, as far as the rounding of both types lets one tell: docs/decisions/0070-equal-within-stored-scales.md. */
import { blockOf } from '../elements/element-types.js';
import { largestOf, type FloatName, type Rounding } from '../elements/float-originals.js';
import { roundingsOf, type Bounds, type Interval, type Originals } from '../elements/originals.js';
import { couldBeQuantsOf, couldHaveOneOrder } from '../elements/refined-scales.js';
import { tableShape } from '../rows/rows.js';
import { isQuantized } from '../elements/stored-blocks.js';
import type { Part } from '../rows/stored-part.js';
import { forPieces, type PiecesOptions, type Way } from '../rows/table-pieces.js';
import type { StoredTensor } from '../tensors.js';

/**
 * - `equal`: every two elements could be one number, which each table rounds in one way, with scales as ggml chooses them
 * - `blurred`: so they could, but nearly every element could be its neighbor, too: the tables are too coarse to tell
 * - `different`: some could not, however they were rounded and the scales were chosen
 * - `unknown`: neither
 */
export type Sameness = 'equal' | 'blurred' | 'different' | 'unknown';

/** How the two tables round. */
export type Roundings = readonly [Rounding, Rounding];

export interface ComparedValues {
  readonly found: Sameness;
  /** Of equal values. */
  readonly roundings: Roundings;
  /** Where they differ. */
  readonly seen: readonly [Part, Part] | null;
  /** Whether one table has numbers that are too large for the other one's type. */
  readonly hasTooLarge: boolean;
}

const NEAREST: Roundings = ['nearest', 'nearest'];

/** The ways in which programs round to these two types, of which one has to explain a whole table. */
const roundingsFor = (one: Part['dtype'], other: Part['dtype']): readonly Roundings[] =>
  one === other
    ? [NEAREST]
    : roundingsOf(one).flatMap((mine) => roundingsOf(other).map((theirs): Roundings => [mine, theirs]));

/** Tables of blocks are compared row by row only. */
export async function compareValues(
  input: StoredTensor,
  output: StoredTensor,
  way: Way,
  options: PiecesOptions,
): Promise<ComparedValues> {
  const all = roundingsFor(tableShape(input).dtype, tableShape(output).dtype);
  let reported = 0;
  const onShare = (share: number): void => {
    if (share > reported) options.onShare?.((reported = share));
  };
  // With one way of rounding after the other; if there are several, once more to see whether any number is too far off for all.
  for (const [at, roundings] of (all.length === 1 ? all : [...all, NEAREST]).entries()) {
    const isLast = at === all.length || all.length === 1;
    const now: { found: Sameness; seen: ComparedValues['seen'] } = { found: 'equal', seen: null };
    const count = newCount();
    await forPieces([input, output], way, { ...options, onShare }, (one, other) => {
      const here = sameness(one, other, roundings, count);
      if (here !== 'equal') now.found = here;
      if (here === 'different') now.seen = [one, other];
      return here === 'equal' || (here === 'unknown' && isLast);
    });
    if (now.found === 'equal' && isBlurred(count)) now.found = 'blurred';
    if (isLast || now.found !== 'unknown') return { ...now, roundings, hasTooLarge: count.tooLarge > 0 };
  }
  return { found: 'unknown', roundings: NEAREST, seen: null, hasTooLarge: false };
}

/** Whether floats of one type differ by more than their last bit. */
export const areApart = (one: Part, other: Part): boolean => sameness(one, other, NEAREST, newCount()) === 'different';

interface Count {
  /** Elements that are exactly equal, and no zeros. */
  same: number;
  /** A sample of those that are not, and those of them that their neighbors could not be. */
  rounded: number;
  telling: number;
  /** Elements that one of the two types cannot hold, beside something other than infinity. */
  tooLarge: number;
}

const newCount = (): Count => ({ same: 0, rounded: 0, telling: 0, tooLarge: 0 });
const SAMPLED = 16;
/** Among random numbers, nearly all tell in pairs of floats, and more than half with four bits. */
const LEAST_TELLING = 2 ** -6;

const isBlurred = ({ same, rounded, telling }: Count): boolean =>
  rounded === 0 ? same === 0 : telling < LEAST_TELLING * rounded;

/** Whether elements `from` to `to` are the same numbers or, in different types, could be roundings of the same ones. */
export function couldBeEqual(one: Part, other: Part, from: number, to: number): boolean {
  const isOneType = areOfOneType(one, other);
  return roundingsFor(one.dtype, other.dtype).some(([mine, theirs]) => {
    const [a, b] = isOneType ? [null, null] : [one.originals(mine), other.originals(theirs)];
    for (let i = from; i < to; i++) {
      if (isSame(one.values[i]!, other.values[i]!)) continue;
      if (a === null || b === null || !areNear(a.boundsOf(i), b.boundsOf(i))) return false;
    }
    return true;
  });
}

/** Whether one number is stored alike in both. */
const areOfOneType = (one: Part, other: Part): boolean =>
  one.dtype === other.dtype &&
  one.printed?.digits === other.printed?.digits &&
  one.printed?.decimals === other.printed?.decimals;

const isSame = (x: number, y: number): boolean => x === y || (Number.isNaN(x) && Number.isNaN(y));

/** Of types with refined scales. */
const REFINED_BLOCK = blockOf('Q4_0').elements;

// NaN compares as false.
const areNear = ({ near: a }: Bounds, { near: b }: Bounds): boolean => a.least <= b.most && b.least <= a.most;

/**
 * In one type, equal values are the same numbers. Others may be near enough for one original that was rounded in two ways, or quantized with other
 * scales, with an importance matrix; but nothing says so.
 */
function sameness(one: Part, other: Part, [mine, theirs]: Roundings, count: Count): Sameness {
  const isOneType = areOfOneType(one, other);
  const [a, b] = [one.originals(mine), other.originals(theirs)];
  const hasBlocks = isQuantized(one.dtype) || isQuantized(other.dtype);
  // Only blocks have ends that reach farther.
  const couldNotBe = (i: number, j: number): boolean =>
    hasBlocks ? !areNear(a.boundsOf(i), b.boundsOf(j)) : a.low[i]! > b.high[j]! || b.low[j]! > a.high[i]!;
  // What programs make of a number that is too large for a type proves nothing: infinity, the largest number, NaN.
  const most = hasBlocks ? Infinity : Math.min(largestOf(one.dtype as FloatName), largestOf(other.dtype as FloatName));
  let found: Sameness = 'equal';
  let checked = -1;
  for (let i = 0; i < one.values.length; i++) {
    const [x, y] = [one.values[i]!, other.values[i]!];
    if (isSame(x, y)) {
      if (x !== 0) count.same++;
      continue;
    }
    if (i % SAMPLED === 0 && i + 1 < one.values.length) {
      count.rounded++;
      if (couldNotBe(i, i + 1) && couldNotBe(i + 1, i)) count.telling++;
    }
    if (!isOneType && a.low[i]! <= b.high[i]! && b.low[i]! <= a.high[i]!) continue;
    const [mineHere, theirsHere] = [a.boundsOf(i), b.boundsOf(i)];
    const isNear = areNear(mineHere, theirsHere);
    if (isNear && !isOneType) continue;
    if (isTooLarge(one, x, most) || isTooLarge(other, y, most)) {
      count.tooLarge++;
      found = 'unknown';
      continue;
    }
    if (mineHere.sure.least > theirsHere.sure.most || theirsHere.sure.least > mineHere.sure.most) return 'different';
    found = 'unknown';
    const block = Math.floor(i / REFINED_BLOCK);
    if (!isNear && block !== checked && !couldBeRefined([one, a], [other, b], block)) return 'different';
    checked = isNear ? checked : block;
  }
  return found;
}

/** Whether it is larger than `most`, which is less than its own type can hold. */
const isTooLarge = ({ dtype }: Part, value: number, most: number): boolean =>
  Math.abs(value) > most && most < largestOf(dtype as FloatName);

/** Whether the refinement of a scale could explain the difference in a block. */
function couldBeRefined(
  [one, a]: readonly [Part, Originals],
  [other, b]: readonly [Part, Originals],
  block: number,
): boolean {
  const [mine, theirs] = [one.refined(block), other.refined(block)];
  if (mine !== null && theirs !== null) return couldHaveOneOrder(mine, theirs);
  const sureOf =
    (originals: Originals) =>
    (i: number): Interval =>
      originals.boundsOf(block * REFINED_BLOCK + i).sure;
  if (mine !== null) return couldBeQuantsOf(mine, sureOf(b));
  return theirs === null || couldBeQuantsOf(theirs, sureOf(a));
}
