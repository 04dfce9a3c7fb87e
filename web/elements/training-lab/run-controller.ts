import type { ComparisonFrame, LabComparison } from '../../core/types.js';
import { codeOf } from '../shared/error-code.js';
import { Task } from '../shared/task.js';
import { nextStoredStep } from './history.js';
import type { Resumed } from './kept/moment.js';
import { StepTime, Tempo } from './pace.js';
import { RunModels } from './run-models.js';
import type { ControllerOptions, LabFailure, Phase, RunArm, RunSettings } from './running.js';
import type { LabText, PreparationStage } from './text.js';
import type { TextSource } from './text-source.js';

interface Run {
  readonly target: number;
  readonly stepsPerSecond: number;
  /** An intermediate step that is stored in addition to those of `nextStop`; null for none. */
  readonly via: number | null;
  /** Whether a later request ends it early. A single step is always completed: three presses are three steps. */
  readonly yields: boolean;
  paused: boolean;
}

/** How long a run has trained before it is stored, and between two times. */
const keepEveryMs = 30_000;
/** Storing takes at most this share of the training's time. */
const mostKeeping = 1 / 20;
type Work = (signal: AbortSignal) => Promise<void>;

/**
 * The training lab without its drawings: source -> corpus -> comparison -> steps. Verbs resolve when they are done; a
 * later verb stops an earlier run after its current frame.
 */
export abstract class RunController<
  Settings extends RunSettings,
  Text extends LabText,
  Arm extends RunArm,
> extends RunModels<Settings, Text, Arm> {
  readonly #now: () => number;
  readonly #wait: (milliseconds: number) => Promise<void>;
  readonly #work: Task<Work>;
  /** The last requested run, and whether it waits until the element is visible again. */
  #run: Run | null = null;
  #suspended = false;
  /** Whether the element is visible: a run requested while it is not waits for `resume`. */
  #visible = true;
  /** The target step of the current work. */
  #target = 0;
  #stepTime = new StepTime();
  #lookedAt = 0;
  /** The time spent training, in all and when the models were last stored, and the wait until they are stored again. */
  #trainedMs = 0;
  #keptMs = 0;
  #keepAfterMs = keepEveryMs;
  #keepSoon = false;
  /** The viewed earlier step; null for the newest. */
  #viewedStep: number | null = null;

  #phase: Phase = 'idle';
  #stage: PreparationStage | null = null;
  #failure: LabFailure | null = null;

  constructor(options: ControllerOptions) {
    super(options);
    this.#now = options.now ?? (() => performance.now());
    this.#wait = options.wait ?? ((milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)));
    this.#work = new Task<Work>(options.host, {
      order: 'queue',
      run: (work, signal) => work(signal).catch((error: unknown) => this.#fail(error, signal)),
    });
  }

  // ------------------------------------------------------------ to be implemented by each kind of model

  /** The minimum time between two reads of models that are training. */
  protected abstract readonly lookEveryMs: number;
  /** The next step at which the models are always read, whatever the time since the last read. */
  protected nextStop(step: number): number {
    return nextStoredStep(step);
  }
  /** Called after every frame. */
  protected async advanced(_frame: ComparisonFrame, _comparison: LabComparison): Promise<void> {}
  /** Reads the models' predictions; `store` is true at steps that the reader can go back to. */
  protected abstract look(comparison: LabComparison, store: boolean): Promise<void>;
  /** Whether the models should be read after the current frame. */
  protected wantsLook(): boolean {
    return false;
  }

  // ------------------------------------------------------------ state

  get phase(): Phase {
    return this.#phase;
  }
  get stage(): PreparationStage | null {
    return this.#stage;
  }
  get failure(): LabFailure | null {
    return this.#failure;
  }
  /** Whether a verb is running or waiting. */
  get busy(): boolean {
    return this.#work.pending;
  }
  /** True while a run waits for `resume`. */
  get suspended(): boolean {
    return this.#suspended;
  }
  /** The viewed step: the newest unless the reader went back. */
  get viewedStep(): number {
    return Math.min(this.#viewedStep ?? this.step, this.step);
  }
  get viewsNewest(): boolean {
    return this.#viewedStep === null;
  }
  /** The remaining time of the current run at its average pace; null if it has no end or no pace yet. */
  get secondsLeft(): number | null {
    if (this.#run === null || this.#phase !== 'running') return null;
    return this.#stepTime.secondsOf(this.#run.target - this.step);
  }

  // ------------------------------------------------------------ verbs

  /** Views any completed step; null for the newest. */
  view(step: number | null): void {
    this.#viewedStep = step === null || step >= this.step ? null : Math.max(0, step);
    this.report();
  }

  /**
   * Reads the source if it or the tokenizer has changed, and creates new models at step 0. Resolves when they exist,
   * when that has failed, or when a newer request has replaced this one. If it fails, the previous models are
   * unchanged.
   */
  async configure(source: TextSource, settings: Settings, resumed: Resumed | null = null): Promise<void> {
    if (this.problems(settings, null).length > 0)
      throw new RangeError('The settings cannot be run: see settingProblems.');
    this.#forgetState();
    this.#work.cancel();
    this.#phase = 'preparing';
    this.#stage = 'loading';
    this.report();
    await this.#enqueue((signal) => this.#prepare(source, settings, resumed, signal));
  }

  /** Cancels preparations. */
  cancel(): void {
    if (this.#phase !== 'preparing') return;
    this.#close();
    this.report();
  }

  /** Runs to the planned end at `stepsPerSecond` (Infinity: no limit); beyond the end, until paused. */
  async play(stepsPerSecond: number): Promise<void> {
    const planned = this.settings?.steps ?? 0;
    await this.runTo(this.step < planned ? planned : Number.POSITIVE_INFINITY, stepsPerSecond);
  }

  /** Runs to `target`; if that is an earlier step, rewinds to its weights. */
  async runTo(target: number, stepsPerSecond = Number.POSITIVE_INFINITY, via: number | null = null): Promise<void> {
    if (!this.#begin()) return;
    const run = { target, stepsPerSecond, via, yields: true, paused: false };
    this.#run = run;
    this.#phase = 'running';
    if (!this.#visible) {
      this.#suspend();
      return;
    }
    this.report();
    await this.#enqueue(async (signal) => {
      if (target < this.step) await this.#goBack(target);
      await this.#advance(run, signal);
    });
  }

  /** Takes effect immediately, also for the current run. */
  async changeSpeed(stepsPerSecond: number): Promise<void> {
    if (this.#phase !== 'running' || this.#run === null) return;
    await this.runTo(this.#run.target, stepsPerSecond, this.#run.via);
  }

  async stepOnce(): Promise<void> {
    if (!this.#begin()) return;
    this.report();
    await this.#enqueue((signal) => {
      const [target, stepsPerSecond] = [this.step + 1, Number.POSITIVE_INFINITY];
      return this.#advance({ target, stepsPerSecond, via: null, yields: false, paused: false }, signal);
    });
  }

  /** Takes effect after the current frame. */
  pause(): void {
    this.#suspended = false;
    if (this.#phase === 'running') this.#halt();
  }

  /** Pauses the run until `resume`, because the element is not visible. */
  suspend(): void {
    this.#visible = false;
    if (this.#phase === 'running') this.#suspend();
  }

  /** The page is hidden: a run that has an end goes on, and is stored soon, because the browser may discard the page. Any other run rests. */
  hide(): void {
    this.#keepSoon = true;
    if (this.#run?.target === Number.POSITIVE_INFINITY) this.suspend();
  }

  async resume(): Promise<void> {
    this.#visible = true;
    if (!this.#suspended || this.#run === null) return;
    await this.runTo(this.#run.target, this.#run.stepsPerSecond, this.#run.via);
  }

  /** Rewinds to the initial weights. Drops the curves, because the same run would draw the same ones again. */
  async rewind(): Promise<void> {
    if (this.comparison === null) return;
    this.#forgetState();
    await this.#enqueue(async () => {
      await this.#goBack(0);
      this.#settle();
    });
  }

  /** Resolves when all requests so far are done. */
  async idle(): Promise<void> {
    await this.#work.idle();
  }

  /** Disposes of the models and the corpus; current work stops within a step. */
  dispose(): void {
    this.comparison?.dispose();
    this.#close();
  }

  // ------------------------------------------------------------ for use by each kind of model

  /** Requests drawing. */
  protected report(): void {
    this.options.onChange();
  }

  /** Calls `act` with paused models; while models train, `look` follows soon anyway. */
  protected async whileStanding(act: (comparison: LabComparison) => Promise<void>): Promise<void> {
    const { comparison } = this;
    if (this.#phase === 'running' || this.#phase === 'preparing' || comparison === null) return;
    await this.#enqueue(() => act(comparison));
    this.report();
  }

  // ------------------------------------------------------------ inside

  #suspend(): void {
    // Set before listeners run; otherwise they treat it as the reader's pause.
    this.#suspended = true;
    this.#halt();
  }

  #halt(): void {
    if (this.#run !== null) this.#run.paused = true;
    this.#phase = 'paused';
    this.report();
  }

  /** False if there are no sound models to train. */
  #begin(): boolean {
    const sound = this.#failure === null || this.#failure.runStands;
    const can = this.comparison !== null && this.#phase !== 'preparing' && sound;
    if (can) this.#forgetState();
    return can;
  }

  /** Clears what the last request left behind. */
  #forgetState(): void {
    this.#viewedStep = null;
    this.#failure = null;
    this.#suspended = false;
  }

  /** Invalidates all requests so far, and releases everything once none of them is running. */
  #close(): void {
    this.#phase = 'idle';
    this.#stage = null;
    this.#forgetState();
    this.#work.cancel(() => this.release());
  }

  /** Runs after earlier requests, unless a newer one has invalidated it. */
  #enqueue(work: Work): Promise<void> {
    return this.#work.request(work);
  }

  async #fail(error: unknown, signal: AbortSignal): Promise<void> {
    // Once the text has been read, errors are due to the settings.
    const where = this.#stage === null || this.#stage === 'building' ? 'training' : 'text';
    const dead = !signal.aborted && (await this.options.labs.lost(error, this.lab));
    if (signal.aborted) return;
    const { step } = this;
    // The comparison may have lost a worker that is not the lab's own.
    const lost = dead || codeOf(error) === 'stopped';
    const lostAt = lost ? (Number.isFinite(this.#target) ? Math.max(this.#target, step) : step) : null;
    if (lost) this.release();
    const runStands = this.#phase === 'preparing' && this.comparison !== null;
    this.#failure = { where, error, step, runStands, lostAt };
    this.#stage = null;
    if (runStands) {
      this.#settle();
      return;
    }
    this.#phase = 'failed';
    this.report();
  }

  async #prepare(source: TextSource, settings: Settings, resumed: Resumed | null, signal: AbortSignal): Promise<void> {
    this.#target = 0;
    const onStage = (stage: PreparationStage): void => this.#setStage(stage, signal);
    if (!(await this.create({ source, settings, signal, onStage, resumed }))) return;
    this.#stepTime = new StepTime();
    this.#trainedMs = this.#keptMs = 0;
    this.#keepAfterMs = keepEveryMs;
    // For the measurements at step 0.
    await this.#frame({ until: this.step });
    await this.#look(true);
    if (signal.aborted) return;
    this.#stage = null;
    this.#settle();
  }

  #setStage(stage: PreparationStage, signal: AbortSignal): void {
    if (signal.aborted || stage === this.#stage) return;
    this.#stage = stage;
    this.report();
  }

  async #goBack(step: number): Promise<void> {
    await this.comparison?.rewind(step);
    for (const arm of this.arms) arm.truncate(step);
    this.forget(step);
    await this.#look(step === 0);
  }

  async #look(store: boolean): Promise<void> {
    const { comparison } = this;
    if (comparison !== null) await this.look(comparison, store);
    this.#lookedAt = this.#now();
  }

  async #frame(options: { until: number; steps?: number }): Promise<void> {
    const { comparison } = this;
    if (comparison === null) return;
    const from = comparison.step;
    const frame = await comparison.next(options);
    for (const arm of this.arms) {
      const columns = frame.columns[arm.kind];
      if (columns !== undefined && columns.step.length > 0) arm.add(from, columns);
    }
    await this.advanced(frame, comparison);
  }

  async #advance(run: Run, signal: AbortSignal): Promise<void> {
    const { target, stepsPerSecond } = run;
    const via = run.via ?? Number.POSITIVE_INFINITY;
    this.#target = target;
    const tempo = new Tempo(stepsPerSecond, this.#now());
    const halted = (): boolean => run.paused || (run.yields && this.#work.overtaken) || signal.aborted;
    while (!halted() && this.step < target) {
      const [from, began] = [this.step, this.#now()];
      const stop = Math.min(this.nextStop(from), from < via ? via : Number.POSITIVE_INFINITY);
      const { steps } = tempo;
      await this.#frame({ until: Math.min(target, stop), ...(steps === undefined ? {} : { steps }) });
      const done = halted() || this.step >= target;
      const due = this.step === stop || this.#now() - this.#lookedAt >= this.lookEveryMs;
      if (done || due || this.wantsLook()) await this.#look(this.step === stop);
      const tookMs = this.#now() - began;
      this.#stepTime.add(this.step - from, tookMs);
      this.#trainedMs += tookMs;
      this.report();
      this.options.onSteps?.();
      // A run that was long enough to be stored is also stored where it stops.
      if (this.#isKeepingDue(this.#keepSoon || (done && this.#keptMs > 0)) && !signal.aborted) await this.#keep();
      const early = done ? 0 : tempo.waitAfter(this.step - from, this.#now());
      if (early > 0) await this.#wait(early);
    }
    this.#target = 0;
    // If a later verb stopped this run, that verb sets the phase.
    if (!signal.aborted && (!this.#work.overtaken || this.#phase === 'paused')) this.#settle();
  }

  #isKeepingDue(soon: boolean): boolean {
    return this.#trainedMs - this.#keptMs >= (soon ? this.#keepAfterMs / 6 : this.#keepAfterMs);
  }

  async #keep(): Promise<void> {
    const { standing } = this;
    if (standing === null || this.options.keep === undefined) return;
    this.#keepSoon = false;
    const began = this.#now();
    await this.options.keep(standing);
    this.#keptMs = this.#trainedMs;
    this.#keepAfterMs = Math.max(keepEveryMs, (this.#now() - began) / mostKeeping);
  }

  /** The phase of models that are not training. */
  #settle(): void {
    const planned = this.settings?.steps ?? 0;
    if (this.step === 0) this.#phase = 'ready';
    else this.#phase = this.step >= planned ? 'finished' : 'paused';
    this.report();
  }
}

/** What the figure and its frame need from a run of any kind of model. */
export type Runner = RunController<RunSettings, LabText, RunArm>;
