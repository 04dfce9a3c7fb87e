/** How many parameters the token tables of a language model hold, tied and untied. Exact at any size. */
import { checkNumber, checkPositive } from './validate.js';

export interface EmbeddingParameters {
  /** One table: V d. */
  readonly table: bigint;
  /** One table for both roles. */
  readonly tied: bigint;
  /** A table a role: 2 V d. */
  readonly untied: bigint;
  /** untied - tied. */
  readonly saved: bigint;
  /** saved / untied: one half, whatever the sizes. */
  readonly savedShare: number;
}

const whole = (argument: string, value: unknown): bigint =>
  BigInt(checkNumber(argument, value, 'a whole number from 1 to 2^53 - 1', (n) => Number.isSafeInteger(n) && n >= 1));

/** V d and 2 V d as whole numbers; no bias, no positions. `vocabSize` and `dModel` are whole and at least 1. */
export function embeddingParameters(vocabSize: number, dModel: number): EmbeddingParameters {
  const table = whole('vocabSize', vocabSize) * whole('dModel', dModel);
  return { table, tied: table, untied: 2n * table, saved: table, savedShare: 0.5 };
}

/** `count` as a share of a model of `nominalSize` parameters: 204.8M of 1B is 0.2048. Above 1 where it would not fit. */
export function shareOfModel(count: bigint, nominalSize: number): number {
  return Number(count) / checkPositive('nominalSize', nominalSize);
}
