/** Exact counts of the core as `bigint`: two words of 32 bits each, lowest first. See bindings/architecture_numbers.h. */
import type { Answer } from './runtime.js';

const WORDS = 2;

/** All counts of one part of an answer. */
export function wholesOf(answer: Answer, part: number): bigint[] {
  const words = answer.ids(part);
  const wholes: bigint[] = [];
  for (let i = 0; i < words.length; i += WORDS) {
    let whole = 0n;
    for (let word = WORDS - 1; word >= 0; word--) whole = (whole << 32n) | BigInt(words[i + word]!);
    wholes.push(whole);
  }
  return wholes;
}
