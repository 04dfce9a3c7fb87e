/** Scales that packed tables keep beside their numbers, as floats. */
import { powerOfTwo } from '../../runtime/elementary.js';
import { halfOf } from '../elements/stored-blocks.js';

/** `factor`: of the whole table. */
export type GroupValues = (bytes: Uint8Array, factor?: number) => Float32Array;

export const signed = (bytes: Uint8Array): Int8Array => new Int8Array(bytes.slice().buffer);

export const f32 = (bytes: Uint8Array): Float32Array => new Float32Array(bytes.slice().buffer);

/** Null for other types than floats of 16 and 32 bits, and powers of two. */
export function floatsOfType(dtype: string): GroupValues | null {
  if (dtype === 'F32') return f32;
  if (dtype === 'BF16')
    return (bytes) => {
      const words = new Uint32Array(bytes.length / 2);
      for (let i = 0; i < words.length; i++) words[i] = (bytes[2 * i]! << 16) | (bytes[2 * i + 1]! << 24);
      return new Float32Array(words.buffer);
    };
  if (dtype === 'F16')
    return (bytes) =>
      Float32Array.from({ length: bytes.length / 2 }, (_, i) => halfOf(bytes[2 * i]!, bytes[2 * i + 1]!));
  return dtype === 'F8_E8M0' ? e8m0 : null;
}

export const e8m0: GroupValues = (bytes) => Float32Array.from(bytes, (e) => (e === 255 ? NaN : powerOfTwo(e - 127)));

/** A scale of the whole table is multiplied in 32 bits. */
export const e4m3: GroupValues = (bytes, factor = 1) =>
  Float32Array.from(bytes, (bits) => Math.fround(E4M3[bits]! * Math.fround(factor)));
const E4M3 = Float32Array.from({ length: 256 }, (_, bits) => {
  const [exponent, fraction] = [(bits >> 3) & 15, bits & 7];
  if ((bits & 127) === 127) return NaN;
  const size = exponent === 0 ? fraction * 2 ** -9 : (1 + fraction / 8) * powerOfTwo(exponent - 7);
  return bits > 127 ? -size : size;
});
