// Which jobs a process runs: all, one, or a share of them.
import { Refusal } from './exit-codes.mjs';

/** The environment variables in which schedulers set a task's index and the number of tasks, and the first index. */
const schedulers = [
  { index: 'SLURM_ARRAY_TASK_ID', first: 'SLURM_ARRAY_TASK_MIN', count: 'SLURM_ARRAY_TASK_COUNT' },
  { index: 'JOB_COMPLETION_INDEX' },
  { index: 'PBS_ARRAY_INDEX' },
  { index: 'SGE_TASK_ID', first: 'SGE_TASK_FIRST', last: 'SGE_TASK_LAST' },
  { index: 'PARALLEL_SEQ', from: 1 },
  { index: 'AWS_BATCH_JOB_ARRAY_INDEX', count: 'AWS_BATCH_JOB_ARRAY_SIZE' },
];

/**
 * @template Job
 * @param {Job[]} jobs
 * @param {{ index?: number, shard?: string, of?: number }} asked
 * @param {Record<string, string | undefined>} environment
 * @param {(name: string, word: string | number, least: number, most: number) => number} wholeNumber
 * @returns {Job[]}
 */
export function shareOf(jobs, { index, shard, of }, environment, wholeNumber) {
  if (index !== undefined && shard !== undefined)
    throw new Refusal('--index and --shard were given; expected one of them');
  if (index !== undefined) return [jobs[wholeNumber('index', index, 0, jobs.length - 1)]];
  if (shard === undefined) {
    if (of !== undefined) throw new Refusal('--of was given without --shard auto');
    return jobs;
  }
  const [place, count] = shard === 'auto' ? shareNamed(environment, of, wholeNumber) : shareGiven(shard);
  return jobs.filter((_, at) => at % count === place);
}

function shareGiven(shard) {
  const [, place, count] = /^(\d+)\/(\d+)$/.exec(shard) ?? [];
  if (place === undefined || Number(count) < 1 || Number(place) >= Number(count)) {
    throw new Refusal(`--shard is '${shard}'; expected I/N with I from 0 to N - 1, or auto`);
  }
  return [Number(place), Number(count)];
}

function shareNamed(environment, of, wholeNumber) {
  const scheduler = schedulers.find(({ index }) => /^\d+$/.test(environment[index] ?? ''));
  if (scheduler === undefined) {
    const names = schedulers.map(({ index }) => index).join(', ');
    throw new Refusal(`--shard is auto, but no scheduler sets a task index; expected one of ${names}`);
  }
  const numberOf = (name) =>
    name === undefined || !/^\d+$/.test(environment[name] ?? '') ? null : Number(environment[name]);
  const first = numberOf(scheduler.first) ?? scheduler.from ?? 0;
  const last = numberOf(scheduler.last);
  const reported = numberOf(scheduler.count) ?? (last === null ? null : last - first + 1);
  const count = of === undefined ? reported : wholeNumber('of', of, 1, 1e6);
  if (count === null) throw new Refusal(`${scheduler.index} is set, but not the number of tasks; expected --of N`);
  const place = numberOf(scheduler.index) - first;
  if (place < 0 || place >= count)
    throw new Refusal(
      `${scheduler.index} is ${environment[scheduler.index]}; expected one of ${count} tasks from ${first} on`,
    );
  return [place, count];
}
