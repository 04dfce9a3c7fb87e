/** Runs an experiment: every job on one of the hosts, comparisons of two models as soon as both have finished, then the claims. */
import { invalidArgument, TiedError } from '../runtime/errors.js';
import type {
  ExperimentJob,
  ExperimentOptions,
  ExperimentRecords,
  ExperimentResult,
  ExperimentSpec,
  ExperimentState,
} from './types.js';
import {
  checkFunction,
  checkInteger,
  checkOptions,
  checkRange,
  checkSignal,
  isRecord,
  readRecord,
} from '../runtime/validate.js';
import { checkSpec, type CheckedSpec } from './check-spec.js';
import { judgeClaims, Values } from './claims.js';
import { compareModels } from './compare-models.js';
import { expand } from './expand.js';
import type { ExperimentHost } from './metric-kinds.js';
import { TextCache } from './read-text.js';
import { runJob } from './run-job.js';
import { shareOut } from './share-out.js';

const OPTIONS = [
  'texts',
  'results',
  'states',
  'stateEvery',
  'jobs',
  'threads',
  'onResult',
  'onState',
  'onProgress',
  'onJob',
  'onRecords',
  'signal',
] as const;
const LISTENERS = ['onResult', 'onState', 'onProgress', 'onJob', 'onRecords'] as const;

/** Seconds: at most this much of a job's work is lost if it is cancelled or its worker stops. */
const STATE_EVERY = 5;

/** The measures of two models with the same seed and grid point. */
type Compared = Pick<ExperimentRecords, 'metrics' | 'problems'>;

/** What a host does next: a job, or the comparison of the models in the group that begins with a job. */
type Work = { readonly job: ExperimentJob } | { readonly group: number };

/** The machine that an experiment runs on. */
export interface ExperimentPlaces {
  readonly cores: number;
  /** Where jobs can run; at most `jobs` of them are useful. `threads`: the most of each; if undefined, they share what is left. */
  open(jobs: number, threads: number | undefined): Promise<readonly ExperimentHost[]>;
}

export async function runExperiment(
  places: ExperimentPlaces,
  spec: ExperimentSpec,
  options: ExperimentOptions = {},
): Promise<ExperimentRecords> {
  const checked = checkSpec(spec);
  const given = checkExperimentOptions(options);
  const { threads } = given;
  const mostJobs = checkedThreads(given, places.cores);
  const signal = given.signal === undefined ? {} : { signal: given.signal };
  if (given.signal?.aborted === true)
    throw new TiedError('cancelled', 'the experiment was cancelled before it began', { cause: given.signal.reason });
  const found = new Found(checked, given.results ?? []);
  const { jobs } = found;
  const missing = jobs.filter((job) => found.isMissing(job));
  const states = new Map(Object.entries(given.states ?? {}));
  const all = jobs.reduce((sum, { training }) => sum + training.steps, 0);
  const done = new Map(jobs.map((job) => [job.id, found.isMissing(job) ? 0 : job.training.steps]));
  const report = (id: string, steps: number): void => {
    done.set(id, steps);
    given.onJob?.(id, steps);
    if (steps > 0) given.onProgress?.([...done.values()].reduce((sum, one) => sum + one, 0) / all);
  };

  const train = async (host: ExperimentHost, texts: TextCache, job: ExperimentJob): Promise<void> => {
    const { id } = job;
    const state = states.get(id) ?? null;
    report(id, state?.step ?? 0);
    let saved = Date.now();
    const result = await runJob(host, job, await texts.of(job), {
      signal,
      state,
      onSteps: (steps) => {
        report(id, done.get(id)! + steps);
      },
      onMoment: async (stateNow) => {
        if (Date.now() - saved < 1000 * (given.stateEvery ?? STATE_EVERY)) return;
        const now = await stateNow();
        states.set(id, now);
        given.onState?.(id, now);
        saved = Date.now();
      },
    });
    found.results.set(id, result);
    states.delete(id);
    // A run that diverged ended before its last step.
    if (done.get(id)! < job.training.steps) report(id, job.training.steps);
    given.onResult?.(result);
  };

  const compare = async (host: ExperimentHost, group: number): Promise<void> => {
    await found.compare(host, group, signal);
    given.onRecords?.(found.records());
  };

  const work: Work[] = [
    ...found.groups.filter((group) => found.isComplete(group)).map((group) => ({ group })),
    ...missing.map((job) => ({ job })),
  ];
  const workers = await places.open(Math.max(1, Math.min(mostJobs, missing.length)), threads);
  await shareOut(workers, work, (host) => {
    const texts = new TextCache(host, { texts: given.texts ?? {}, signal });
    return {
      act: async (one) => {
        if ('group' in one) {
          await compare(host, one.group);
          return [];
        }
        await train(host, texts, one.job);
        const group = found.groupOf(one.job);
        // At the front of the queue, so a worker that stops meanwhile costs only the comparison.
        if (found.isComplete(group)) return [{ group }];
        given.onRecords?.(found.records());
        return [];
      },
      close: () => {
        texts.close();
      },
    };
  });
  return found.records();
}

/** The results of an experiment so far, and what follows from them. */
class Found {
  readonly jobs: readonly ExperimentJob[];
  readonly results: Map<string, ExperimentResult>;
  /** Each group by its first job. */
  readonly groups: readonly number[];
  readonly #spec: CheckedSpec;
  readonly #arms: number;
  readonly #places: ReadonlyMap<string, number>;
  readonly #compared = new Map<number, Compared>();

  constructor(spec: CheckedSpec, results: readonly ExperimentResult[]) {
    this.#spec = spec;
    this.#arms = Object.keys(spec.arms).length;
    this.jobs = expand(spec);
    this.#places = new Map(this.jobs.map(({ id }, index) => [id, index]));
    this.results = new Map(results.map((result) => [result.run.id, result]));
    this.groups = this.jobs.map((_, index) => index).filter((index) => index % this.#arms === 0);
  }

  isMissing({ id, keepsModel }: ExperimentJob): boolean {
    const result = this.results.get(id);
    return result === undefined || (keepsModel && result.run.status === 'done' && result.model === null);
  }

  groupOf({ id }: ExperimentJob): number {
    const index = this.#places.get(id)!;
    return index - (index % this.#arms);
  }

  isComplete(group: number): boolean {
    return this.#jobsOf(group).every((job) => !this.isMissing(job));
  }

  /** Whether anything is measured of two models. */
  get compares(): boolean {
    return this.jobs.some(({ keepsModel }) => keepsModel);
  }

  async compare(host: ExperimentHost, group: number, signal: { signal?: AbortSignal }): Promise<void> {
    const jobs = this.#jobsOf(group);
    const compared = jobs.some(({ keepsModel }) => keepsModel)
      ? await compareModels(host, this.#spec, new Map(jobs.map(({ id, arm }) => [arm, this.results.get(id)!])), signal)
      : { metrics: [], problems: [] };
    this.#compared.set(group, compared);
  }

  /** The tables and the claims for the jobs finished so far: first measures of one model, then measures of two. */
  records(): ExperimentRecords {
    const ended = this.jobs.flatMap(({ id }) => this.results.get(id) ?? []);
    const compared = this.groups.flatMap((group) => this.#compared.get(group) ?? []);
    const runs = ended.map(({ run }) => run);
    const metrics = [...ended, ...compared].flatMap((one) => one.metrics);
    const claims = judgeClaims(this.#spec, new Values(this.#spec, runs, metrics));
    return { runs, metrics, claims, problems: compared.flatMap(({ problems }) => problems) };
  }

  #jobsOf(group: number): readonly ExperimentJob[] {
    return this.jobs.slice(group, group + this.#arms);
  }
}

/** The tables and the claims, from the results of all jobs; `open` provides a host if models are compared. */
export async function collect(
  open: () => Promise<ExperimentHost>,
  spec: CheckedSpec,
  results: readonly ExperimentResult[],
  signal: { signal?: AbortSignal },
): Promise<ExperimentRecords> {
  const found = new Found(spec, results);
  if (found.compares) {
    const host = await open();
    for (const group of found.groups) await found.compare(host, group, signal);
  }
  return found.records();
}

/** How many jobs run at the same time, at most. */
function checkedThreads({ jobs, threads = 1 }: ExperimentOptions, cores: number): number {
  checkInteger('options.threads', threads, 1, 8);
  if (jobs !== undefined) checkInteger('options.jobs', jobs, 1);
  if ((jobs ?? 1) * threads <= cores) return jobs ?? Math.floor(cores / threads);
  const each = jobs === undefined || threads === 1 ? '' : `, and options.jobs is ${jobs}`;
  const [name, value] = threads === 1 ? ['jobs', jobs] : ['threads', threads];
  throw new TiedError(
    'invalid-argument',
    `options.${name} is ${value}${each}; expected at most ${cores} threads in all, one for each core`,
  );
}

function checkExperimentOptions(options: ExperimentOptions): ExperimentOptions {
  const given = checkOptions('options', options, OPTIONS);
  if (given.signal !== undefined) checkSignal('options.signal', given.signal);
  for (const name of LISTENERS) {
    if (given[name] !== undefined) checkFunction(`options.${name}`, given[name]);
  }
  if (given.stateEvery !== undefined) checkRange('options.stateEvery', given.stateEvery, 0, 1e6);
  if (given.results !== undefined && !Array.isArray(given.results))
    throw invalidArgument('options.results', given.results, 'a list of results');
  if (given.states !== undefined && !isRecord(given.states))
    throw invalidArgument('options.states', given.states, 'an object of states by the ids of their jobs');
  const states = given.states && (readRecord('options.states', given.states) as Record<string, ExperimentState>);
  const withStates = states === undefined ? given : { ...given, states };
  if (given.texts === undefined) return withStates;
  if (!isRecord(given.texts)) throw invalidArgument('options.texts', given.texts, 'an object of texts by name');
  return { ...withStates, texts: readRecord('options.texts', given.texts) as Record<string, string> };
}
