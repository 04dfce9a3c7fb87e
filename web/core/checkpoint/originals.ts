/** Between which numbers the original of each stored element lies. */
import { blockOf, type ElementType } from './element-types.js';
import { blocksIn, IS_REFINED, isQuantized, subBlocksOf, type QuantizedType, type SubBlock } from './stored-blocks.js';

/** Least and largest originals, one of each per element. */
export interface Interval {
  readonly least: Float64Array;
  readonly most: Float64Array;
}

export interface Originals {
  /** If the program that stored it rounds to the nearest number and chooses its scales as ggml does without an importance matrix. */
  readonly near: Interval;
  /** However the scale was chosen and whichever way a float was rounded. Refined scales leave single elements open: `couldBeQuantsOf`. */
  readonly sure: Interval;
}

/** `values` are the decoded elements of `bytes`, which are whole blocks. */
export function originalsOf(dtype: ElementType, bytes: Uint8Array, values: Float32Array): Originals {
  const interval = (): Interval => ({ least: new Float64Array(values.length), most: new Float64Array(values.length) });
  const found: Originals = { near: interval(), sure: interval() };
  if (isQuantized(dtype)) ofBlocks(found, dtype, bytes, values);
  else ofFloats(found, dtype, values);
  return found;
}

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
  ...{ relative: 2 ** -bits, absolute, largest, hasInfinity },
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

function ofFloats(found: Originals, dtype: keyof typeof FLOATS, values: Float32Array): void {
  const { relative, absolute, largest, hasInfinity, isTruncated = false } = FLOATS[dtype];
  const { near, sure } = found;
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!;
    const size = Math.abs(value);
    if (Number.isNaN(value)) {
      near.least[i] = near.most[i] = NaN;
      // Without infinity, NaN also stands for what is too large.
      set(sure, i, hasInfinity ? Infinity : -Infinity, hasInfinity ? -Infinity : Infinity);
    } else if (size === Infinity) {
      const [least, most] = value > 0 ? [largest, Infinity] : [-Infinity, -largest];
      set(near, i, least, most);
      set(sure, i, least, most);
    } else {
      const off = (relative * size + absolute) * SLACK;
      const nearly = isTruncated ? 2 * off : off;
      set(near, i, value - nearly, value + nearly);
      const isCut = size === largest && !hasInfinity;
      set(sure, i, isCut && value < 0 ? -Infinity : value - 2 * off, isCut && value > 0 ? Infinity : value + 2 * off);
    }
  }
}

function set({ least, most }: Interval, i: number, from: number, to: number): void {
  least[i] = from;
  most[i] = to;
}

/** Quantizers compute in 32 bits. */
const COMPUTED = 2 ** -19;

function ofBlocks(found: Originals, dtype: QuantizedType, bytes: Uint8Array, values: Float32Array): void {
  const size = blockOf(dtype).bytes;
  let at = 0;
  for (let block = 0; block < blocksIn(dtype, bytes); block++) {
    for (const sub of subBlocksOf(dtype, bytes, block * size)) {
      ofSubBlock(found, sub, values, [at, IS_REFINED[dtype]]);
      at += sub.size;
    }
  }
}

function ofSubBlock(
  { near, sure }: Originals,
  block: SubBlock,
  values: Float32Array,
  [at, isRefined]: readonly [at: number, isRefined: boolean],
): void {
  const { size, step, offset, first, last, beyond, relative, absolute } = block;
  const ends = [offset + first * step, offset + last * step] as const;
  const [least, most] = [Math.min(...ends), Math.max(...ends)];
  const half = Math.abs(step) / 2;
  const computed = COMPUTED * (Math.abs(least) + Math.abs(most));
  for (let i = at; i < at + size; i++) {
    const value = values[i]!;
    if (!Number.isFinite(value)) {
      near.least[i] = near.most[i] = NaN;
      set(sure, i, -Infinity, Infinity);
      continue;
    }
    const off = half + relative * Math.abs(value - offset) + absolute + computed;
    // Without a step, every number is at both ends.
    const isLeast = beyond !== null && value <= least + half;
    const isMost = beyond !== null && value >= most - half;
    set(
      near,
      i,
      value - (isLeast ? Math.max(off, beyond![0] + computed) : off),
      value + (isMost ? Math.max(off, beyond![1] + computed) : off),
    );
    set(sure, i, isLeast || isRefined ? -Infinity : value - off, isMost || isRefined ? Infinity : value + off);
  }
}
