/**
 * Decodes every type in plain TypeScript, element by element, by the formulas in ggml's documents: an oracle for the core's
 * decoder, and its replacement where readers are tested alone.
 */
import { GRIDS } from './reference-grids.js';
import type { Decoder } from '../../../web/core/checkpoint/decoder.js';
import { blockOf, type ElementType } from '../../../web/core/checkpoint/elements/element-types.js';
import type { TableSums, TableSumsOptions } from '../../../web/core/checkpoint/card/table-sums.js';

/** IEEE 754 with the given numbers of exponent and fraction bits. `finite`: no infinities and one NaN, like E4M3 "FN". */
export function floatOf(bits: number, exponentBits: number, fractionBits: number, finite = false): number {
  const sign = bits >> (exponentBits + fractionBits) ? -1 : 1;
  const largest = 2 ** exponentBits - 1;
  const exponent = (bits >> fractionBits) & largest;
  const fraction = bits & (2 ** fractionBits - 1);
  const bias = 2 ** (exponentBits - 1) - 1;
  if (finite && exponent === largest && fraction === 2 ** fractionBits - 1) return NaN;
  if (!finite && exponent === largest) return fraction === 0 ? sign * Infinity : NaN;
  if (exponent === 0) return sign * fraction * 2 ** (1 - bias - fractionBits);
  return sign * (1 + fraction / 2 ** fractionBits) * 2 ** (exponent - bias);
}

const half = (view: DataView, at: number): number => floatOf(view.getUint16(at, true), 5, 10);

type Block = (view: DataView, at: number, y: (index: number, value: number) => void) => void;

/** Types with a scale for 32 elements: low nibbles hold the first half, high nibbles the second. */
const nibbles =
  (fifth: boolean, minimum: boolean): Block =>
  (view, at, y) => {
    const scale = half(view, at);
    const least = minimum ? half(view, at + 2) : 0;
    const high = fifth ? view.getUint32(at + (minimum ? 4 : 2), true) : 0;
    const from = at + 2 + (minimum ? 2 : 0) + (fifth ? 4 : 0);
    const zero = minimum ? 0 : fifth ? 16 : 8;
    for (let j = 0; j < 16; j++) {
      const byte = view.getUint8(from + j);
      const [low, upper] = [(high >>> j) & 1, (high >>> (j + 16)) & 1];
      const [first, second] = [(byte & 15) + 16 * low - zero, (byte >> 4) + 16 * upper - zero];
      // Nothing is added for the other types, not even 0, which would turn -0 into 0.
      y(j, minimum ? scale * first + least : scale * first);
      y(j + 16, minimum ? scale * second + least : scale * second);
    }
  };

/** Pair j of 6-bit scale and minimum in 12 bytes. */
function sixBits(view: DataView, at: number, j: number): [scale: number, minimum: number] {
  const s = (index: number): number => view.getUint8(at + index);
  if (j < 4) return [s(j) & 63, s(j + 4) & 63];
  return [(s(j + 4) & 15) | ((s(j - 4) >> 6) << 4), (s(j + 4) >> 4) | ((s(j) >> 6) << 4)];
}

const fourOrFive =
  (fifth: boolean): Block =>
  (view, at, y) => {
    const [scale, least] = [half(view, at), half(view, at + 2)];
    const high = at + 16;
    const low = fifth ? at + 48 : at + 16;
    for (let part = 0; part < 8; part++) {
      const [sc, m] = sixBits(view, at + 4, part);
      for (let l = 0; l < 32; l++) {
        const byte = view.getUint8(low + 32 * (part >> 1) + l);
        const bit = fifth ? (view.getUint8(high + l) >> part) & 1 : 0;
        y(32 * part + l, scale * sc * ((part & 1 ? byte >> 4 : byte & 15) + 16 * bit) - least * m);
      }
    }
  };

const six: Block = (view, at, y) => {
  const scale = half(view, at + 208);
  for (let i = 0; i < 256; i++) {
    const [part, within] = [i >> 7, i & 127];
    const [quarter, l] = [within >> 5, within & 31];
    const low = view.getUint8(at + 64 * part + (quarter & 1) * 32 + l);
    const high = view.getUint8(at + 128 + 32 * part + l);
    const q = ((quarter >> 1 ? low >> 4 : low & 15) | (((high >> (2 * quarter)) & 3) << 4)) - 32;
    y(i, scale * view.getInt8(at + 192 + 8 * part + 2 * quarter + (l >> 4)) * q);
  }
};

/** The bias is larger by 1 than that of IEEE. The pattern of -0 is NaN, and all others are finite. */
const fnuz = (bits: number, exponentBits: number, fractionBits: number): number => {
  if (bits === 0x80) return NaN;
  const [exponent, fraction] = [(bits & 127) >> fractionBits, bits & (2 ** fractionBits - 1)];
  const bias = 2 ** (exponentBits - 1);
  const size =
    exponent === 0
      ? fraction * 2 ** (1 - bias - fractionBits)
      : (1 + fraction / 2 ** fractionBits) * 2 ** (exponent - bias);
  return bits >> 7 ? -size : size;
};

/** Two bits of element l of 128 in 32 bytes. */
const twoBits = (view: DataView, at: number, l: number): number => (view.getUint8(at + (l & 31)) >> (2 * (l >> 5))) & 3;

const twoK: Block = (view, at, y) => {
  const [scale, least] = [half(view, at + 80), half(view, at + 82)];
  for (let i = 0; i < 256; i++) {
    const both = view.getUint8(at + (i >> 4));
    const q = twoBits(view, at + 16 + 32 * (i >> 7), i & 127);
    y(i, scale * (both & 15) * q - least * (both >> 4));
  }
};

const threeK: Block = (view, at, y) => {
  const s = (index: number): number => view.getUint8(at + 96 + index);
  for (let i = 0; i < 256; i++) {
    const j = i >> 4;
    const low = j < 8 ? s(j) & 15 : s(j - 8) >> 4;
    const scale = (low | (((s(8 + (j & 3)) >> (2 * (j >> 2))) & 3) << 4)) - 32;
    const third = (view.getUint8(at + (i & 31)) >> (i >> 5)) & 1;
    y(i, half(view, at + 108) * scale * (twoBits(view, at + 32 + 32 * (i >> 7), i & 127) - (third ? 0 : 4)));
  }
};

const UNEVEN = [-127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113];
const E2M1 = [0, 0.5, 1, 1.5, 2, 3, 4, 6, -0, -0.5, -1, -1.5, -2, -3, -4, -6];
/** Element j of 2 n, of which the first n are in low nibbles. */
const place = (view: DataView, at: number, j: number, n: number): number =>
  j < n ? view.getUint8(at + j) & 15 : view.getUint8(at + j - n) >> 4;

const fourXs: Block = (view, at, y) => {
  for (let i = 0; i < 256; i++) {
    const group = i >> 5;
    const low = (view.getUint8(at + 4 + (group >> 1)) >> (4 * (group & 1))) & 15;
    const scale = (low | (((view.getUint16(at + 2, true) >> (2 * group)) & 3) << 4)) - 32;
    y(i, half(view, at) * scale * UNEVEN[place(view, at + 8 + 16 * group, i & 31, 16)]!);
  }
};

/** Trit n of a byte: of its digits to the base 3, behind the point after division by 256, rounded up. */
const trit = (byte: number, n: number): number => ((((byte * 3 ** n) & 255) * 3) >> 8) - 1;

const ternary: Block = (view, at, y) => {
  const scale = half(view, at + 52);
  const byte = (index: number): number => view.getUint8(at + index);
  for (let i = 0; i < 160; i++) y(i, scale * trit(byte(i & 31), i >> 5));
  for (let i = 0; i < 80; i++) y(160 + i, scale * trit(byte(32 + (i & 15)), i >> 4));
  for (let i = 0; i < 16; i++) y(240 + i, scale * trit(byte(48 + (i & 3)), i >> 2));
};

const nv: Block = (view, at, y) => {
  for (let i = 0; i < 64; i++) {
    const bits = view.getUint8(at + (i >> 4));
    const scale = bits === 0x7f ? 0 : bits === 0xff ? 480 : floatOf(bits & 127, 4, 3, true);
    // Twice the number times half the scale, whose sign is left out: 0 has that of the number.
    const e2m1 = 2 * E2M1[place(view, at + 4 + 8 * (i >> 4), i & 15, 8)]!;
    y(i, (scale / 2) * (e2m1 === 0 ? 0 : e2m1));
  }
};

const affine =
  (bits: number): Block =>
  (view, at, y) => {
    for (let i = 0; i < 16; i++) {
      // Rounded twice, as the product and the sum are.
      const product = Math.fround(view.getFloat32(at, true) * numberInBits(view, at + 8, i, bits));
      y(i, product + view.getFloat32(at + 4, true));
    }
  };

const ofGrids = Object.fromEntries(
  Object.entries(GRIDS).map(([type, element]): [string, Block] => [
    type,
    (view, at, y) => {
      for (let i = 0; i < 256; i++) y(i, element(view, at, i, half));
    },
  ]),
) as Record<keyof typeof GRIDS, Block>;

const BLOCKS: Readonly<Record<ElementType, Block>> = {
  F64: (view, at, y) => y(0, view.getFloat64(at, true)),
  F32: (view, at, y) => y(0, view.getFloat32(at, true)),
  F16: (view, at, y) => y(0, half(view, at)),
  BF16: (view, at, y) => y(0, floatOf(view.getUint16(at, true), 8, 7)),
  F8_E4M3: (view, at, y) => y(0, floatOf(view.getUint8(at), 4, 3, true)),
  F8_E5M2: (view, at, y) => y(0, floatOf(view.getUint8(at), 5, 2)),
  F8_E4M3FNUZ: (view, at, y) => y(0, fnuz(view.getUint8(at), 4, 3)),
  F8_E5M2FNUZ: (view, at, y) => y(0, fnuz(view.getUint8(at), 5, 2)),
  Q8_0: (view, at, y) => {
    for (let j = 0; j < 32; j++) y(j, half(view, at) * view.getInt8(at + 2 + j));
  },
  Q6_K: six,
  Q5_K: fourOrFive(true),
  Q4_K: fourOrFive(false),
  Q4_0: nibbles(false, false),
  Q4_1: nibbles(false, true),
  Q5_0: nibbles(true, false),
  Q5_1: nibbles(true, true),
  Q2_K: twoK,
  Q3_K: threeK,
  IQ4_NL: (view, at, y) => {
    for (let i = 0; i < 32; i++) y(i, half(view, at) * UNEVEN[place(view, at + 2, i, 16)]!);
  },
  IQ4_XS: fourXs,
  MXFP4: (view, at, y) => {
    for (let i = 0; i < 32; i++) {
      const e2m1 = E2M1[place(view, at + 1, i, 16)]!;
      // 8 is the pattern of -0, but the format's table of integers has 0.
      y(i, e2m1 === 0 ? 0 : e2m1 * 2 ** (view.getUint8(at) - 127));
    }
  },
  NVFP4: nv,
  TQ1_0: ternary,
  TQ2_0: (view, at, y) => {
    for (let i = 0; i < 256; i++) y(i, half(view, at + 64) * (twoBits(view, at + 32 * (i >> 7), i & 127) - 1));
  },
  Q1_0: (view, at, y) => {
    for (let i = 0; i < 128; i++) y(i, half(view, at) * ((view.getUint8(at + 2 + (i >> 3)) >> (i & 7)) & 1 ? 1 : -1));
  },
  Q2_0: (view, at, y) => {
    for (let i = 0; i < 64; i++) y(i, half(view, at) * (((view.getUint8(at + 2 + (i >> 2)) >> (2 * (i & 3))) & 3) - 1));
  },
  ...ofGrids,
  affine_2: affine(2),
  affine_3: affine(3),
  affine_4: affine(4),
  affine_5: affine(5),
  affine_6: affine(6),
  affine_8: affine(8),
  scaled_E2M1: (view, at, y) => {
    for (let i = 0; i < 16; i++) {
      const e2m1 = E2M1[(view.getUint8(at + 4 + (i >> 1)) >> (4 * (i & 1))) & 15]!;
      y(i, Math.fround(view.getFloat32(at, true) / 2) * (e2m1 === 0 ? 0 : 2 * e2m1));
    }
  },
  scaled_E4M3: (view, at, y) => {
    for (let i = 0; i < 16; i++) y(i, view.getFloat32(at, true) * floatOf(view.getUint8(at + 4 + i), 4, 3, true));
  },
};

const numberInBits = (view: DataView, at: number, i: number, bits: number): number =>
  Array.from({ length: bits }, (_, k) => i * bits + k).reduce(
    (sum, bit, k) => sum + ((view.getUint8(at + (bit >> 3)) >> (bit & 7)) & 1) * 2 ** k,
    0,
  );

/** Like the core's decoder, with a record of requested elements. */
export class ReferenceDecoder implements Decoder {
  decoded = 0;

  /** Only the core computes sums. */
  startTableSums(_options: TableSumsOptions): Promise<TableSums> {
    return Promise.reject(new Error('the decoder of the tests makes no identity cards'));
  }

  decodeElements(dtype: ElementType, bytes: Uint8Array, elements: number): Float32Array {
    const size = blockOf(dtype);
    if (elements % size.elements !== 0 || bytes.length !== (elements / size.elements) * size.bytes)
      throw new Error(`${bytes.length} bytes of ${dtype} for ${elements} elements`);
    const floats = new Float32Array(elements);
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    for (let block = 0; block < elements / size.elements; block++) {
      const start = block * size.elements;
      BLOCKS[dtype](view, block * size.bytes, (index, value) => (floats[start + index] = value));
    }
    this.decoded += elements;
    return floats;
  }
}

export const reference = new ReferenceDecoder();
