/**
 * The scales in blocks of types with few or uneven levels. Of these it is only known that a quantizer takes the level nearest to each number, for
 * the scale that it stores: docs/decisions/0110-packed-tables.md.
 */
import { powerOfTwo } from '../../runtime/elementary.js';
import { halfOf, roundingOf, type BoundedType, type QuantizedType } from './stored-blocks.js';

/** Of which nothing is known but what is stored: the search over a grid may change signs, or take a point that is not the nearest. */
export type SearchedType = Extract<QuantizedType, 'IQ2_XXS' | 'IQ2_XS' | 'IQ3_XXS' | 'IQ1_S' | 'IQ1_M'>;
export type LeveledType = Exclude<QuantizedType, BoundedType | SearchedType>;

/** Elements that share a scale: each is `offset` plus one of the levels times `step`. */
export interface LeveledGroup {
  /** May be negative. */
  readonly step: number;
  readonly offset: number;
  /** How far off the step and the offset may be, for they were rounded after the levels were chosen. */
  readonly stepOff: number;
  readonly offsetOff: number;
}

interface Leveled {
  /** In ascending order. */
  readonly levels: readonly number[];
  /** Elements with one scale. */
  readonly size: number;
  /** Of the block that begins at byte `at`. */
  readonly groupsOf: (bytes: Uint8Array, at: number) => LeveledGroup[];
  /** Whether the scale may have been refined after the levels were chosen, so that only their order tells something. */
  readonly isRefined?: boolean;
}

/** The numbers of IQ4_NL and IQ4_XS. */
const UNEVEN = [-127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113];
/** Twice the numbers of E2M1. */
const TWICE_E2M1 = [-12, -8, -6, -4, -3, -2, -1, 0, 1, 2, 3, 4, 6, 8, 12];

const halfAt = (bytes: Uint8Array, at: number): number => halfOf(bytes[at]!, bytes[at + 1]!);

const group = (step: number, stepOff: number): LeveledGroup => ({ step, offset: 0, stepOff, offsetOff: 0 });

/** A scale of 16 bits, times integers. */
const multiples = (whole: number, integers: readonly number[]): LeveledGroup[] =>
  integers.map((integer) => group(whole * integer, roundingOf(whole) * Math.abs(integer)));

const oneScale =
  (place: number) =>
  (bytes: Uint8Array, at: number): LeveledGroup[] =>
    multiples(halfAt(bytes, at + place), [1]);

const counted = (count: number, of: (i: number) => number): number[] => Array.from({ length: count }, (_, i) => of(i));

function twoK(bytes: Uint8Array, at: number): LeveledGroup[] {
  const [whole, least] = [halfAt(bytes, at + 80), halfAt(bytes, at + 82)];
  return counted(16, (i) => bytes[at + i]!).map((byte) => ({
    step: whole * (byte & 15),
    offset: -least * (byte >> 4),
    stepOff: roundingOf(whole) * (byte & 15),
    offsetOff: roundingOf(least) * (byte >> 4),
  }));
}

function threeK(bytes: Uint8Array, at: number): LeveledGroup[] {
  const byte = (i: number): number => bytes[at + 96 + i]!;
  const scale = (j: number): number =>
    ((j < 8 ? byte(j) & 15 : byte(j - 8) >> 4) | (((byte(8 + (j % 4)) >> (2 * (j >> 2))) & 3) << 4)) - 32;
  return multiples(halfAt(bytes, at + 108), counted(16, scale));
}

function fourXs(bytes: Uint8Array, at: number): LeveledGroup[] {
  const upper = bytes[at + 2]! | (bytes[at + 3]! << 8);
  const scale = (j: number): number =>
    (((bytes[at + 4 + (j >> 1)]! >> (4 * (j & 1))) & 15) | (((upper >> (2 * j)) & 3) << 4)) - 32;
  return multiples(halfAt(bytes, at), counted(8, scale));
}

const e8m0 = (bytes: Uint8Array, at: number): LeveledGroup[] => [group(powerOfTwo(bytes[at]! - 128), 0)];

/** Half of an E4M3 without its sign bit. */
const ue4m3 = (bits: number): number => {
  const [exponent, fraction] = [(bits >> 3) & 15, bits & 7];
  if (bits === 0x7f) return 0;
  return exponent === 0 ? fraction * 2 ** -10 : (1 + fraction / 8) * powerOfTwo(exponent - 8);
};
const fourScales = (bytes: Uint8Array, at: number): LeveledGroup[] =>
  counted(4, (i) => ue4m3(bytes[at + i]!)).map((step) => group(step, 0));

/** Below this, a quantizer of grids takes numbers for zeros, which have no sign. */
const NOTHING = 2 ** -23;
/** The search is over sizes alone, so an original has the sign that is stored. */
const bySign: Leveled = {
  levels: [-1, 1],
  size: 256,
  groupsOf: (bytes, at) => [{ ...group(halfAt(bytes, at), 0), offsetOff: NOTHING }],
};

const LEVELED: Readonly<Record<LeveledType, Leveled>> = {
  Q2_K: { levels: [0, 1, 2, 3], size: 16, groupsOf: twoK },
  Q3_K: { levels: [-4, -3, -2, -1, 0, 1, 2, 3], size: 16, groupsOf: threeK },
  IQ4_NL: { levels: UNEVEN, size: 32, groupsOf: oneScale(0), isRefined: true },
  IQ4_XS: { levels: UNEVEN, size: 32, groupsOf: fourXs },
  MXFP4: { levels: TWICE_E2M1, size: 32, groupsOf: e8m0 },
  NVFP4: { levels: TWICE_E2M1, size: 16, groupsOf: fourScales },
  TQ1_0: { levels: [-1, 0, 1], size: 256, groupsOf: oneScale(52) },
  TQ2_0: { levels: [-1, 0, 1, 2], size: 256, groupsOf: oneScale(64) },
  Q1_0: { levels: [-1, 1], size: 128, groupsOf: oneScale(0) },
  Q2_0: { levels: [-1, 0, 1, 2], size: 64, groupsOf: oneScale(0) },
  IQ2_S: bySign,
  IQ3_S: bySign,
};

export const isLeveled = (dtype: QuantizedType): dtype is LeveledType => dtype in LEVELED;
export const isSearched = (dtype: QuantizedType): dtype is SearchedType => /^IQ(?:1_[SM]|2_XX?S|3_XXS)$/.test(dtype);
export const leveled = (dtype: LeveledType): Leveled => LEVELED[dtype];

/** Which level a decoded element has; the first of several if the step is 0. */
export function levelOf({ levels }: Leveled, { step, offset }: LeveledGroup, value: number): number {
  const wanted = (value - offset) / step;
  let best = 0;
  for (let i = 1; i < levels.length; i++)
    if (Math.abs(levels[i]! - wanted) < Math.abs(levels[best]! - wanted)) best = i;
  return best;
}
