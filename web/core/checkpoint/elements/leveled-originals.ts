/** Between which numbers the original of each element of a type with few or uneven levels lies: nearer to its level than to the next ones. */
import type { Values } from './float-originals.js';
import { blockOf } from './element-types.js';
import { leveled, levelOf, type LeveledGroup, type LeveledType } from './leveled-blocks.js';
import type { Bounds, Interval, Originals } from './bounds.js';

const NOTHING_NEAR: Interval = { least: NaN, most: NaN };
const ANYTHING: Interval = { least: -Infinity, most: Infinity };
/** Quantizers compute in 32 bits. */
const COMPUTED = 2 ** -19;

/** Of elements of which nothing is known but what is stored. */
export const unknownOriginals = ({ length }: Values): Originals => {
  const none = new Float64Array(length).fill(NaN);
  return { low: none, high: none, boundsOf: () => ({ near: NOTHING_NEAR, sure: ANYTHING }) };
};

/** Nothing is near: their rounding is so coarse that no two tables are called equal by it. */
export function originalsOfLevels(dtype: LeveledType, bytes: Uint8Array, values: Values): Originals {
  const type = leveled(dtype);
  const { levels, size } = type;
  const block = blockOf(dtype);
  // Elements are asked for in order.
  let [known, groups]: [number, readonly LeveledGroup[]] = [-1, []];
  const boundsOf = (i: number): Bounds => {
    const number = Math.floor(i / block.elements);
    if (number !== known) [known, groups] = [number, type.groupsOf(bytes, number * block.bytes)];
    const group = groups[Math.floor((i % block.elements) / size)]!;
    const sure = type.isRefined === true ? ANYTHING : between(levels, levelOf(type, group, values[i]!), group);
    return { near: NOTHING_NEAR, sure };
  };
  return { ...unknownOriginals(values), boundsOf };
}

/** The numbers nearer to a level than to others; the least and the largest level are open. */
function between(levels: readonly number[], at: number, group: LeveledGroup): Interval {
  const { step, offset, stepOff, offsetOff } = group;
  if (!Number.isFinite(step) || !Number.isFinite(offset) || step === 0) return ANYTHING;
  const largest = Math.max(Math.abs(levels[0]!), Math.abs(levels.at(-1)!));
  const computed = COMPUTED * (Math.abs(offset) + largest * Math.abs(step));
  const edge = (a: number | undefined, side: -1 | 1): number => {
    if (a === undefined) return side * Infinity;
    const middle = (a + levels[at]!) / 2;
    return offset + middle * step + side * (Math.abs(middle) * stepOff + offsetOff + computed);
  };
  const [below, above] = [levels[at - 1], levels[at + 1]];
  return step > 0 ? { least: edge(below, -1), most: edge(above, 1) } : { least: edge(above, -1), most: edge(below, 1) };
}
