/** What the caller can do where a verdict is not known: name the tables. Whatever is said here gives a verdict when it is done. */
import { whyNotDecoded } from '../rows/rows.js';
import { isOfIntegers } from '../elements/stored-types.js';
import type { StoredTensor } from '../tensors.js';

/** Whether it can be named as a table, and compared with another one. */
const canBeNamed = (tensor: StoredTensor): boolean =>
  tensor.shape.length === 2 &&
  !tensor.shape.includes(0) &&
  !isOfIntegers(tensor.dtype) &&
  whyNotDecoded(tensor) === null;

/** Of what could be the table beside `there`, those that can be named. */
export const namable = (candidates: readonly (StoredTensor | undefined)[], there: StoredTensor): string[] =>
  canBeNamed(there)
    ? candidates.flatMap((tensor) => (tensor !== undefined && canBeNamed(tensor) ? [tensor.name] : []))
    : [];

const OPTION = 'with tables: { input, output } settles it';

/** For one table, and candidates that can be named. */
export function settledBy({ name, parts }: StoredTensor, candidates: readonly string[]): string {
  // A packed table has no tensor that could be named.
  if (parts !== undefined) return '';
  const twice = `'${name.slice(0, 120)}' for both`;
  return candidates.length === 0
    ? `; naming ${twice} ${OPTION} if that one has both roles`
    : `; naming both ${OPTION}, or ${twice} if that one has both roles`;
}

/** For two tables of which one is in doubt. */
export const settledByBoth = (input: StoredTensor, output: StoredTensor): string =>
  canBeNamed(input) && canBeNamed(output) ? `; naming both ${OPTION}` : '';

/** For an input that is known, and several tables of which one is the output. */
export const settledByOutput = (input: string): string =>
  `; naming '${input.slice(0, 120)}' and the output table ${OPTION}`;

/** A sentence without what the caller could do next. */
export const withoutAdvice = (reason: string): string =>
  reason.replace(
    /[;,] (?:naming .* with tables: \{ input, output \} settles it(?:(?:, or '.*' for both)? if that one has both roles)?|name it for both roles with tables: \{ input, output \}, if it has both|(?:config\.json would name its class|the number of layers in config\.json would tell)|(?:gather the weights|merge it) first|save the model after [\w.]+)/g,
    '',
  );
