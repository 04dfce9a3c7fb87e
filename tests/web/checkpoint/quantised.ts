/** Encodes numbers as blocks of GGUF files, by the layouts in ggml's documents: a scale, and the nearest quant of each number. */
import type { BoundedType } from '../../../web/core/checkpoint/elements/stored-blocks.js';

/** The bits of a positive normal number in half precision, truncated rather than rounded. */
function half(value: number): number {
  if (value === 0) return 0;
  const sign = value < 0 ? 0x8000 : 0;
  const exponent = Math.floor(Math.log2(Math.abs(value)));
  return sign | ((exponent + 15) << 10) | Math.floor((Math.abs(value) / 2 ** exponent - 1) * 1024);
}
const ofHalf = (bits: number): number =>
  bits === 0 ? 0 : (bits & 0x8000 ? -1 : 1) * (1 + (bits & 1023) / 1024) * 2 ** (((bits >> 10) & 31) - 15);

const clamped = (value: number, least: number, most: number): number =>
  Math.max(least, Math.min(most, Math.round(value)));
const largest = (values: readonly number[]): number => Math.max(...values.map(Math.abs));
const twoBytes = (bits: number): number[] => [bits & 255, bits >> 8];

/** Scale, minimum and quants of 32 numbers. There are `levels` quants; without a minimum, the middle one is 0. */
function quants(x: readonly number[], levels: number, minimum: boolean): { head: number[]; q: number[] } {
  const least = minimum ? half(Math.min(...x)) : 0;
  const span = minimum ? Math.max(...x) - ofHalf(least) : largest(x);
  // Slightly more than needed, since halves are truncated.
  const scale = half((1.002 * span) / (minimum ? levels - 1 : levels / 2 - 1));
  const q = x.map((value) =>
    clamped((value - ofHalf(least)) / ofHalf(scale) + (minimum ? 0 : levels / 2), 0, levels - 1),
  );
  return { head: [...twoBytes(scale), ...(minimum ? twoBytes(least) : [])], q };
}

const fourOrFive =
  (fifth: boolean, minimum: boolean) =>
  (x: readonly number[]): number[] => {
    const { head, q } = quants(x, fifth ? 32 : 16, minimum);
    const high = [0, 1, 2, 3].map((byte) =>
      [...Array(8).keys()].reduce((bits, bit) => bits | ((q[8 * byte + bit]! >> 4) << bit), 0),
    );
    const low = [...Array(16).keys()].map((j) => (q[j]! & 15) | ((q[j + 16]! & 15) << 4));
    return [...head, ...(fifth ? high : []), ...low];
  };

/** The numbers in groups of this size. */
const groups = (x: readonly number[], size: number): number[][] =>
  Array.from({ length: x.length / size }, (_, i) => x.slice(i * size, (i + 1) * size));

const fourOrFiveK =
  (fifth: boolean) =>
  (x: readonly number[]): number[] => {
    const levels = fifth ? 32 : 16;
    const parts = groups(x, 32);
    const minima = parts.map((part) => Math.max(0, -Math.min(...part)));
    const spans = parts.map((part, i) => (Math.max(...part) + minima[i]!) / (levels - 1));
    const [scale, least] = [half(Math.max(...spans) / 62), half(Math.max(...minima) / 62)];
    const s = spans.map((span) => clamped(Math.ceil(span / ofHalf(scale)), 1, 63));
    const m = minima.map((minimum) => clamped(minimum / ofHalf(least), 0, 63));
    const q = parts.map((part, i) =>
      part.map((value) => clamped((value + ofHalf(least) * m[i]!) / (ofHalf(scale) * s[i]!), 0, levels - 1)),
    );
    const packed = Array<number>(12).fill(0);
    for (let j = 0; j < 4; j++) {
      packed[j] = s[j]! | ((s[j + 4]! >> 4) << 6);
      packed[j + 4] = m[j]! | ((m[j + 4]! >> 4) << 6);
      packed[j + 8] = (s[j + 4]! & 15) | ((m[j + 4]! & 15) << 4);
    }
    const high = [...Array(32).keys()].map((l) => q.reduce((bits, part, g) => bits | ((part[l]! >> 4) << g), 0));
    const low = [0, 2, 4, 6].flatMap((g) => q[g]!.map((value, l) => (value & 15) | ((q[g + 1]![l]! & 15) << 4)));
    return [...twoBytes(scale), ...twoBytes(least), ...packed, ...(fifth ? high : []), ...low];
  };

function sixK(x: readonly number[]): number[] {
  const parts = groups(x, 16);
  const spans = parts.map((part) => largest(part) / 31);
  const scale = half(Math.max(...spans) / 126);
  // Every other group has a negative scale.
  const s = spans.map((span, i) => (i % 2 ? -1 : 1) * clamped(Math.ceil(span / ofHalf(scale)), 1, 127));
  const q = x.map((value, i) => clamped(value / (ofHalf(scale) * s[i >> 4]!) + 32, 0, 63));
  const low: number[] = [];
  const high: number[] = [];
  for (const part of [q.slice(0, 128), q.slice(128)]) {
    for (let l = 0; l < 64; l++) low.push((part[l]! & 15) | ((part[l + 64]! & 15) << 4));
    for (let l = 0; l < 32; l++)
      high.push([0, 1, 2, 3].reduce((bits, quarter) => bits | ((part[l + 32 * quarter]! >> 4) << (2 * quarter)), 0));
  }
  return [...low, ...high, ...s.map((value) => value & 255), ...twoBytes(scale)];
}

function eight(x: readonly number[]): number[] {
  const scale = half((1.002 * largest(x)) / 127);
  return [...twoBytes(scale), ...x.map((value) => clamped(value / ofHalf(scale), -127, 127) & 255)];
}

/** ggml itself encodes all others: tests/judges/ggml-rows.test.ts. */
type Quantised = BoundedType;

/** The bytes of a block of the type with these numbers. */
export const ENCODERS: Readonly<Record<Quantised, (x: readonly number[]) => number[]>> = {
  Q8_0: eight,
  Q6_K: sixK,
  Q5_K: fourOrFiveK(true),
  Q4_K: fourOrFiveK(false),
  Q4_0: fourOrFive(false, false),
  Q4_1: fourOrFive(false, true),
  Q5_0: fourOrFive(true, false),
  Q5_1: fourOrFive(true, true),
};

/** Floats of 8 and 16 bits: the bits of the nearest representable number, ties to even. */
interface Narrow {
  readonly bytes: 1 | 2;
  readonly hasInfinity: boolean;
  readonly encode: (value: number) => number;
  /** All numbers of the type. */
  readonly values: readonly number[];
}

/** `hasInfinity`: as in IEEE. Otherwise the largest exponent has numbers, and its last fraction is NaN. */
function narrow(exponentBits: number, fractionBits: number, hasInfinity: boolean): Narrow {
  const bias = 2 ** (exponentBits - 1) - 1;
  const size = 2 ** fractionBits;
  const top = (2 ** exponentBits - 1) * size;
  const sign = top + size;
  const largestBits = hasInfinity ? top - 1 : top + size - 2;
  // Magnitudes are ordered like their bits.
  const valueOf = (bits: number): number => {
    const [exponent, fraction] = [Math.floor(bits / size), bits % size];
    return exponent === 0 ? fraction * 2 ** (1 - bias - fractionBits) : (1 + fraction / size) * 2 ** (exponent - bias);
  };
  const magnitude = (value: number): number => {
    if (value > valueOf(largestBits)) return hasInfinity ? top : largestBits;
    const exponent = Math.max(1 - bias, Math.floor(Math.log2(value || Number.MIN_VALUE)));
    const steps = value / 2 ** (exponent - fractionBits);
    const whole = Math.floor(steps);
    const isUp = steps - whole > 0.5 || (steps - whole === 0.5 && whole % 2 === 1);
    // A full fraction carries into the exponent.
    return (exponent + bias - 1) * size + whole + (isUp ? 1 : 0);
  };
  const encode = (value: number): number => {
    if (Number.isNaN(value)) return top + size - 1;
    return (value < 0 || Object.is(value, -0) ? sign : 0) + magnitude(Math.abs(value));
  };
  const positive = Array.from({ length: largestBits + 1 }, (_, bits) => valueOf(bits));
  return { bytes: sign > 128 ? 2 : 1, hasInfinity, encode, values: [...positive, ...positive.map((value) => -value)] };
}

export const NARROW = {
  F16: narrow(5, 10, true),
  BF16: narrow(8, 7, true),
  F8_E4M3: narrow(4, 3, false),
  F8_E5M2: narrow(5, 2, true),
} as const;
