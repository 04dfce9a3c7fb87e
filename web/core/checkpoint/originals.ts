/** Between which numbers the original of each stored element lies. */
import { powerOfTwo } from '../runtime/elementary.js';
import { blockOf, type ElementType } from './element-types.js';
import { blocksIn, IS_REFINED, isQuantized, subBlocksOf, type QuantizedType, type SubBlock } from './stored-blocks.js';

/** Least and largest original. */
export interface Interval {
  readonly least: number;
  readonly most: number;
}

export interface Bounds {
  /** If the program that stored it rounds to the nearest number and chooses its scales as ggml does without an importance matrix. */
  readonly near: Interval;
  /** However the scale was chosen and whichever way a float was rounded. Refined scales leave single elements open: `couldBeQuantsOf`. */
  readonly sure: Interval;
}

export interface Originals {
  /** For each element, how far off its original may be at least: the near interval contains all that is no farther. NaN: see `boundsOf`. */
  readonly off: Float64Array;
  readonly boundsOf: (element: number) => Bounds;
}

/** `values` are the decoded elements of `bytes`, which are whole blocks. */
export const originalsOf = (dtype: ElementType, bytes: Uint8Array, values: Float32Array): Originals =>
  isQuantized(dtype) ? ofBlocks(dtype, bytes, values) : ofFloats(dtype, values);

interface FloatType {
  /** Half the last bit, as a fraction of the value, and near zero. */
  readonly relative: number;
  readonly absolute: number;
  /** The largest number, which stands for all larger ones if there is no infinity. */
  readonly largest: number;
  /** Whether larger numbers become infinite. */
  readonly hasInfinity: boolean;
  /** Whether programs make it by dropping bits of F32, which is off by up to a whole last bit. */
  readonly isTruncated?: boolean;
}

const float = (bits: number, absolute: number, largest: number, hasInfinity = true): FloatType => ({
  ...{ relative: powerOfTwo(-bits), absolute, largest, hasInfinity },
});

/** F64 is rounded to 32 bits when it is decoded. */
const LARGEST_32 = (2 - 2 ** -23) * 2 ** 127;
const FLOATS: Readonly<Record<Exclude<ElementType, QuantizedType>, FloatType>> = {
  F64: float(24, 2 ** -150, LARGEST_32),
  F32: float(24, 2 ** -150, LARGEST_32),
  F16: float(11, 2 ** -25, 65_504),
  BF16: { ...float(8, 2 ** -134, (2 - 2 ** -7) * 2 ** 127), isTruncated: true },
  F8_E4M3: float(4, 2 ** -10, 448, false),
  F8_E5M2: float(3, 2 ** -17, 57_344),
};
/** Of our own sums in double precision. */
const SLACK = 1 + 2 ** -20;

const ANYTHING: Interval = { least: -Infinity, most: Infinity };
/** Nothing compares with NaN. */
const NOTHING_NEAR: Interval = { least: NaN, most: NaN };

function ofFloats(dtype: keyof typeof FLOATS, values: Float32Array): Originals {
  const { relative, absolute, largest, hasInfinity, isTruncated = false } = FLOATS[dtype];
  const bits = isTruncated ? 2 : 1;
  const off = new Float64Array(values.length);
  for (let i = 0; i < values.length; i++) {
    const size = Math.abs(values[i]!);
    off[i] = size === Infinity ? NaN : bits * (relative * size + absolute) * SLACK;
  }
  const boundsOf = (i: number): Bounds => {
    const value = values[i]!;
    const size = Math.abs(value);
    // Without infinity, NaN also stands for what is too large; else no number becomes NaN.
    if (Number.isNaN(value))
      return { near: NOTHING_NEAR, sure: hasInfinity ? { least: Infinity, most: -Infinity } : ANYTHING };
    if (size === Infinity) {
      const beyond = value > 0 ? { least: largest, most: Infinity } : { least: -Infinity, most: -largest };
      return { near: beyond, sure: beyond };
    }
    const lastBit = 2 * (relative * size + absolute) * SLACK;
    const isCut = size === largest && !hasInfinity;
    return {
      near: { least: value - off[i]!, most: value + off[i]! },
      sure: {
        least: isCut && value < 0 ? -Infinity : value - lastBit,
        most: isCut && value > 0 ? Infinity : value + lastBit,
      },
    };
  };
  return { off, boundsOf };
}

/** Quantizers compute in 32 bits. */
const COMPUTED = 2 ** -19;

const computedOf = ({ step, offset, first, last }: SubBlock): number =>
  COMPUTED * (Math.abs(offset + first * step) + Math.abs(offset + last * step));

function ofBlocks(dtype: QuantizedType, bytes: Uint8Array, values: Float32Array): Originals {
  const block = blockOf(dtype);
  const off = new Float64Array(values.length);
  let at = 0;
  for (let number = 0; number < blocksIn(dtype, bytes); number++) {
    for (const sub of subBlocksOf(dtype, bytes, number * block.bytes)) {
      const { size, step, offset, relative, absolute } = sub;
      const fixed = Math.abs(step) / 2 + absolute + computedOf(sub);
      if (relative === 0) off.fill(fixed, at, at + size);
      else for (let i = at; i < at + size; i++) off[i] = fixed + relative * Math.abs(values[i]! - offset);
      at += size;
    }
  }
  // Elements are asked for in order.
  let [known, subs]: [number, readonly SubBlock[]] = [-1, []];
  const boundsOf = (i: number): Bounds => {
    const number = Math.floor(i / block.elements);
    if (number !== known) [known, subs] = [number, subBlocksOf(dtype, bytes, number * block.bytes)];
    const sub = subs[Math.floor((i % block.elements) / subs[0]!.size)]!;
    return boundsIn(sub, values[i]!, off[i]!, IS_REFINED[dtype]);
  };
  return { off, boundsOf };
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
