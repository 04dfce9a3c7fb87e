/** Integers of 64 bits, in which counts are exchanged with the core. See bindings/architecture_numbers.h. */
import type { Answer } from './runtime.js';

/** All counts of one part of an answer: exact up to 2^53, beyond that the nearest double. */
export function integersOf(answer: Answer, part: number): number[] {
  return Array.from(new BigUint64Array(answer.bytes(part).buffer), Number);
}

/** Integers from 0 to 2^53 - 1, as the core reads them. */
export function integerArray(numbers: readonly number[]): BigUint64Array {
  return BigUint64Array.from(numbers, BigInt);
}
