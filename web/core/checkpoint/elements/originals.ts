/** Between which numbers the original of each stored element lies. */
import type { Bounds, Interval, Originals } from './bounds.js';
import { blockOf, isArranged, type ElementType } from './element-types.js';
import { originalsOfFloats, roundingsOfFloat, type Rounding, type Values } from './float-originals.js';
import { isLeveled, isSearched } from './leveled-blocks.js';
import { originalsOfLevels, unknownOriginals } from './leveled-originals.js';
import { blocksIn, IS_REFINED, isQuantized, subBlocksOf, type BoundedType, type SubBlock } from './stored-blocks.js';

export type { Bounds, Interval, Originals } from './bounds.js';

/** `values` are the decoded elements of `bytes`, which are whole blocks; of floats, only `values` are needed. */
export const originalsOf = (dtype: ElementType, bytes: Uint8Array, values: Values, rounding: Rounding): Originals =>
  isArranged(dtype)
    ? unknownOriginals(values)
    : !isQuantized(dtype)
      ? originalsOfFloats(dtype, values, rounding)
      : isSearched(dtype)
        ? unknownOriginals(values)
        : isLeveled(dtype)
          ? originalsOfLevels(dtype, bytes, values)
          : ofBlocks(dtype, bytes, values as Float32Array);

/** Roundings that programs use for a type. */
export const roundingsOf = (dtype: ElementType): readonly Rounding[] =>
  isQuantized(dtype) || isArranged(dtype) ? ['nearest'] : roundingsOfFloat(dtype);

/** Nothing compares with NaN. */
const NOTHING_NEAR: Interval = { least: NaN, most: NaN };
const ANYTHING: Interval = { least: -Infinity, most: Infinity };

/** Quantizers compute in 32 bits. */
const COMPUTED = 2 ** -19;

const computedOf = ({ step, offset, first, last }: SubBlock): number =>
  COMPUTED * (Math.abs(offset + first * step) + Math.abs(offset + last * step));

function ofBlocks(dtype: BoundedType, bytes: Uint8Array, values: Float32Array): Originals {
  const block = blockOf(dtype);
  const off = new Float64Array(values.length);
  let at = 0;
  for (let number = 0; number < blocksIn(dtype, bytes); number++) {
    for (const sub of subBlocksOf(dtype, bytes, number * block.bytes)) {
      const { size, step, offset, relative, absolute } = sub;
      // The half step is one of the scale before its rounding.
      const fixed = (Math.abs(step) / 2) * (1 + relative) + absolute + computedOf(sub);
      if (relative === 0) off.fill(fixed, at, at + size);
      else for (let i = at; i < at + size; i++) off[i] = fixed + relative * Math.abs(values[i]! - offset);
      at += size;
    }
  }
  const [low, high] = [new Float64Array(values.length), new Float64Array(values.length)];
  for (let i = 0; i < values.length; i++) {
    const value = Number.isFinite(values[i]) ? values[i]! : NaN;
    low[i] = value - off[i]!;
    high[i] = value + off[i]!;
  }
  // Elements are asked for in order.
  let [known, subs]: [number, readonly SubBlock[]] = [-1, []];
  const boundsOf = (i: number): Bounds => {
    const number = Math.floor(i / block.elements);
    if (number !== known) [known, subs] = [number, subBlocksOf(dtype, bytes, number * block.bytes)];
    const sub = subs[Math.floor((i % block.elements) / subs[0]!.size)]!;
    return boundsIn(sub, values[i]!, off[i]!, IS_REFINED[dtype]);
  };
  return { low, high, boundsOf };
}

function boundsIn(block: SubBlock, value: number, off: number, isRefined: boolean): Bounds {
  if (!Number.isFinite(value) || Number.isNaN(off)) return { near: NOTHING_NEAR, sure: ANYTHING };
  const { step, offset, first, last, beyond } = block;
  const ends = [offset + first * step, offset + last * step] as const;
  const half = Math.abs(step) / 2;
  // Without a step, every number is at both ends.
  const isLeast = beyond !== null && value <= Math.min(...ends) + half;
  const isMost = beyond !== null && value >= Math.max(...ends) - half;
  const computed = computedOf(block);
  return {
    near: {
      least: value - (isLeast ? Math.max(off, beyond![0] + computed) : off),
      most: value + (isMost ? Math.max(off, beyond![1] + computed) : off),
    },
    sure: {
      least: isLeast || isRefined ? -Infinity : value - off,
      most: isMost || isRefined ? Infinity : value + off,
    },
  };
}
