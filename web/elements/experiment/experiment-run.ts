/** The run of an experiment as a reader sees it: what is there, what is being done, and how long it takes. */
import type {
  ExperimentJob,
  ExperimentMetric,
  ExperimentRecords,
  ExperimentResult,
  ExperimentState,
  Lab,
} from '../../core/types.js';
import { Measurement } from '../shared/measurement.js';
import type { Host } from '../shared/when-gone.js';
import { KeptExperiments } from './kept-experiments.js';
import type { Plan } from './plan.js';

/** What the run needs from its figure. */
export interface RunningFigure {
  readonly askLab: <Answer>(question: (lab: Lab) => Promise<Answer>) => Promise<Answer>;
  readonly failed: (error: unknown) => void;
  /** The run has started, was paused or has ended. */
  readonly changed: () => void;
}

/** Seconds before the remaining time is shown, because the first steps are slow. */
const settling = 3;
/** Seconds of training, per model, that a pause can lose. */
const stateEvery = 2;

export class ExperimentRun {
  readonly #host: Host;
  readonly #figure: RunningFigure;
  readonly #training: Measurement<Plan | null, ExperimentRecords>;
  #plan: Plan | null = null;
  #store: KeptExperiments | null = null;
  /** Whether the figure has left its page. */
  #gone = false;
  #results = new Map<string, ExperimentResult>();
  #states = new Map<string, ExperimentState>();
  #steps = new Map<string, number>();
  /** When the current stretch began, and what was done by then, in seconds of an ordinary core. */
  #began = { time: 0, done: 0 };
  /** Whether results survive a reload; null until that is known. */
  keeps: boolean | null = null;

  constructor(host: Host, figure: RunningFigure) {
    this.#host = host;
    this.#figure = figure;
    this.#training = new Measurement<Plan | null, ExperimentRecords>(host, {
      order: 'replace',
      question: () => this.#plan,
      possible: () => this.#plan !== null,
      same: Object.is,
      answers: (_, plan, of) => plan === of,
      given: () => [],
      measure: (plan, { signal, onPart }) => this.#run(plan!, signal, onPart),
      failed: figure.failed,
      report: () => {
        figure.changed();
        return true;
      },
    });
  }

  get plan(): Plan | null {
    return this.#plan;
  }

  get running(): boolean {
    const { state } = this.#training;
    return state === 'asked' || state === 'working';
  }

  /** The findings from the jobs that have ended. */
  get records(): ExperimentRecords | null {
    return this.#training.taken?.result ?? null;
  }

  /** The number of jobs that have ended. */
  get ended(): number {
    return this.#results.size;
  }

  /** Whether every claim is judged. */
  get complete(): boolean {
    return this.#training.state === 'shown';
  }

  /** Whether there is anything that "Start over" would lose. */
  get begun(): boolean {
    return this.#results.size > 0 || this.#states.size > 0;
  }

  stepsOf({ id }: ExperimentJob): number {
    return this.#steps.get(id) ?? 0;
  }

  isUnderWay(job: ExperimentJob): boolean {
    return this.running && this.#steps.has(job.id) && !this.#results.has(job.id);
  }

  resultOf({ id }: ExperimentJob): ExperimentResult | null {
    return this.#results.get(id) ?? null;
  }

  /** What was measured in a job so far. */
  metricsOf({ id }: ExperimentJob): readonly ExperimentMetric[] {
    return this.#results.get(id)?.metrics ?? this.#states.get(id)?.metrics ?? [];
  }

  /** Remaining seconds; null until there is an estimate. */
  get left(): number | null {
    const { time, done } = this.#began;
    const elapsed = (Date.now() - time) / 1000;
    const [all, now] = [this.#cost(() => 1), this.#cost((job) => this.stepsOf(job) / job.training.steps)];
    if (!this.running || elapsed < settling || now <= done) return null;
    return (elapsed * (all - now)) / (now - done);
  }

  /** The fraction of the work that is done. */
  get fraction(): number {
    return this.#cost((job) => this.stepsOf(job) / job.training.steps) / this.#cost(() => 1);
  }

  #cost(of: (job: ExperimentJob) => number): number {
    const { jobs = [], costOf = () => 0 } = this.#plan ?? {};
    return jobs.reduce((sum, job) => sum + costOf(job) * of(job), 0);
  }

  /** Switches to another experiment, or to none, and loads what is stored of it. */
  async take(plan: Plan | null): Promise<void> {
    this.#gone = false;
    if (plan !== null && plan.key === this.#plan?.key && sameClaims(plan, this.#plan)) {
      // The figure is back in its page, with the same experiment.
      await this.#open().catch(() => undefined);
      return;
    }
    this.#clear();
    this.#plan = plan;
    if (plan === null) return;
    try {
      const store = await this.#open();
      if (store === null) return;
      const { results, states } = await store.load(plan.key);
      if (this.#plan !== plan) return;
      this.keeps = true;
      for (const result of results) this.#take(result);
      for (const [id, state] of Object.entries(states)) this.#takeState(id, state);
    } catch {
      this.#store = null;
      this.keeps = false;
    }
    // Everything is there already: the conclusions take no training.
    if (this.ended === plan.jobs.length) this.start();
    this.#host.requestUpdate();
  }

  /** Null if the figure has left its page meanwhile. */
  async #open(): Promise<KeptExperiments | null> {
    if (this.#store !== null) return this.#store;
    const opened = await KeptExperiments.open();
    if (this.#gone || this.#store !== null) opened.close();
    else this.#store = opened;
    return this.#store;
  }

  /** The figure has left its page. An open connection would keep other pages from changing or deleting the storage. */
  release(): void {
    this.#gone = true;
    this.#store?.close();
    this.#store = null;
  }

  start(): void {
    if (this.#plan === null) return;
    this.#training.ask();
    this.#figure.changed();
  }

  pause(): void {
    this.#training.stop();
    // Steps since the last stored state will be repeated.
    for (const job of this.#plan?.jobs ?? []) {
      if (this.#results.has(job.id)) continue;
      const step = this.#states.get(job.id)?.step;
      if (step === undefined) this.#steps.delete(job.id);
      else this.#steps.set(job.id, step);
    }
    this.#host.requestUpdate();
    this.#figure.changed();
  }

  startOver(): void {
    this.#clear();
    this.#keep((store, { key }) => store.forget(key));
    this.#figure.changed();
  }

  #clear(): void {
    this.#training.stop();
    this.#training.forget();
    this.#results = new Map();
    this.#states = new Map();
    this.#steps = new Map();
  }

  #run(plan: Plan, signal: AbortSignal, onRecords: (records: ExperimentRecords) => void): Promise<ExperimentRecords> {
    // After a lab that died is replaced, the run continues from what is there.
    return this.#figure.askLab((lab) => {
      this.#began = { time: Date.now(), done: this.#cost((job) => this.stepsOf(job) / job.training.steps) };
      const heard =
        <News extends unknown[]>(listener: (...heard: News) => void) =>
        (...news: News): void => {
          if (signal.aborted) return;
          listener(...news);
          this.#host.requestUpdate();
        };
      return lab.runExperiment(plan.spec, {
        signal,
        texts: plan.texts,
        results: [...this.#results.values()],
        states: Object.fromEntries(this.#states),
        stateEvery,
        onJob: heard((id, steps) => this.#steps.set(id, steps)),
        onState: heard((id, state) => {
          this.#takeState(id, state);
          this.#keep((store, { key }) => store.keepState(key, id, state));
        }),
        onResult: heard((result) => {
          this.#take(result);
          this.#keep((store, { key }) => store.keepResult(key, result));
        }),
        onRecords,
      });
    });
  }

  #take(result: ExperimentResult): void {
    const { id, steps } = result.run;
    this.#results.set(id, result);
    this.#states.delete(id);
    this.#steps.set(id, steps);
  }

  #takeState(id: string, state: ExperimentState): void {
    this.#states.set(id, state);
    this.#steps.set(id, Math.max(state.step, this.#steps.get(id) ?? 0));
  }

  /** If the storage is full or gone, the run continues; only a reload would lose it. */
  #keep(act: (store: KeptExperiments, plan: Plan) => Promise<void>): void {
    if (this.#store === null || this.#plan === null) return;
    act(this.#store, this.#plan).catch(() => {
      this.keeps = false;
      this.#host.requestUpdate();
    });
  }
}

/** Claims do not affect what is trained, so they are not part of the key. */
const sameClaims = (a: Plan, b: Plan): boolean => JSON.stringify(a.spec.claims) === JSON.stringify(b.spec.claims);
