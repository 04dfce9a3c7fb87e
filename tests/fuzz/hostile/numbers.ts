/** Hostile numbers. */
import { MODEL_FIELDS, TRAINING_FIELDS } from '../../../web/core/generated/fields.js';
import type { Fields } from '../../../web/core/model/option-codec.js';
import type { Draw } from '../draw.js';

const WRONG = [NaN, Infinity, -Infinity, -1, -0.5, 0.5, 1.5, -1e300, 2 ** 53, 1e300, -(2 ** 31), 2.5e-10];
const ZEROS = [0, -0];
const LARGE = [2 ** 31 - 1, 2 ** 31, 2 ** 32 - 1, 2 ** 32, 2 ** 53 - 1, 3.4e38, 3.5e38, 1e30, 1.1e30];
const SMALL = [5e-324, 1e-46, 1e-38, 1e-30, 1 - 2 ** -53, 1 - 2 ** -24];
const ANY = [...WRONG, ...ZEROS, ...LARGE, ...SMALL, 1, 2, 3, 255, 256, 257, 65_535, 65_536, 2 ** 20, 2 ** 22 + 1];

/** Sizes of models and batches: small ones, and those beyond their limits. */
const SIZES = Object.entries<Fields[string]>({ ...MODEL_FIELDS, ...TRAINING_FIELDS } as Fields).flatMap(
  ([name, { whole = [] }]) =>
    whole[1] === undefined || name.includes('.')
      ? []
      : [[name, [...WRONG, ...ZEROS, ...LARGE, 1, 2, 3, whole[1] + 1]] as const],
);

/**
 * Amounts of work. Values between the grammar's small numbers and these would be computed and take long.
 * `steps` may exceed 2^32 if few of them are recorded.
 */
const AMOUNTS: Readonly<Record<string, readonly number[]>> = {
  steps: [...WRONG, ...ZEROS, 1, 2],
  until: [NaN, -Infinity, -1, 0.5, ...ZEROS, 1, 2, 2 ** 53],
  tokens: [...WRONG, ...ZEROS, ...LARGE],
  length: [...WRONG, ...ZEROS, 2 ** 31, 2 ** 32 - 1, 2 ** 32, 2 ** 53 - 1],
  states: [...WRONG, ...ZEROS, 2 ** 16, 2 ** 31, 2 ** 32 - 1, 2 ** 32],
  ...Object.fromEntries(SIZES),
};

export function hostileNumber(draw: Draw, name: string): number {
  return draw.of(AMOUNTS[name] ?? ANY);
}

/** Hostile elements of an array. */
export function hostileElement(draw: Draw): number {
  return draw.of([NaN, Infinity, -Infinity, 3.4e38, -3.4e38, 1e-45, 1e20, -1, 0, 2 ** 31, 2 ** 32 - 1]);
}
