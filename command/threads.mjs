// How many threads a model may have. Bits depend on --shards, never on threads.
import { availableParallelism } from 'node:os';
import { Refusal } from './exit-codes.mjs';

const most = 8;

/** @param {string} summary @returns {import('./declare.mjs').Flag} */
export const threadsFlag = (summary) => ({ kind: 'integer', least: 1, most, summary });

/** The threads of each of several models that train at the same time. @param {number | undefined} asked By --threads. @param {number} models */
export function threadsOf(asked, models) {
  const cores = availableParallelism();
  if (asked === undefined) return Math.max(1, Math.min(most, Math.floor(cores / models)));
  if (asked > 1 && asked * models > cores) {
    const jobs = models > 1 ? ` and --jobs ${models}` : '';
    throw new Refusal(`--threads is ${asked}${jobs}; expected at most ${cores} threads in all, one for each core`);
  }
  return asked;
}
