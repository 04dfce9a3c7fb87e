/** Checks a job that is read from a file. */
import { invalidArgument, TiedError } from '../runtime/errors.js';
import type { ExperimentJob } from './types.js';
import { checkOptions, checkString } from '../runtime/validate.js';
import { canonicalJson, sha256Of } from './canonical.js';
import { checkSpec } from './check-spec.js';
import { checkPlain } from './plain-data.js';

const FIELDS = [
  'id',
  'experiment',
  'specHash',
  'arm',
  'seed',
  'point',
  'text',
  'pairs',
  'tokenizer',
  'validation',
  'then',
  'direction',
  'hidden',
  'model',
  'training',
  'measure',
  'keepsModel',
] as const satisfies readonly (keyof ExperimentJob)[];

/**
 * A line of `expand`, checked like its experiment. Errors: 'invalid-argument' for a field that an experiment would not have, or
 * contents that do not match the id.
 */
export function checkJob(value: unknown): ExperimentJob {
  const job = checkOptions('job', value as ExperimentJob, FIELDS);
  checkPlain('job', job);
  const { id, specHash, ...says } = job;
  const {
    experiment,
    arm,
    seed,
    point,
    text,
    pairs,
    tokenizer,
    validation,
    then,
    direction,
    hidden,
    model,
    training,
    measure,
  } = job;
  const spec = {
    name: experiment,
    ...(pairs === undefined ? { text } : { pairs, ...(text === undefined ? {} : { text }) }),
    ...(tokenizer === null ? {} : { tokenizer }),
    validation,
    ...(then === undefined ? {} : { then }),
    model,
    training,
    arms: {
      [checkString('job.arm', arm)]: {
        ...(direction === undefined ? {} : { direction }),
        ...(hidden === undefined ? {} : { hidden }),
      },
    },
    seeds: [seed],
    // Measures of two models are taken when all jobs are collected, so a job may have none.
    measure: Array.isArray(measure) && measure.length === 0 ? [{ metric: 'loss' }] : measure,
  };
  checkSpec(spec, 'job');
  checkOptions('job.point', point, Object.keys(point ?? {}));
  if (typeof job.keepsModel !== 'boolean') throw invalidArgument('job.keepsModel', job.keepsModel, 'true or false');
  if (!/^[0-9a-f]{16}$/.test(checkString('job.specHash', specHash)))
    throw invalidArgument('job.specHash', specHash, '16 hexadecimal digits');
  const hash = sha256Of(canonicalJson(says)).slice(0, 16);
  if (id !== hash)
    throw new TiedError(
      'invalid-argument',
      `job.id is '${String(id)}'; expected '${hash}', the hash of the job's contents`,
    );
  return job;
}
