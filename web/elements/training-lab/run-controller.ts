import type { Lab } from '../../core/types.js';
import { Task } from '../shared/task.js';
import { SpeedLimit, StepTimes, type Pace } from './pace.js';
import type { PreparationStage } from './prepare-text.js';
import type { ControllerOptions, LabFailure, Models, Phase, Preparation, RunSettings } from './running.js';
import type { TextSource } from './text-source.js';

interface Run {
  readonly target: number;
  readonly stepsPerSecond: number;
  paused: boolean;
}

interface Work<M> {
  /** The work that makes the models is given those before, if any. */
  readonly act: (models: M, signal: AbortSignal) => Promise<void>;
  /** Which part of it fails. */
  readonly where: LabFailure['where'];
}

/**
 * A lab without its drawings, whatever its models are: source -> text -> models -> steps. Verbs resolve when they are done;
 * a later one stops an earlier one after its chunk of steps, and new settings or `dispose` abort it within a step.
 */
export abstract class RunController<Settings extends RunSettings, Text, M extends Models> {
  protected readonly options: ControllerOptions;
  protected readonly now: () => number;
  readonly #pace: Pace;
  readonly #wait: (milliseconds: number) => Promise<void>;
  readonly #work: Task<Work<M>>;
  /** The run that was asked for last, and whether it waits for the element to be seen again. */
  #run: Run | null = null;
  #suspended = false;
  #times: StepTimes;
  #lastLook = 0;

  #phase: Phase = 'idle';
  #stage: PreparationStage | null = null;
  /** What is being prepared has its text. */
  #textRead = false;
  #failure: LabFailure | null = null;
  #settings: Settings | null = null;
  #text: Text | null = null;
  #textOf: TextSource | null = null;
  #models: M | null = null;
  #takesTurns = false;

  constructor(options: ControllerOptions, pace: Pace) {
    this.options = options;
    this.#work = new Task<Work<M>>(options.host, {
      order: 'queue',
      run: async ({ act, where }, signal) => {
        try {
          await act(this.#models as M, signal);
        } catch (error) {
          // Once the text is read it is the settings that cannot be had.
          await this.#fail(this.#textRead ? 'training' : where, error, signal);
        }
      },
    });
    this.#pace = pace;
    this.#times = new StepTimes(pace);
    this.now = options.now ?? (() => performance.now());
    this.#wait = options.wait ?? ((milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)));
  }

  // ------------------------------------------------------------ for a lab to fill in

  /** True where these settings can be run. */
  protected abstract canBeRun(settings: Settings): boolean;
  /** True where the same source read with the new settings gives the same text. */
  protected abstract sameText(source: TextSource, before: Settings, after: Settings): boolean;
  protected abstract readText(preparation: Preparation<Settings>): Promise<Text>;
  /** Deals the arms out to the labs. */
  protected abstract createModels(labs: readonly Lab[], settings: Settings, text: Text): Promise<M>;
  /** New models stand on this text, which may be another one than before. */
  protected abstract started(models: M, text: Text, newText: boolean): void;
  /** The next step at which something is to be looked at whatever the clock says. */
  protected abstract nextStop(step: number): number;
  /** Looks at what the models think; `keep` at steps that can be gone back to. */
  protected abstract look(models: M, keep: boolean): Promise<void>;
  /** Forgets what was kept of later steps; null: of all. */
  protected abstract forget(after: number | null): void;
  /** The newest state is looked at again. */
  protected abstract viewNewest(): void;
  /** A text that is no longer needed. */
  protected releaseText(_text: Text): void {}
  /** True where a run is to be looked at as soon as may be. */
  protected wantsLook(): boolean {
    return false;
  }

  // ------------------------------------------------------------ what is known

  get phase(): Phase {
    return this.#phase;
  }
  get stage(): PreparationStage | null {
    return this.#stage;
  }
  get failure(): LabFailure | null {
    return this.#failure;
  }
  get text(): Text | null {
    return this.#text;
  }
  /** The source that `text` was read from. */
  get source(): TextSource | null {
    return this.#textOf;
  }
  /** Those of the models that stand. */
  get settings(): Settings | null {
    return this.#settings;
  }
  /** True while a run waits for `resume`. */
  get suspended(): boolean {
    return this.#suspended;
  }
  /** Steps done. */
  get step(): number {
    return this.#models?.step ?? 0;
  }
  /** Of the run under way, at its pace so far; null where it has no end or no pace yet. */
  get secondsLeft(): number | null {
    if (this.#run === null || this.#phase !== 'running') return null;
    return this.#times.secondsOf(this.#run.target - this.step);
  }
  /** Several arms share one core, a slice of time each, because there is no second one. */
  get takesTurns(): boolean {
    return this.#takesTurns;
  }

  protected get models(): M | null {
    return this.#models;
  }

  // ------------------------------------------------------------ verbs

  /**
   * Reads the source where it or the tokens changed, and starts new models at step 0. Resolves when they stand, or when
   * it has failed, or when something newer has taken its place. Where it fails, the models of before stay as they were.
   */
  async configure(source: TextSource, settings: Settings): Promise<void> {
    if (!this.canBeRun(settings)) throw new RangeError('The settings cannot be run: see settingProblems.');
    this.#abandon();
    this.#phase = 'preparing';
    this.#stage = 'loading';
    this.#changed();
    await this.#enqueue((_, signal) => this.#prepare(source, settings, signal), 'text');
  }

  /** Gives up what is being prepared. */
  cancel(): void {
    if (this.#phase !== 'preparing') return;
    this.#phase = 'idle';
    this.#stage = null;
    this.#abandon(() => {
      this.#release();
    });
    this.#changed();
  }

  /** Runs to the planned end at `stepsPerSecond` (Infinity: as fast as it goes); past the end, until paused. */
  async play(stepsPerSecond: number): Promise<void> {
    const planned = this.#settings?.steps ?? 0;
    await this.runTo(this.step < planned ? planned : Number.POSITIVE_INFINITY, stepsPerSecond);
  }

  /** Runs to `target`; where that lies behind, goes back to the weights of that step. */
  async runTo(target: number, stepsPerSecond = Number.POSITIVE_INFINITY): Promise<void> {
    if (!this.#canRun()) return;
    this.viewNewest();
    this.#failure = null;
    this.#suspended = false;
    const run = { target, stepsPerSecond, paused: false };
    this.#run = run;
    this.#phase = 'running';
    this.#changed();
    await this.#enqueue(async (models, signal) => {
      if (target < models.step) await this.#goBack(models, target);
      await this.#advance(models, run, signal);
    });
  }

  /** Takes effect at once on what runs. */
  async changeSpeed(stepsPerSecond: number): Promise<void> {
    if (this.#phase === 'running' && this.#run !== null) await this.runTo(this.#run.target, stepsPerSecond);
  }

  async stepOnce(): Promise<void> {
    if (!this.#canRun()) return;
    this.viewNewest();
    this.#failure = null;
    this.#suspended = false;
    await this.#enqueue((models, signal) => {
      const run = { target: models.step + 1, stepsPerSecond: Number.POSITIVE_INFINITY, paused: false };
      return this.#advance(models, run, signal);
    });
  }

  /** Takes effect after the chunk of steps under way. */
  pause(): void {
    this.#suspended = false;
    if (this.#phase !== 'running') return;
    if (this.#run !== null) this.#run.paused = true;
    this.#phase = 'paused';
    this.#changed();
  }

  /** Pauses what runs until `resume`, because nobody can see it. */
  suspend(): void {
    if (this.#phase !== 'running') return;
    this.pause();
    this.#suspended = true;
    this.#changed();
  }

  async resume(): Promise<void> {
    if (!this.#suspended || this.#run === null) return;
    await this.runTo(this.#run.target, this.#run.stepsPerSecond);
  }

  /** Back to the same weights. The curves of a rewound run are forgotten: it would draw the same ones again. */
  async rewind(): Promise<void> {
    if (this.#models === null) return;
    this.viewNewest();
    this.#suspended = false;
    await this.#enqueue(async (models) => {
      this.#failure = null;
      await this.#goBack(models, 0);
      this.#settle();
    });
  }

  /** Resolves when everything asked for so far is done. */
  async idle(): Promise<void> {
    await this.#work.idle();
  }

  /** Lets go of models and text once the work under way has stopped, which it does within a step. */
  dispose(): void {
    this.#phase = 'idle';
    this.#abandon(() => {
      this.#releaseAll();
    });
  }

  // ------------------------------------------------------------ for a lab to use

  /** Tells the drawing. */
  protected tell(): void {
    this.#changed();
  }

  /** Does something with models that stand still; while they run, `look` has its turn before long. */
  protected async whileStanding(task: (models: M) => Promise<void>): Promise<void> {
    if (this.#phase === 'running' || this.#phase === 'preparing' || this.#models === null) return;
    await this.#enqueue(task);
    this.#changed();
  }

  // ------------------------------------------------------------ inside

  #canRun(): boolean {
    const sound = this.#failure === null || this.#failure.kept;
    return this.#models !== null && this.#phase !== 'preparing' && sound;
  }

  #changed(): void {
    this.options.onChange();
  }

  /** Makes everything worthless that was asked for so far; calls `stopped` once none of it runs. */
  #abandon(stopped?: () => void): void {
    this.#failure = null;
    this.#suspended = false;
    this.viewNewest();
    this.#work.cancel(stopped);
  }

  #release(): void {
    this.#models?.dispose();
    this.#models = null;
    this.forget(null);
  }

  #releaseAll(): void {
    this.#release();
    if (this.#text !== null) this.releaseText(this.#text);
    this.#text = null;
    this.#textOf = null;
  }

  /** Lets what runs come to a stop, then does `act`, unless something newer has made it worthless. */
  #enqueue(act: Work<M>['act'], where: LabFailure['where'] = 'training'): Promise<void> {
    return this.#work.request({ act, where });
  }

  async #fail(where: LabFailure['where'], error: unknown, signal: AbortSignal): Promise<void> {
    const lost = signal.aborted ? [] : await this.options.labs.lost(error);
    if (signal.aborted) return;
    const target = this.#phase === 'running' ? (this.#run?.target ?? 0) : 0;
    const reached = Number.isFinite(target) ? Math.max(target, this.step) : this.step;
    const lostAt = lost.length > 0 ? reached : null;
    if (lostAt !== null) this.#releaseAll();
    const kept = this.#phase === 'preparing' && this.#models !== null;
    this.#failure = { where, error, kept, lostAt };
    this.#stage = null;
    if (kept) {
      this.#settle();
      return;
    }
    this.#phase = 'failed';
    this.#changed();
  }

  async #prepare(source: TextSource, settings: Settings, signal: AbortSignal): Promise<void> {
    this.#textRead = false;
    const { loadBuiltIn, labs } = this.options;
    const lab = await labs.lab();
    if (signal.aborted) return;
    // A second worker starts while the text is being read.
    const opening = labs.beside(lab, settings.arms.length);
    const before = this.#keptText(source, settings);
    const onStage = (stage: PreparationStage): void => {
      if (signal.aborted) return;
      this.#stage = stage;
      this.#changed();
    };
    const text = before ?? (await this.readText({ lab, source, settings, loadBuiltIn, onStage, signal }));
    let stands = false;
    try {
      if (signal.aborted) return;
      this.#textRead = true;
      onStage('building');
      const dealtTo = await opening;
      const models = await this.createModels(dealtTo, settings, text);
      if (signal.aborted) {
        models.dispose();
        return;
      }
      stands = true;
      this.#takesTurns = dealtTo.length === 1 && settings.arms.length > 1;
      this.#stand(models, text, source, settings);
    } finally {
      if (!stands && text !== before) this.releaseText(text);
    }
    await this.#lookNow(this.#models as M, true);
    if (signal.aborted) return;
    this.#stage = null;
    this.#phase = 'ready';
    this.#changed();
  }

  /** The text that stands, where the source read with these settings would give the same. */
  #keptText(source: TextSource, settings: Settings): Text | null {
    if (this.#settings === null || this.#textOf !== source) return null;
    return this.sameText(source, this.#settings, settings) ? this.#text : null;
  }

  /** New models take the place of those of before. */
  #stand(models: M, text: Text, source: TextSource, settings: Settings): void {
    const textBefore = this.#text;
    const newText = text !== textBefore;
    this.#release();
    if (newText && textBefore !== null) this.releaseText(textBefore);
    this.#models = models;
    this.#text = text;
    this.#textOf = source;
    this.#settings = settings;
    this.#times = new StepTimes(this.#pace);
    this.started(models, text, newText);
  }

  async #goBack(models: M, step: number): Promise<void> {
    await models.rewind(step);
    this.forget(step);
    await this.#lookNow(models, step === 0);
  }

  async #lookNow(models: M, keep: boolean): Promise<void> {
    await this.look(models, keep);
    this.#lastLook = this.now();
  }

  async #advance(models: M, run: Run, signal: AbortSignal): Promise<void> {
    const { target, stepsPerSecond } = run;
    const { chunkMs, lookEveryMs } = this.#pace;
    const limit = new SpeedLimit(stepsPerSecond, chunkMs, this.now());
    const halted = (): boolean => run.paused || this.#work.overtaken || signal.aborted;
    while (!halted() && models.step < target) {
      const stop = this.nextStop(models.step);
      const steps = Math.min(target - models.step, stop - models.step, this.#times.chunk(stepsPerSecond));
      const started = this.now();
      await models.run(steps, signal);
      const ended = this.now();
      const stops = halted() || models.step >= target;
      const due = models.step === stop || ended - this.#lastLook >= lookEveryMs;
      if (stops || due || this.wantsLook()) await this.#lookNow(models, models.step === stop);
      this.#times.add(steps, ended - started, this.now() - started);
      this.#changed();
      this.options.onSteps?.();
      const early = stops ? 0 : limit.waitAfter(steps, this.now());
      if (early > 0) await this.#wait(early);
    }
    // A run that was stopped by a later verb leaves it to that verb to say how things stand.
    if (!signal.aborted && (!this.#work.overtaken || this.#phase === 'paused')) this.#settle();
  }

  /** The phase of models that stand still. */
  #settle(): void {
    const planned = this.#settings?.steps ?? 0;
    if (this.step === 0) this.#phase = 'ready';
    else this.#phase = this.step >= planned ? 'finished' : 'paused';
    this.#changed();
  }
}
