/** Runs an experiment: every job on one of the hosts, then what compares two models, then the claims. */
import { invalidArgument, TiedError } from '../errors.js';
import type {
  ExperimentJob,
  ExperimentMetric,
  ExperimentOptions,
  ExperimentRecords,
  ExperimentResult,
  ExperimentSpec,
} from '../experiment-types.js';
import { checkFunction, checkOptions, checkSignal, isRecord, readRecord } from '../validate.js';
import { checkSpec, type CheckedSpec } from './check-spec.js';
import { judgeClaims, Values } from './claims.js';
import { compareModels } from './compare-models.js';
import { expand } from './expand.js';
import type { ExperimentHost } from './metric-kinds.js';
import { TextCache } from './read-text.js';
import { runJob } from './run-job.js';

const OPTIONS = ['texts', 'results', 'onResult', 'onProgress', 'signal'] as const;

/** `hosts`: where jobs can run, of which at most `jobs` are of use. */
export async function runExperiment(
  hosts: (jobs: number) => Promise<readonly ExperimentHost[]>,
  spec: ExperimentSpec,
  options: ExperimentOptions = {},
): Promise<ExperimentRecords> {
  const checked = checkSpec(spec);
  const given = checkExperimentOptions(options);
  const signal = given.signal === undefined ? {} : { signal: given.signal };
  if (given.signal?.aborted === true)
    throw new TiedError('cancelled', 'the experiment was cancelled before it began', { cause: given.signal.reason });
  const jobs = expand(checked);
  const results = new Map((given.results ?? []).map((result) => [result.run.id, result]));
  const missing = jobs.filter(({ id, keepsModel }) => isMissing(results.get(id), keepsModel));
  const all = jobs.reduce((sum, { training }) => sum + training.steps, 0);
  let done = all - missing.reduce((sum, { training }) => sum + training.steps, 0);
  const queue = [...missing];
  const work = async (host: ExperimentHost): Promise<void> => {
    const texts = new TextCache(host, { texts: given.texts ?? {}, signal });
    try {
      for (let job = queue.shift(); job !== undefined; job = queue.shift()) {
        const onSteps = (steps: number): void => {
          done += steps;
          given.onProgress?.(done / all);
        };
        const result = await runJob(host, job, await texts.of(job), { signal, onSteps });
        results.set(job.id, result);
        given.onResult?.(result);
      }
    } catch (error) {
      // The other hosts need not begin another job.
      queue.length = 0;
      throw error;
    } finally {
      texts.close();
    }
  };
  const workers = await hosts(Math.max(1, missing.length));
  const ended = await Promise.allSettled(workers.map(work));
  for (const one of ended) if (one.status === 'rejected') throw one.reason;
  return collect(workers[0]!, checked, jobs, results, signal);
}

const isMissing = (result: ExperimentResult | undefined, keepsModel: boolean): boolean =>
  result === undefined || (keepsModel && result.run.status === 'done' && result.model === null);

/** The tables and the claims, from the results of all jobs; `host` compares the models. */
export async function collect(
  host: ExperimentHost,
  spec: CheckedSpec,
  jobs: readonly ExperimentJob[],
  results: ReadonlyMap<string, ExperimentResult>,
  signal: { signal?: AbortSignal },
): Promise<ExperimentRecords> {
  const runs = jobs.map(({ id }) => results.get(id)!.run);
  const metrics: ExperimentMetric[] = jobs.flatMap(({ id }) => results.get(id)!.metrics);
  const problems: ExperimentRecords['problems'] = [];
  const arms = Object.keys(spec.arms).length;
  if (jobs.some(({ keepsModel }) => keepsModel)) {
    for (let at = 0; at < jobs.length; at += arms) {
      const ofSeed = new Map(jobs.slice(at, at + arms).map(({ id, arm }) => [arm, results.get(id)!]));
      const compared = await compareModels(host, spec, ofSeed, signal);
      metrics.push(...compared.metrics);
      problems.push(...compared.problems);
    }
  }
  return { runs, metrics, claims: judgeClaims(spec, new Values(spec, runs, metrics)), problems };
}

function checkExperimentOptions(options: ExperimentOptions): ExperimentOptions {
  const given = checkOptions('options', options, OPTIONS);
  if (given.signal !== undefined) checkSignal('options.signal', given.signal);
  for (const name of ['onResult', 'onProgress'] as const) {
    if (given[name] !== undefined) checkFunction(`options.${name}`, given[name]);
  }
  if (given.results !== undefined && !Array.isArray(given.results))
    throw invalidArgument('options.results', given.results, 'a list of results');
  if (given.texts === undefined) return given;
  if (!isRecord(given.texts)) throw invalidArgument('options.texts', given.texts, 'an object of texts by name');
  return { ...given, texts: readRecord('options.texts', given.texts) as Record<string, string> };
}
