/** Options of `compareWith`, checked before anything is read. */
import type { CompareCheckpointsOptions } from './comparison-types.js';
import { invalidArgument } from '../../runtime/errors.js';
import {
  checkChoice,
  checkFunction,
  checkInteger,
  checkOptions,
  checkSignal,
  checkString,
  readList,
} from '../../runtime/validate.js';

const OPTIONS = ['against', 'names', 'seed', 'onProgress', 'signal'] as const;

/** More checkpoints than anyone compares. */
export const MOST_COMPARED = 1000;

export interface CheckedComparison {
  readonly against: 'first' | 'previous';
  readonly names: readonly string[];
  readonly seed: number;
  readonly onProgress: ((fraction: number) => void) | undefined;
  readonly signal: AbortSignal | undefined;
}

/** `count`: total number of checkpoints. */
export function checkComparison(options: CompareCheckpointsOptions, count: number): CheckedComparison {
  const { against = 'first', names, seed = 0, onProgress, signal } = checkOptions('options', options, OPTIONS);
  checkInteger('options.seed', seed, 0);
  if (onProgress !== undefined) checkFunction('options.onProgress', onProgress);
  if (signal !== undefined) checkSignal('options.signal', signal);
  return {
    against: checkChoice('options.against', against, ['first', 'previous'] as const),
    names: names === undefined ? [] : checkNames(names, count),
    ...{ seed, onProgress, signal },
  };
}

function checkNames(names: unknown, count: number): string[] {
  const list = readList(names, count, count);
  if (list === null) throw invalidArgument('options.names', names, `${count} names, one for each checkpoint`);
  return list.map((name, at) => checkString(`options.names[${at}]`, name));
}
