/** Exact counts of the core as `bigint`, and whole numbers for it: eight bytes each. See bindings/architecture_numbers.h. */
import type { Answer } from './runtime.js';

/** All counts of one part of an answer. */
export function wholesOf(answer: Answer, part: number): bigint[] {
  return [...new BigUint64Array(answer.bytes(part).buffer)];
}

/** Whole numbers from 0 to 2^53 - 1, as they cross. */
export function wholeNumbers(numbers: readonly number[]): BigUint64Array {
  return BigUint64Array.from(numbers, BigInt);
}
