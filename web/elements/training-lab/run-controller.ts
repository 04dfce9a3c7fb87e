import type { ComparisonFrame, Lab, LabComparison } from '../../core/types.js';
import { commonStrings } from '../shared/strings.js';
import type { TokenNames } from '../shared/token-names.js';
import { Task } from '../shared/task.js';
import { nextStoredStep } from './history.js';
import { StepTime, Tempo } from './pace.js';
import { compareOptions, type RunPlan } from './run-plan.js';
import {
  compareBeyond,
  type ControllerOptions,
  type LabFailure,
  type Phase,
  type RunArm,
  type RunSettings,
  type Standing,
} from './running.js';
import type { SettingProblem } from './settings.js';
import { openText, type LabText, type PreparationStage } from './text.js';
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

interface Work {
  readonly act: (signal: AbortSignal) => Promise<void>;
  /** Which part of the work this is, for reports of failures. */
  readonly where: LabFailure['where'];
}

/**
 * The training lab without its drawings: source -> corpus -> comparison -> steps. Verbs resolve when they are done; a
 * later verb stops an earlier run after its current frame.
 */
export abstract class RunController<Settings extends RunSettings, Text extends LabText, Arm extends RunArm> {
  protected readonly options: ControllerOptions;
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
  /** The viewed earlier step; null for the newest. */
  #viewedStep: number | null = null;

  #phase: Phase = 'idle';
  #stage: PreparationStage | null = null;
  /** Whether the run that is being prepared has finished reading its text. */
  #textRead = false;
  #failure: LabFailure | null = null;
  /** The lab that was last asked for models. */
  #lab: Lab | undefined;
  #standing: Standing<Settings, Text, Arm> | null = null;

  constructor(options: ControllerOptions) {
    this.options = options;
    this.#now = options.now ?? (() => performance.now());
    this.#wait = options.wait ?? ((milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)));
    this.#work = new Task<Work>(options.host, {
      order: 'queue',
      run: async ({ act, where }, signal) => {
        try {
          await act(signal);
        } catch (error) {
          // Once the text has been read, errors are due to the settings.
          await this.#fail(this.#textRead ? 'training' : where, error, signal);
        }
      },
    });
  }

  // ------------------------------------------------------------ to be implemented by each kind of model

  protected abstract readonly plan: RunPlan<Settings>;
  /** The minimum time between two reads of models that are training. */
  protected abstract readonly lookEveryMs: number;
  /** Fetches what is drawn of a text. */
  protected abstract completeText(text: LabText): Promise<Text>;
  /** Throws if the text does not fit the settings. */
  protected checkText(_text: LabText, _settings: Settings): void {}
  protected abstract createArms(settings: Settings): Arm[];
  /** New models were created on this text, which may have changed. */
  protected abstract started(text: Text, newText: boolean): void;
  /** The next step at which the models are always read, whatever the time since the last read. */
  protected nextStop(step: number): number {
    return nextStoredStep(step);
  }
  /** Called after every frame. */
  protected async advanced(_frame: ComparisonFrame, _comparison: LabComparison): Promise<void> {}
  /** Reads the models' predictions; `store` is true at steps that the reader can go back to. */
  protected abstract look(comparison: LabComparison, store: boolean): Promise<void>;
  /** Drops what was stored about later steps; everything for null. */
  protected abstract forget(after: number | null): void;
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
  get text(): Text | null {
    return this.#standing?.text ?? null;
  }
  /** The source that `text` was read from. */
  get source(): TextSource | null {
    return this.#standing?.source ?? null;
  }
  /** The settings of the current models. */
  get settings(): Settings | null {
    return this.#standing?.settings ?? null;
  }
  get arms(): readonly Arm[] {
    return this.#standing?.arms ?? [];
  }
  /** Whether a verb is running or waiting. */
  get busy(): boolean {
    return this.#work.pending;
  }
  /** True while a run waits for `resume`. */
  get suspended(): boolean {
    return this.#suspended;
  }
  /** Steps done. */
  get step(): number {
    return this.#standing?.comparison.step ?? 0;
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
  /** Whether several arms share one worker because there is no second one. */
  get takesTurns(): boolean {
    return this.#standing?.comparison.workers === 1 && this.arms.length > 1;
  }

  protected get comparison(): LabComparison | null {
    return this.#standing?.comparison ?? null;
  }

  // ------------------------------------------------------------ verbs

  /** The problems of these settings, for this text if it is known; empty if they can be run. */
  problems(settings: Settings, text: Text | null): SettingProblem[] {
    return this.plan.problems(settings, text === null ? undefined : text.corpus.tokens - text.corpus.validationTokens);
  }

  /** Views any completed step; null for the newest. */
  view(step: number | null): void {
    this.#viewedStep = step === null || step >= this.step ? null : Math.max(0, step);
    this.tell();
  }

  /**
   * Reads the source if it or the tokenizer has changed, and creates new models at step 0. Resolves when they exist,
   * when that has failed, or when a newer request has replaced this one. If it fails, the previous models are
   * unchanged.
   */
  async configure(source: TextSource, settings: Settings): Promise<void> {
    if (this.problems(settings, null).length > 0)
      throw new RangeError('The settings cannot be run: see settingProblems.');
    this.#forgetState();
    this.#work.cancel();
    this.#phase = 'preparing';
    this.#stage = 'loading';
    this.tell();
    await this.#enqueue((signal) => this.#prepare(source, settings, signal), 'text');
  }

  /** Cancels preparations. */
  cancel(): void {
    if (this.#phase !== 'preparing') return;
    this.#close();
    this.tell();
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
    this.tell();
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
    this.tell();
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

  async resume(): Promise<void> {
    this.#visible = true;
    if (!this.#suspended || this.#run === null) return;
    await this.runTo(this.#run.target, this.#run.stepsPerSecond, this.#run.via);
  }

  /** Rewinds to the initial weights. Drops the curves, because the same run would draw the same ones again. */
  async rewind(): Promise<void> {
    if (this.#standing === null) return;
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

  /** Names of a word tokenizer's special tokens. */
  protected get names(): TokenNames {
    return this.options.names?.() ?? commonStrings;
  }

  /** Requests drawing. */
  protected tell(): void {
    this.options.onChange();
  }

  /** Calls `act` with paused models; while models train, `look` follows soon anyway. */
  protected async whileStanding(act: (comparison: LabComparison) => Promise<void>): Promise<void> {
    const { comparison } = this;
    if (this.#phase === 'running' || this.#phase === 'preparing' || comparison === null) return;
    await this.#enqueue(() => act(comparison));
    this.tell();
  }

  // ------------------------------------------------------------ inside

  #suspend(): void {
    // Set first: whoever is told must not take this for a pause by the reader.
    this.#suspended = true;
    this.#halt();
  }

  #halt(): void {
    if (this.#run !== null) this.#run.paused = true;
    this.#phase = 'paused';
    this.tell();
  }

  /** False if there are no sound models to train. */
  #begin(): boolean {
    const sound = this.#failure === null || this.#failure.runStands;
    const can = this.#standing !== null && this.#phase !== 'preparing' && sound;
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
    this.#work.cancel(() => this.#release());
  }

  #release(): void {
    const standing = this.#standing;
    this.#standing = null;
    standing?.comparison.dispose();
    standing?.text.corpus.dispose();
    this.forget(null);
  }

  /** Runs after earlier requests, unless a newer one has invalidated it. */
  #enqueue(act: Work['act'], where: LabFailure['where'] = 'training'): Promise<void> {
    return this.#work.request({ act, where });
  }

  async #fail(where: LabFailure['where'], error: unknown, signal: AbortSignal): Promise<void> {
    const dead = !signal.aborted && (await this.options.labs.lost(error, this.#standing?.lab ?? this.#lab));
    if (signal.aborted) return;
    const { step } = this;
    // The comparison may have lost a worker that is not the lab's own.
    const lost = dead || (error as { code?: unknown } | null)?.code === 'stopped';
    const lostAt = lost ? (Number.isFinite(this.#target) ? Math.max(this.#target, step) : step) : null;
    if (lost) this.#release();
    const runStands = this.#phase === 'preparing' && this.#standing !== null;
    this.#failure = { where, error, step, runStands, lostAt };
    this.#stage = null;
    if (runStands) {
      this.#settle();
      return;
    }
    this.#phase = 'failed';
    this.tell();
  }

  async #prepare(source: TextSource, settings: Settings, signal: AbortSignal): Promise<void> {
    this.#textRead = false;
    this.#target = 0;
    const lab = await this.options.labs.lab();
    if (signal.aborted) return;
    this.#lab = lab;
    const before = this.#textFor(lab, source, settings);
    const text = before ?? (await this.#readText(lab, source, settings, signal));
    let comparison: LabComparison | null = null;
    let stands = false;
    try {
      if (signal.aborted) return;
      this.#textRead = true;
      this.#setStage('building', signal);
      comparison = await this.#compare(lab, text, settings, signal);
      if (signal.aborted) return;
      stands = true;
      this.#stand({ lab, comparison, arms: this.createArms(settings), text, source, settings });
    } finally {
      if (!stands) comparison?.dispose();
      if (!stands && text !== before) text.corpus.dispose();
    }
    // For the measurements at step 0.
    await this.#frame({ until: 0 });
    await this.#look(true);
    if (signal.aborted) return;
    this.#stage = null;
    this.#phase = 'ready';
    this.tell();
  }

  #setStage(stage: PreparationStage, signal: AbortSignal): void {
    if (signal.aborted || stage === this.#stage) return;
    this.#stage = stage;
    this.tell();
  }

  async #readText(lab: Lab, source: TextSource, settings: Settings, signal: AbortSignal): Promise<Text> {
    const { loadBuiltIn } = this.options;
    const onStage = (stage: PreparationStage): void => this.#setStage(stage, signal);
    const { names } = this;
    const { validation, alphabet } = this.plan;
    const reading = { validation, alphabet, names, source, settings, loadBuiltIn, onStage, signal };
    const text = await openText(lab, reading);
    try {
      signal.throwIfAborted();
      this.checkText(text, settings);
      return await this.completeText(text);
    } catch (error) {
      text.corpus.dispose();
      throw error;
    }
  }

  async #compare(lab: Lab, text: Text, settings: Settings, signal: AbortSignal): Promise<LabComparison> {
    this.checkText(text, settings);
    return compareBeyond(signal, lab, text.corpus, compareOptions(this.plan, settings, text.corpus));
  }

  /** The current text, if this lab has it and reading the source with these settings would give the same text. */
  #textFor(lab: Lab, source: TextSource, settings: Settings): Text | null {
    const standing = this.#standing;
    // Another figure may have found the lab dead, and it was replaced.
    if (standing?.lab !== lab || standing.source !== source) return null;
    const before = standing.settings;
    // For a generated text, the run's seed is also the text's seed.
    const written = source.kind === 'markov-chain' || source.kind === 'stories';
    const sameTokens = before.tokenizer === settings.tokenizer && before.vocabSize === settings.vocabSize;
    return sameTokens && !(written && before.seed !== settings.seed) ? standing.text : null;
  }

  /** Replaces the models. */
  #stand(standing: Standing<Settings, Text, Arm>): void {
    const before = this.#standing;
    const newText = standing.text !== before?.text;
    before?.comparison.dispose();
    if (newText) before?.text.corpus.dispose();
    this.forget(null);
    this.#standing = standing;
    this.#stepTime = new StepTime();
    this.started(standing.text, newText);
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
      this.#stepTime.add(this.step - from, this.#now() - began);
      this.tell();
      this.options.onSteps?.();
      const early = done ? 0 : tempo.waitAfter(this.step - from, this.#now());
      if (early > 0) await this.#wait(early);
    }
    this.#target = 0;
    // If a later verb stopped this run, that verb sets the phase.
    if (!signal.aborted && (!this.#work.overtaken || this.#phase === 'paused')) this.#settle();
  }

  /** The phase of models that are not training. */
  #settle(): void {
    const planned = this.settings?.steps ?? 0;
    if (this.step === 0) this.#phase = 'ready';
    else this.#phase = this.step >= planned ? 'finished' : 'paused';
    this.tell();
  }
}
