/** Arithmetic of 32-bit floats for programs that round tables: each operation is rounded, as in C. */
import { exponentOf, powerOfTwo } from '../runtime/elementary.js';

export const f32 = Math.fround;

/** To the nearest integer, halves to the even one, of numbers below 2^51. */
export const toEven = (x: number): number => x + 1.5 * 2 ** 52 - 1.5 * 2 ** 52;

/** To the nearest integer, halves away from zero. */
export const awayFromZero = (x: number): number => Math.sign(x) * Math.floor(Math.abs(x) + 0.5);

export const clamped = (x: number, least: number, most: number): number => Math.max(least, Math.min(most, x));

const LEAST_EXPONENT = -14;
const MANTISSA_BITS = 10;
const LARGEST_HALF = 65_504;

/** The nearest number that 16 bits hold, halves to the even one. */
export function toHalf(x: number): number {
  if (x === 0 || !Number.isFinite(x)) return x;
  const step = powerOfTwo(Math.max(LEAST_EXPONENT, exponentOf(Math.abs(x))) - MANTISSA_BITS);
  const near = toEven(x / step) * step;
  return Math.abs(near) > LARGEST_HALF ? Math.sign(near) * Infinity : near;
}
