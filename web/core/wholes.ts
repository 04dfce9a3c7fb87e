/** Exact counts of the core as `bigint`: eight bytes each. See bindings/architecture_numbers.h. */
import type { Answer } from './runtime.js';

/** All counts of one part of an answer. */
export function wholesOf(answer: Answer, part: number): bigint[] {
  return [...new BigUint64Array(answer.bytes(part).buffer)];
}
