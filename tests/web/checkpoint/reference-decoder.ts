/**
 * Decodes every type in plain TypeScript, element by element, by the formulas in ggml's documents: an oracle for the core's
 * decoder, and its replacement where readers are tested alone.
 */
import type { Decoder } from '../../../web/core/checkpoint/decoder.js';
import { blockOf, type ElementType } from '../../../web/core/checkpoint/element-types.js';
import type { TableSums, TableSumsOptions } from '../../../web/core/checkpoint/table-sums.js';

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

const BLOCKS: Readonly<Record<ElementType, Block>> = {
  F64: (view, at, y) => y(0, view.getFloat64(at, true)),
  F32: (view, at, y) => y(0, view.getFloat32(at, true)),
  F16: (view, at, y) => y(0, half(view, at)),
  BF16: (view, at, y) => y(0, floatOf(view.getUint16(at, true), 8, 7)),
  F8_E4M3: (view, at, y) => y(0, floatOf(view.getUint8(at), 4, 3, true)),
  F8_E5M2: (view, at, y) => y(0, floatOf(view.getUint8(at), 5, 2)),
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
};

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
