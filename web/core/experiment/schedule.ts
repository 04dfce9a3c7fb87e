/** At which steps something is measured. */
import { invalidArgument } from '../runtime/errors.js';
import type { ExperimentMeasure } from './types.js';
import { checkInteger, readList } from '../runtime/validate.js';

const MAX_MOMENTS = 1000;

/** The steps of a measure, ascending, from `first` (0, or 1 for values that only exist for a step) to `steps`. */
export function stepsOf(measure: ExperimentMeasure, argument: string, steps: number, first: 0 | 1): number[] {
  const { every, until, at } = measure;
  if (every === undefined) {
    if (until !== undefined) throw invalidArgument(`${argument}.until`, until, 'it to be absent without every');
    return momentsOf(at, `${argument}.at`, steps, first);
  }
  if (at !== undefined) throw invalidArgument(`${argument}.at`, at, 'it to be absent where every is given');
  const interval = checkInteger(`${argument}.every`, every, 1);
  const last = until === undefined ? steps : checkInteger(`${argument}.until`, until, first, steps);
  const found: number[] = first === 0 ? [0] : [];
  for (let step = interval; step <= last; step += interval) found.push(step);
  if (until === undefined && found.at(-1) !== steps) found.push(steps);
  return found;
}

function momentsOf(at: unknown, argument: string, steps: number, first: 0 | 1): number[] {
  if (at === undefined) return [steps];
  const list = Array.isArray(at) ? readList(at, 1, MAX_MOMENTS) : [at];
  if (list === null) throw invalidArgument(argument, at, `1 to ${MAX_MOMENTS} steps`);
  const found = list.map((moment, i) => {
    if (moment === 'start') return first;
    if (moment === 'end') return steps;
    const name = list.length === 1 ? argument : `${argument}[${i}]`;
    if (typeof moment === 'number') return checkInteger(name, moment, first, steps);
    throw invalidArgument(name, moment, `'start', 'end' or a step from ${first} to ${steps}`);
  });
  return [...new Set(found)].sort((a, b) => a - b);
}

/** Whether a valid measure is taken at a step from `from` to `to`. */
export function isMeasuredWithin(
  measure: ExperimentMeasure,
  steps: number,
  first: 0 | 1,
  from: number,
  to: number,
): boolean {
  const { every, until } = measure;
  if (every === undefined) return momentsOf(measure.at, 'at', steps, first).some((step) => step >= from && step <= to);
  if (first === 0 && from <= 0 && to >= 0) return true;
  if (until === undefined && from <= steps && to >= steps) return true;
  return Math.max(1, Math.ceil(from / every)) * every <= Math.min(to, until ?? steps);
}
