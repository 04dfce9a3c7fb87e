import type { Lab } from '../../core/types.js';
import { losesLab } from './failures.js';
import type { PreparationStage } from './prepare-text.js';
import type { TextSource } from './text-source.js';

/**
 * - `idle`: nothing is loaded, nothing is held
 * - `preparing`: the text is being read (`stage` says how far)
 * - `ready`: models exist and have done no step
 * - `running`, `paused`
 * - `finished`: the planned number of steps is done; it can be run on
 * - `failed`: `failure` says why; a changed source or setting starts again
 */
export type Phase = 'idle' | 'preparing' | 'ready' | 'running' | 'paused' | 'finished' | 'failed';

export interface LabFailure {
  /** Which part of the work went wrong, and so where it is said. */
  where: 'text' | 'training';
  error: unknown;
  /** The run of before stands as it stood: a text or a setting could not be used. */
  kept: boolean;
}

export interface ControllerOptions {
  /** Called when first needed. */
  lab: () => Promise<Lab>;
  loadBuiltIn: (id: string) => Promise<{ title: string; text: string }>;
  /** Called after every change of what the getters return; several times a frame at worst. */
  onChange: () => void;
  /** Called when a chunk of steps is done. */
  onSteps?: () => void;
  now?: () => number;
  wait?: (milliseconds: number) => Promise<void>;
}

/** Models that train side by side, always at the same step. */
export interface Models {
  /** Steps that every one of them has done. */
  readonly step: number;
  run(steps: number): Promise<void>;
  rewind(step: number): Promise<void>;
  dispose(): void;
}

/** How often a run stops to be looked at. */
export interface Pace {
  /** Length of a chunk of steps. */
  readonly chunkMs: number;
  readonly longestChunk: number;
  /** Time between two looks at what the models think while they run. */
  readonly lookEveryMs: number;
  /** What a step takes, before any was done. */
  readonly firstGuessMs: number;
}

export interface Preparation<Settings> {
  readonly lab: Lab;
  readonly source: TextSource;
  readonly settings: Settings;
  readonly loadBuiltIn: ControllerOptions['loadBuiltIn'];
  readonly onStage: (stage: PreparationStage) => void;
  readonly signal: AbortSignal;
}

/**
 * A lab without its drawings, whatever its models are: source -> text -> models -> steps. Verbs return at once or when
 * they are done; a later one makes an earlier one stop after the chunk of steps that it is in.
 */
export abstract class RunController<Settings extends { readonly steps: number }, Text, M extends Models> {
  protected readonly options: ControllerOptions;
  protected readonly now: () => number;
  readonly #pace: Pace;
  readonly #wait: (milliseconds: number) => Promise<void>;
  #queue: Promise<void> = Promise.resolve();
  /** Raised by whatever makes the work under way worthless. */
  #generation = 0;
  #abort = new AbortController();
  #halt = false;
  /** The run that was asked for last, and whether it waits for the element to be seen again. */
  #run: { target: number; stepsPerSecond: number } | null = null;
  #suspended = false;
  #msPerStep: number;
  /** As the reader's clock sees it, looks included. */
  #wallMsPerStep: number | null = null;
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

  constructor(options: ControllerOptions, pace: Pace) {
    this.options = options;
    this.#pace = pace;
    this.#msPerStep = pace.firstGuessMs;
    this.now = options.now ?? (() => performance.now());
    this.#wait = options.wait ?? ((milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)));
  }

  // ------------------------------------------------------------ for a lab to fill in

  /** True where these settings can be run. */
  protected abstract canBeRun(settings: Settings): boolean;
  /** True where the same source read with the new settings gives the same text. */
  protected abstract sameText(source: TextSource, before: Settings, after: Settings): boolean;
  protected abstract readText(preparation: Preparation<Settings>): Promise<Text>;
  protected abstract createModels(lab: Lab, settings: Settings, text: Text): Promise<M>;
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
    if (this.#run === null || this.#phase !== 'running' || this.#wallMsPerStep === null) return null;
    const steps = this.#run.target - this.step;
    return Number.isFinite(steps) ? (steps * this.#wallMsPerStep) / 1000 : null;
  }

  protected get models(): M | null {
    return this.#models;
  }
  /** Something newer waits, or the reader has paused. */
  protected get halted(): boolean {
    return this.#halt;
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
    await this.#enqueue(async () => this.#prepare(source, settings), 'text');
  }

  /** Gives up what is being prepared. */
  cancel(): void {
    if (this.#phase !== 'preparing') return;
    this.#abandon();
    this.#phase = 'idle';
    this.#stage = null;
    void this.#enqueue(async () => {
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
    this.#run = { target, stepsPerSecond };
    this.#phase = 'running';
    this.#changed();
    await this.#enqueue(async (models) => {
      if (target < models.step) await this.#goBack(models, target);
      await this.#advance(models, target, stepsPerSecond);
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
    await this.#enqueue(async (models) => this.#advance(models, models.step + 1, Number.POSITIVE_INFINITY));
  }

  /** Takes effect after the chunk of steps under way. */
  pause(): void {
    this.#suspended = false;
    if (this.#phase !== 'running') return;
    this.#halt = true;
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
    await this.#queue;
  }

  dispose(): void {
    this.#abandon();
    this.#phase = 'idle';
    void this.#enqueue(async () => {
      this.#release();
      if (this.#text !== null) this.releaseText(this.#text);
      this.#text = null;
      this.#textOf = null;
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

  #abandon(): void {
    this.#generation += 1;
    this.#halt = true;
    this.#abort.abort();
    this.#abort = new AbortController();
    this.#failure = null;
    this.#suspended = false;
    this.viewNewest();
  }

  #release(): void {
    this.#models?.dispose();
    this.#models = null;
    this.forget(null);
  }

  /** Lets what runs come to a stop, then does `task`, unless something newer has made it worthless. */
  #enqueue(task: (models: M) => Promise<void>, where: LabFailure['where'] = 'training'): Promise<void> {
    const generation = this.#generation;
    this.#halt = true;
    this.#queue = this.#queue.then(async () => {
      if (generation !== this.#generation) return;
      this.#halt = false;
      try {
        // A task of kind 'text' is the one that makes the models.
        await task(this.#models as M);
      } catch (error) {
        // Once the text is read it is the settings that cannot be had.
        const part = this.#textRead ? 'training' : where;
        if (generation === this.#generation) this.#fail(part, error);
      }
    });
    return this.#queue;
  }

  #fail(where: LabFailure['where'], error: unknown): void {
    const kept = this.#phase === 'preparing' && this.#models !== null && !losesLab(error);
    this.#failure = { where, error, kept };
    this.#stage = null;
    if (kept) {
      this.#settle();
      return;
    }
    this.#phase = 'failed';
    this.#changed();
  }

  async #prepare(source: TextSource, settings: Settings): Promise<void> {
    const generation = this.#generation;
    const { signal } = this.#abort;
    this.#textRead = false;
    const lab = await this.options.lab();
    if (generation !== this.#generation) return;
    const [before, textBefore] = [this.#settings, this.#text];
    const same =
      textBefore !== null && before !== null && this.#textOf === source && this.sameText(source, before, settings);
    const onStage = (stage: PreparationStage): void => {
      if (generation !== this.#generation) return;
      this.#stage = stage;
      this.#changed();
    };
    const { loadBuiltIn } = this.options;
    const text = same ? textBefore : await this.readText({ lab, source, settings, loadBuiltIn, onStage, signal });
    const discard = (): void => {
      if (!same) this.releaseText(text);
    };
    if (generation !== this.#generation) {
      discard();
      return;
    }
    this.#textRead = true;
    onStage('building');
    let models: M;
    try {
      models = await this.createModels(lab, settings, text);
    } catch (error) {
      discard();
      throw error;
    }
    if (generation !== this.#generation) {
      models.dispose();
      discard();
      return;
    }
    this.#release();
    if (!same && textBefore !== null) this.releaseText(textBefore);
    this.#models = models;
    this.#text = text;
    this.#textOf = source;
    this.#settings = settings;
    this.#msPerStep = this.#pace.firstGuessMs;
    this.#wallMsPerStep = null;
    this.started(models, text, !same);
    await this.#lookNow(models, true);
    if (generation !== this.#generation) return;
    this.#stage = null;
    this.#phase = 'ready';
    this.#changed();
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

  #chunk(stepsPerSecond: number): number {
    const { chunkMs, longestChunk } = this.#pace;
    const perChunk = Number.isFinite(stepsPerSecond) ? (stepsPerSecond * chunkMs) / 1000 : Number.POSITIVE_INFINITY;
    const affordable = chunkMs / Math.max(this.#msPerStep, 0.001);
    return Math.max(1, Math.min(Math.round(perChunk), Math.floor(affordable), longestChunk));
  }

  async #advance(models: M, target: number, stepsPerSecond: number): Promise<void> {
    const { chunkMs, lookEveryMs } = this.#pace;
    let nextAt = this.now();
    while (!this.#halt && models.step < target) {
      const stop = this.nextStop(models.step);
      const steps = Math.min(target - models.step, stop - models.step, this.#chunk(stepsPerSecond));
      const started = this.now();
      await models.run(steps);
      const ended = this.now();
      this.#msPerStep += ((ended - started) / steps - this.#msPerStep) / 3;
      const stops = this.#halt || models.step >= target;
      const due = models.step === stop || ended - this.#lastLook >= lookEveryMs;
      if (stops || due || this.wantsLook()) {
        await this.#lookNow(models, models.step === stop);
      }
      const wall = (this.now() - started) / steps;
      this.#wallMsPerStep =
        this.#wallMsPerStep === null ? wall : this.#wallMsPerStep + (wall - this.#wallMsPerStep) / 8;
      this.#changed();
      this.options.onSteps?.();
      if (Number.isFinite(stepsPerSecond) && !stops) {
        nextAt = Math.max(nextAt + (steps * 1000) / stepsPerSecond, this.now() - chunkMs);
        const early = nextAt - this.now();
        if (early > 0) await this.#wait(early);
      }
    }
    // A run that was stopped by a later verb leaves it to that verb to say how things stand.
    if (!this.#halt || this.#phase === 'paused') this.#settle();
  }

  /** The phase of models that stand still. */
  #settle(): void {
    const planned = this.#settings?.steps ?? 0;
    if (this.step === 0) this.#phase = 'ready';
    else this.#phase = this.step >= planned ? 'finished' : 'paused';
    this.#changed();
  }
}
