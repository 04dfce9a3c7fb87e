/** Counts of the core, and whole numbers for it: eight bytes each as they cross. See bindings/architecture_numbers.h. */
import type { Answer } from './runtime.js';

/** All counts of one part of an answer: exact up to 2^53, the nearest double beyond. */
export function wholesOf(answer: Answer, part: number): number[] {
  return Array.from(new BigUint64Array(answer.bytes(part).buffer), Number);
}

/** Whole numbers from 0 to 2^53 - 1, as they cross. */
export function wholeNumbers(numbers: readonly number[]): BigUint64Array {
  return BigUint64Array.from(numbers, BigInt);
}
