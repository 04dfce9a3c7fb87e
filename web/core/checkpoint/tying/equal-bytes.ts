/** Compares tables of one type by their bytes, and floats of other bytes by their numbers: zeros have two signs, and NaN has many bits. */
import { throwIfAborted } from '../bytes/source.js';
import type { StoredTensor } from '../tensors.js';

/** Bytes of each table that are compared at once, and in the first check of the beginning, middle and end. */
const PIECE_BYTES = 2 ** 20;
const LOOK_BYTES = 2 ** 12;
const LOOKS = [0, 0.5, 1] as const;

const SIGN = 0x80;

interface FloatBits {
  readonly bytes: number;
  /** The bits of infinity or, without one, of the largest number: NaN is beyond, whatever its sign. */
  readonly beyond: number;
}

/** Of F64, the upper half. */
const FLOAT_BITS: ReadonlyMap<string, FloatBits> = new Map(
  Object.entries({
    F64: { bytes: 8, beyond: 0x7ff0_0000 },
    F32: { bytes: 4, beyond: 0x7f80_0000 },
    F16: { bytes: 2, beyond: 0x7c00 },
    BF16: { bytes: 2, beyond: 0x7f80 },
    F8_E5M2: { bytes: 1, beyond: 0x7c },
    F8_E4M3: { bytes: 1, beyond: 0x7e },
  }),
);
/** Floats in which each number, and NaN, has one pattern of bits. */
const ONE_PATTERN: readonly string[] = ['F8_E4M3FNUZ', 'F8_E5M2FNUZ', 'F8_E8M0'];

/** Whether other bytes are other numbers, unless `compareBytes` says that they are equal. */
export const comparesByBytes = (dtype: string): boolean => FLOAT_BITS.has(dtype) || ONE_PATTERN.includes(dtype);

/** `blurred`: nothing but zeros, of other signs. */
export type ComparedBytes =
  | { readonly found: 'equal-bytes' | 'equal-values' | 'blurred' }
  /** `at`: a byte within the range where they differ; `seen`: what was read around it, in whole elements. */
  | { readonly found: 'different'; readonly at: number; readonly seen: readonly [Uint8Array, Uint8Array] };

export interface BytesOptions {
  readonly signal?: AbortSignal | undefined;
  readonly onShare?: (share: number) => void;
}

/**
 * `length` bytes of both, which begin at these offsets in each. The first check ends most comparisons; equal tables are read whole, because a part
 * proves nothing.
 */
export async function compareBytes(
  [input, output]: readonly [StoredTensor, StoredTensor],
  [a, b]: readonly [number, number],
  length: number,
  rowBytes: number,
  { signal, onShare }: BytesOptions,
): Promise<ComparedBytes> {
  const bits = FLOAT_BITS.get(input.dtype);
  let [areBytes, areZeros] = [true, true];
  const differenceIn = async (at: number, count: number): Promise<ComparedBytes | null> => {
    throwIfAborted(signal);
    const [one, other] = await Promise.all([
      input.source.read(input.from + a + at, count, signal),
      output.source.read(output.from + b + at, count, signal),
    ]);
    const [difference, isEqual] = firstDifference(one, other, bits);
    areBytes &&= isEqual;
    areZeros &&= one.every((byte) => byte === 0 || byte === SIGN);
    return difference === null ? null : { found: 'different', at: at + difference, seen: [one, other] };
  };
  const look = Math.min(length, Math.max(wholeElements(rowBytes, bits), LOOK_BYTES));
  for (const share of LOOKS) {
    const different = await differenceIn(wholeElements(share * (length - look), bits), look);
    if (different !== null) return different;
  }
  for (let from = 0; from < length; from += PIECE_BYTES) {
    const different = await differenceIn(from, Math.min(PIECE_BYTES, length - from));
    if (different !== null) return different;
    onShare?.(Math.min(1, (from + PIECE_BYTES) / length));
  }
  if (areBytes) return { found: 'equal-bytes' };
  return { found: areZeros ? 'blurred' : 'equal-values' };
}

/** Rounded down, so that no element is cut. */
const wholeElements = (at: number, bits: FloatBits | undefined): number => {
  const each = bits?.bytes ?? 1;
  return Math.floor(at / each) * each;
};

/** Where the first other number is, and whether all bytes are equal. A plain loop, because both may have hundreds of megabytes. */
function firstDifference(
  one: Uint8Array,
  other: Uint8Array,
  bits: FloatBits | undefined,
): readonly [at: number | null, areBytesEqual: boolean] {
  let areBytes = true;
  for (let i = 0; i < one.length; i++) {
    if (one[i] === other[i]) continue;
    if (bits === undefined) return [i, false];
    const from = i - (i % bits.bytes);
    if (!isOneNumber(one, other, from, bits)) return [i, false];
    areBytes = false;
    i = from + bits.bytes - 1;
  }
  return [null, areBytes];
}

/** Whether two floats of other bytes are zeros of two signs, or both NaN. */
function isOneNumber(one: Uint8Array, other: Uint8Array, from: number, bits: FloatBits): boolean {
  return (isZero(one, from, bits) && isZero(other, from, bits)) || (isNaN(one, from, bits) && isNaN(other, from, bits));
}

/** Without the sign, the upper 32 bits or fewer, and whether there are any below. */
function magnitude(bytes: Uint8Array, from: number, each: number): readonly [upper: number, hasLower: boolean] {
  let upper = bytes[from + each - 1]! & 0x7f;
  for (let i = each - 2; i >= Math.max(0, each - 4); i--) upper = upper * 256 + bytes[from + i]!;
  let hasLower = false;
  for (let i = 0; i < each - 4; i++) hasLower ||= bytes[from + i] !== 0;
  return [upper, hasLower];
}

function isZero(bytes: Uint8Array, from: number, { bytes: each }: FloatBits): boolean {
  const [upper, hasLower] = magnitude(bytes, from, each);
  return upper === 0 && !hasLower;
}

function isNaN(bytes: Uint8Array, from: number, { bytes: each, beyond }: FloatBits): boolean {
  const [upper, hasLower] = magnitude(bytes, from, each);
  return upper > beyond || (upper === beyond && hasLower);
}
