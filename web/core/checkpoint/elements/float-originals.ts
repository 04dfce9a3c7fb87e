/** Between which numbers the original of each stored float lies. */
import { powerOfTwo } from '../../runtime/elementary.js';
import type { ArrangedType, ElementType } from './element-types.js';
import type { Bounds, Interval, Originals } from './bounds.js';
import type { QuantizedType } from './stored-blocks.js';

export type FloatName = Exclude<ElementType, QuantizedType | ArrangedType>;

/** Decoded elements: F64 exactly in 64 bits, everything else in 32. */
export type Values = Float32Array | Float64Array;

/** How a program turned numbers into a shorter type: to the nearest one, or by dropping bits, which goes toward zero. */
export type Rounding = 'nearest' | 'cut';

interface FloatType {
  /** The last bit of 1. */
  readonly last: number;
  /** Exponent of the least normal number. */
  readonly least: number;
  readonly largest: number;
  /** Whether larger numbers become infinite; else NaN or the largest number stands for them. */
  readonly hasInfinity: boolean;
  /** Roundings that programs use for this type: many drop half of the bits of F32. */
  readonly roundings: readonly Rounding[];
}

const NEAREST = ['nearest'] as const;
const EITHER = ['nearest', 'cut'] as const;
const FLOATS: Readonly<Record<FloatName, FloatType>> = {
  F64: { last: 2 ** -52, least: -1022, largest: Number.MAX_VALUE, hasInfinity: true, roundings: NEAREST },
  F32: { last: 2 ** -23, least: -126, largest: (2 - 2 ** -23) * 2 ** 127, hasInfinity: true, roundings: NEAREST },
  F16: { last: 2 ** -10, least: -14, largest: 65_504, hasInfinity: true, roundings: NEAREST },
  BF16: { last: 2 ** -7, least: -126, largest: (2 - 2 ** -7) * 2 ** 127, hasInfinity: true, roundings: EITHER },
  F8_E4M3: { last: 2 ** -3, least: -6, largest: 448, hasInfinity: false, roundings: NEAREST },
  F8_E5M2: { last: 2 ** -2, least: -14, largest: 57_344, hasInfinity: true, roundings: NEAREST },
  F8_E4M3FNUZ: { last: 2 ** -3, least: -7, largest: 240, hasInfinity: false, roundings: NEAREST },
  F8_E5M2FNUZ: { last: 2 ** -2, least: -15, largest: 57_344, hasInfinity: false, roundings: NEAREST },
};

export const roundingsOfFloat = (dtype: FloatName): readonly Rounding[] => FLOATS[dtype].roundings;

/** The largest finite number of a type. */
export const largestOf = (dtype: FloatName): number => FLOATS[dtype].largest;

const ANYTHING: Interval = { least: -Infinity, most: Infinity };
const NO_NUMBER: Interval = { least: Infinity, most: -Infinity };
/** Nothing compares with NaN. */
const NOTHING_NEAR: Interval = { least: NaN, most: NaN };

/** Of a whole last bit: a number that is off by all of it would be the next one. */
const NEXT = 1 - 2 ** -24;

export function originalsOfFloats(dtype: FloatName, values: Values, rounding: Rounding): Originals {
  const { least, largest, hasInfinity } = FLOATS[dtype];
  const { stepOf, isPowerOf, exponentIn, steps } = stepsOf(dtype, values);
  const isCut = rounding === 'cut';
  // How far off the original may be away from zero, as a share of the step.
  const share = isCut ? NEXT : 0.5;
  const [low, high] = [new Float64Array(values.length), new Float64Array(values.length)];
  const { words, stride, shift, mask } = exponentIn;
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!;
    const step = steps[(words[stride * i + stride - 1]! >>> shift) & mask]!;
    const outward = share * step;
    // Toward zero, the next number is half as far away below powers of two.
    const inward = value === 0 ? outward : isCut ? 0 : isPowerOf(i) ? step / 4 : outward;
    low[i] = value - (value > 0 ? inward : outward);
    high[i] = value + (value < 0 ? inward : outward);
  }
  const boundsOf = (i: number): Bounds => {
    const value = values[i]!;
    const size = Math.abs(value);
    // Without infinity, NaN also stands for what is too large; else no number becomes NaN.
    if (Number.isNaN(value)) return { near: NOTHING_NEAR, sure: hasInfinity ? NO_NUMBER : ANYTHING };
    if (size === Infinity) {
      const signed = (from: number): Interval =>
        value > 0 ? { least: from, most: Infinity } : { least: -Infinity, most: -from };
      return { near: signed(isCut ? Infinity : largest), sure: signed(largest) };
    }
    const near = { least: low[i]!, most: high[i]! };
    // Some programs turn what is below the least normal number into zero, or what is too large into the largest number.
    if (size === 0) return { near, sure: { least: -powerOfTwo(least), most: powerOfTwo(least) } };
    const far = size === largest ? Infinity : size + stepOf(i) * NEXT;
    const close = size - (isPowerOf(i) ? 0.5 : 1) * stepOf(i) * NEXT;
    return { near, sure: value > 0 ? { least: close, most: far } : { least: -far, most: -close } };
  };
  return { low, high, boundsOf };
}

interface Steps {
  /** The distance to the next number away from zero, by the exponent's bits: NaN for infinity and NaN. */
  readonly steps: Float64Array;
  readonly stepOf: (i: number) => number;
  /** Whether it is a power of two, and the next number toward zero half as far away. */
  readonly isPowerOf: (i: number) => boolean;
  /** The exponent of number i is in the last of its `stride` words. */
  readonly exponentIn: {
    readonly words: Uint32Array;
    readonly stride: number;
    readonly shift: number;
    readonly mask: number;
  };
}

function stepsOf(dtype: FloatName, values: Values): Steps {
  const { last, least } = FLOATS[dtype];
  const [stride, shift, mask] = values instanceof Float64Array ? [2, 20, 2047] : [1, 23, 255];
  const bias = mask >>> 1;
  const steps = new Float64Array(mask + 1).fill(NaN);
  for (let exponent = 0; exponent < mask; exponent++)
    steps[exponent] = powerOfTwo(Math.max(exponent - bias, least)) * last;
  // Little-endian, as everywhere that WebAssembly runs.
  const words = new Uint32Array(values.buffer, values.byteOffset, values.length * stride);
  const bitsOf = (i: number): number => (words[stride * i + stride - 1]! >>> shift) & mask;
  const fraction = (1 << shift) - 1;
  return {
    steps,
    stepOf: (i) => steps[bitsOf(i)]!,
    isPowerOf: (i) =>
      (words[stride * i + stride - 1]! & fraction) === 0 &&
      (stride === 1 || words[stride * i] === 0) &&
      bitsOf(i) - bias > least,
    exponentIn: { words, stride, shift, mask },
  };
}
