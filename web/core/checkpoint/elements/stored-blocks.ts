/** The scales in blocks of quantized types, and how far from a stored number the original may be: docs/decisions/0070-equal-within-stored-scales.md. */
import { powerOfTwo } from '../../runtime/elementary.js';
import { blockOf, isArranged, type ArrangedType, type ElementType } from './element-types.js';

/** Types of elements in blocks with a scale. */
export type QuantizedType = Exclude<ElementType, `F${string}` | 'BF16' | ArrangedType>;

export const isQuantized = (dtype: ElementType): dtype is QuantizedType =>
  blockOf(dtype).elements > 1 && !isArranged(dtype);

/** Of which a quantizer's search bounds how far beyond the ends of a range an original may be; of all others see leveled-blocks.ts. */
export type BoundedType = Extract<QuantizedType, 'Q8_0' | 'Q6_K' | 'Q5_K' | 'Q4_K' | 'Q4_0' | 'Q4_1' | 'Q5_0' | 'Q5_1'>;

/** Types whose quants belong to a scale that may have been refined afterwards: with an importance matrix, ggml stores the refined one. */
export const IS_REFINED: Readonly<Record<BoundedType, boolean>> = {
  Q8_0: false,
  Q6_K: false,
  Q5_K: false,
  Q4_K: false,
  Q4_0: true,
  Q4_1: true,
  Q5_0: true,
  Q5_1: true,
};

/** Elements that share a scale. The number of quant q is `offset + q * step`. */
export interface SubBlock {
  readonly size: number;
  /** May be negative. */
  readonly step: number;
  readonly offset: number;
  /** Its quants. */
  readonly first: number;
  readonly last: number;
  /** How far beyond the least and the largest number an original may be if the type can cut off its range; else null. */
  readonly beyond: readonly [below: number, above: number] | null;
  /** Rounding of the scale to 16 bits, as a fraction of `q * step`, and what it is off by regardless of q. */
  readonly relative: number;
  readonly absolute: number;
}

const HALF_ULP = 2 ** -11;
/** Half the smallest step of 16-bit floats. */
const HALF_SMALLEST = 2 ** -25;
/** How far a number that was rounded to 16 bits may be from the original. */
export const roundingOf = (stored: number): number => Math.abs(stored) * HALF_ULP * (1 + 2 ** -9) + HALF_SMALLEST;

export function halfOf(low: number, high: number): number {
  const exponent = (high >> 2) & 31;
  const fraction = ((high & 3) << 8) | low;
  const size =
    exponent === 0
      ? fraction * 2 ** -24
      : exponent === 31
        ? fraction === 0
          ? Infinity
          : NaN
        : (1 + fraction / 1024) * powerOfTwo(exponent - 15);
  return high & 128 ? -size : size;
}

/** The sub-blocks of the block that begins at byte `at`. */
export function subBlocksOf(dtype: BoundedType, bytes: Uint8Array, at: number): SubBlock[] {
  const half = (place: number): number => halfOf(bytes[at + place]!, bytes[at + place + 1]!);
  switch (dtype) {
    case 'Q8_0':
      return [symmetric(half(0), -127, 127)];
    case 'Q4_0':
      return [cutAbove(symmetric(half(0), -8, 7))];
    case 'Q5_0':
      return [cutAbove(symmetric(half(0), -16, 15))];
    case 'Q4_1':
      return [withMinimum(half(0), half(2), 15)];
    case 'Q5_1':
      return [withMinimum(half(0), half(2), 31)];
    case 'Q4_K':
      return fourOrFiveK(bytes, at, 15);
    case 'Q5_K':
      return fourOrFiveK(bytes, at, 31);
    case 'Q6_K':
      return sixK(bytes, at);
  }
}

// Plain literals below: a table has millions of blocks, and spreading objects would take most of the time.
const symmetric = (step: number, first: number, last: number): SubBlock => ({
  size: 32,
  step,
  offset: 0,
  first,
  last,
  beyond: null,
  relative: HALF_ULP * (1 + 2 ** -9),
  absolute: (last + 0.5) * HALF_SMALLEST,
});

/** The scale is the largest number divided by the first quant, which has no counterpart: as large a number on the other side is cut off. */
function cutAbove(block: SubBlock): SubBlock {
  const { step, first, last, relative, absolute } = block;
  const cut = Math.abs(step) * (-first - last - first * relative) + absolute;
  const beyond = step < 0 ? ([cut, 0] as const) : ([0, cut] as const);
  return { size: block.size, step, offset: 0, first, last, beyond, relative, absolute };
}

const withMinimum = (step: number, offset: number, last: number): SubBlock => ({
  size: 32,
  step,
  offset,
  first: 0,
  last,
  beyond: null,
  relative: HALF_ULP * (1 + 2 ** -9),
  absolute: (last + 0.5) * HALF_SMALLEST + roundingOf(offset),
});

/** Scales and minima are rounded to 6 bits of the largest in the block; the quants are then chosen for the rounded ones. */
function fourOrFiveK(bytes: Uint8Array, at: number, last: number): SubBlock[] {
  const whole = halfOf(bytes[at]!, bytes[at + 1]!);
  const wholeMinimum = halfOf(bytes[at + 2]!, bytes[at + 3]!);
  /** How many steps a search, which is no worse than plain rounding in weighted squares, may leave a number off. */
  const searched = (4 * last) / (last - 8);
  const found: SubBlock[] = [];
  for (let j = 0; j < 8; j++) {
    const [scale, minimum] = sixBits(bytes, at + 4, j);
    const [step, offset] = [whole * scale, -wholeMinimum * minimum];
    const scaleOff = (Math.abs(whole) + roundingOf(whole)) / 2 + scale * roundingOf(whole);
    const minimumOff = (Math.abs(wholeMinimum) + roundingOf(wholeMinimum)) / 2 + minimum * roundingOf(wholeMinimum);
    const off = minimumOff + searched * (Math.abs(step) + scaleOff);
    const beyond = [off, off + last * scaleOff] as const;
    found.push({ size: 32, step, offset, first: 0, last, beyond, relative: 0, absolute: 0 });
  }
  return found;
}

function sixBits(bytes: Uint8Array, at: number, j: number): readonly [scale: number, minimum: number] {
  const byte = (place: number): number => bytes[at + place]!;
  if (j < 4) return [byte(j) & 63, byte(j + 4) & 63];
  return [(byte(j + 4) & 15) | ((byte(j - 4) >> 6) << 4), (byte(j + 4) >> 4) | ((byte(j) >> 6) << 4)];
}

/** Of 16 numbers of which the search leaves the largest off by an eighth at most: 32 steps are 7/8 of it. */
const SIX_REACH = (32 * 8) / 7;

function sixK(bytes: Uint8Array, at: number): SubBlock[] {
  const whole = halfOf(bytes[at + 208]!, bytes[at + 209]!);
  const found: SubBlock[] = [];
  for (let j = 0; j < 16; j++) {
    const scale = (bytes[at + 192 + j]! << 24) >> 24;
    const step = whole * scale;
    // The largest scale on the other side is cut off at 127.
    const scaleOff = (Math.abs(whole) + roundingOf(whole)) * (scale === 127 ? 1 : 0.5) + 128 * roundingOf(whole);
    const reach = SIX_REACH * (Math.abs(step) + scaleOff);
    const [least, most] = step < 0 ? [31 * step, -32 * step] : [-32 * step, 31 * step];
    const beyond = [reach + least, reach - most] as const;
    found.push({ size: 16, step, offset: 0, first: -32, last: 31, beyond, relative: 0, absolute: 0 });
  }
  return found;
}

export const blocksIn = (dtype: QuantizedType, bytes: Uint8Array): number => bytes.length / blockOf(dtype).bytes;
