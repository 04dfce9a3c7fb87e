/** Whether the quants of a block, whose scale may have been refined after they were chosen, could be those of given originals. */
import { blockOf } from './element-types.js';
import type { Interval } from './originals.js';
import { isLeveled, isSearched, leveled, levelOf, type LeveledType } from './leveled-blocks.js';
import { IS_REFINED, subBlocksOf, type QuantizedType } from './stored-blocks.js';

export interface RefinedBlock {
  /** 32 integers, in the order of the elements. */
  readonly quants: Int32Array;
  readonly first: number;
  readonly last: number;
  /** The order of the numbers is that of the quants, or the reverse. */
  readonly isReversed: boolean;
  readonly hasMinimum: boolean;
  /** Of uneven levels, which the quants then count: their values in steps. */
  readonly levels: readonly number[] | null;
  /** Quantizers compute in 32 bits: half a step more by this many steps. */
  readonly slack: number;
}

const COMPUTED = 2 ** -19;

/** Block number `block`; `values`: the decoded elements of the whole table part. Null for types whose scales are not refined. */
export function refinedBlock(
  dtype: QuantizedType,
  bytes: Uint8Array,
  values: ArrayLike<number>,
  block: number,
): RefinedBlock | null {
  if (isLeveled(dtype)) return refinedLevels(dtype, bytes, values, block);
  if (isSearched(dtype) || !IS_REFINED[dtype]) return null;
  const [found] = subBlocksOf(dtype, bytes, block * blockOf(dtype).bytes);
  const { step, offset, size, first, last } = found!;
  // Without a step, the quants cannot be told from the numbers.
  if (!Number.isFinite(step) || !Number.isFinite(offset) || step === 0) return null;
  const quants = Int32Array.from({ length: size }, (_, i) => Math.round((values[block * size + i]! - offset) / step));
  const slack = COMPUTED * (Math.abs(offset / step) + last);
  return { quants, first, last, isReversed: step < 0, hasMinimum: first === 0, levels: null, slack };
}

function refinedLevels(
  dtype: LeveledType,
  bytes: Uint8Array,
  values: ArrayLike<number>,
  block: number,
): RefinedBlock | null {
  const type = leveled(dtype);
  if (type.isRefined !== true) return null;
  const { levels, size } = type;
  const [group] = type.groupsOf(bytes, block * blockOf(dtype).bytes);
  const { step } = group!;
  if (!Number.isFinite(step) || step === 0) return null;
  const quants = Int32Array.from({ length: size }, (_, i) => levelOf(type, group!, values[block * size + i]!));
  const slack = COMPUTED * Math.max(...levels.map(Math.abs));
  return { quants, first: 0, last: levels.length - 1, isReversed: step < 0, hasMinimum: false, levels, slack };
}

/**
 * Whether there is a scale (and a minimum, if the type has one) for which rounding turns originals within the intervals into the quants: with scale s
 * and minimum m, (q - 1/2) s + m <= x <= (q + 1/2) s + m, open at the ends of the range. For pairs of elements m drops out, and
 * each pair bounds s.
 */
export function couldBeQuantsOf(block: RefinedBlock, originals: (element: number) => Interval): boolean {
  const { quants, first, last, isReversed, hasMinimum, levels, slack } = block;
  let [smallest, largest] = [0, Infinity];
  /** `factor * s <= bound` */
  const holds = (factor: number, bound: number): boolean => {
    if (factor > 0) largest = Math.min(largest, bound / factor);
    else if (factor < 0) smallest = Math.max(smallest, bound / factor);
    else if (!(bound >= 0)) return false;
    return true;
  };
  const half = 0.5 + slack;
  // Where rounding turns to the next quant, in steps.
  const below = (q: number): number => (levels === null ? q - half : (levels[q - 1]! + levels[q]!) / 2 - slack);
  const above = (q: number): number => (levels === null ? q + half : (levels[q]! + levels[q + 1]!) / 2 + slack);
  const ends = Array.from(quants, (q, i) => {
    const { least, most } = originals(i);
    const [from, to] = isReversed ? [-most, -least] : [least, most];
    return {
      // In a reversed block -x = q |s|.
      up: q === first ? null : { factor: below(q), most: to },
      down: q === last ? null : { factor: above(q), least: from },
    };
  });
  for (const { up, down } of ends) {
    if (hasMinimum) continue;
    if (up !== null && !holds(up.factor, up.most)) return false;
    if (down !== null && !holds(-down.factor, -down.least)) return false;
  }
  if (hasMinimum) {
    for (const { up } of ends) {
      if (up === null) continue;
      for (const { down } of ends)
        if (down !== null && !holds(up.factor - down.factor, up.most - down.least)) return false;
    }
  }
  return smallest <= largest * (1 + slack);
}

/** Whether two blocks could have the same originals: quants that are two apart have their order. */
export function couldHaveOneOrder(one: RefinedBlock, other: RefinedBlock): boolean {
  const [a, b] = [one, other].map(({ quants, isReversed }) => (isReversed ? quants.map((q) => -q) : quants)) as [
    Int32Array,
    Int32Array,
  ];
  for (let i = 0; i < a.length; i++)
    for (let j = 0; j < a.length; j++) if (a[i]! - a[j]! >= 2 && b[j]! - b[i]! >= 2) return false;
  return true;
}
