/** Trainers that step in lockstep: the synchronous verbs, and the parts that a lab runs in slices. */
import { bindMethods } from '../runtime/bind-methods.js';
import { checkControls, checkFrame, checkPlay, FramePlan, ofArm, type CheckedCompare } from './compare-options.js';
import type {
  Arm,
  CompareControls,
  Comparison,
  ComparisonFrame,
  FrameOptions,
  PlayOptions,
} from './comparison-types.js';
import { TiedError } from '../runtime/errors.js';
import type { Job } from '../runtime/pace.js';
import type { Replay } from './replay.js';
import { disposeSymbol } from '../runtime/symbols.js';
import type { CoreTrainer } from './trainer.js';
import { ARM_VERBS } from './trainer-verbs.js';
import { columnsOf, type TrainingRun } from './training-run.js';
import type { Evaluation, StepColumns, StepRecord } from '../types.js';
import { checkChoice, checkInteger } from '../runtime/validate.js';

/** One model, and the records of steps not yet in a frame. */
export interface ComparedTrainer {
  readonly name: string;
  readonly trainer: CoreTrainer;
  readonly waiting: StepRecord[];
}

/** A frame of some of the arms, and the changes of their tying. */
export type PartFrame = Pick<ComparisonFrame, 'columns' | 'measured'> & {
  readonly tyingChanges: Readonly<Record<string, readonly number[]>>;
};

export class CoreComparison implements Comparison {
  readonly names: readonly string[];
  readonly #arms: readonly ComparedTrainer[];
  readonly #plan: FramePlan;
  readonly #controls: CompareControls;
  /** Steps of the newest frame, and of the weights in view. */
  #newest = 0;
  #shown = 0;
  /** Why an arm cannot continue until it is rewound. */
  #failure: unknown = null;
  #paused = false;
  #disposed = false;

  constructor(arms: readonly ComparedTrainer[], options: CheckedCompare, controls: CompareControls = {}) {
    this.names = Object.freeze(arms.map(({ name }) => name));
    this.#arms = arms;
    this.#plan = new FramePlan(options);
    this.#controls = checkControls(controls);
    bindMethods(this);
  }

  get step(): number {
    return this.#shown;
  }

  next(options?: FrameOptions): ComparisonFrame {
    this.#checkRuns();
    return this.#frame(this.#plan.target(this.#newest, checkFrame(options)));
  }

  #frame(target: number): ComparisonFrame {
    if (this.#failure !== null) throw this.#failure;
    const begin = performance.now();
    const job = this.startFrame(this.#newest, target, this.#plan.isDue(target));
    let part: PartFrame;
    try {
      part = atOnce(job);
    } catch (error) {
      this.#failure = error;
      throw error;
    }
    this.#plan.took(target - this.#newest, performance.now() - begin, target);
    this.#newest = target;
    this.#shown = target;
    const frame = { step: target, columns: part.columns, measured: part.measured };
    this.#controls.onFrame?.(frame);
    return frame;
  }

  /** @internal A job that trains all arms from `from` to `target`, and measures there on request; the caller advances it. */
  startFrame(from: number, target: number, measures: boolean): FrameJob {
    this.#check();
    return new FrameJob(this.#arms, from, target, measures);
  }

  *[Symbol.iterator](): Iterator<ComparisonFrame, undefined> {
    this.#paused = false;
    while (!this.#paused && !this.#isCancelled() && this.#newest < this.#plan.steps) yield this.next();
    return undefined;
  }

  play(options?: PlayOptions): void {
    this.#checkRuns();
    const end = checkPlay(options, this.#plan.steps, false);
    this.#paused = false;
    while (!this.#paused && this.#newest < end) {
      this.#frame(this.#plan.target(this.#newest, { steps: undefined, until: end }));
      this.#checkRuns();
    }
  }

  pause(): void {
    this.#paused = true;
  }

  rewind(step = 0): void {
    this.#goTo(step, true);
    this.#failure = null;
    this.#newest = step;
    this.#plan.wentTo(step);
  }

  lookBack(step: number): void {
    this.#goTo(step, false);
  }

  #goTo(step: number, forgets: boolean): void {
    this.#checkRuns();
    checkInteger('step', step, 0, this.#newest);
    atOnce(this.startGoing(step, forgets));
    this.#shown = step;
  }

  /** @internal A job that returns all arms to an earlier step; the caller advances it. */
  startGoing(step: number, forgets: boolean): GoingJob {
    this.#check();
    return new GoingJob(this.#arms, step, forgets);
  }

  /** @internal The parts for a lab's handles. */
  get trainers(): readonly ComparedTrainer[] {
    return this.#arms;
  }

  arm(name: string): Arm {
    this.#check();
    const { trainer } = this.#arms[this.names.indexOf(checkChoice('name', name, this.names))]!;
    const { model, training } = trainer;
    const arm = Object.fromEntries(ARM_VERBS.map((verb) => [verb, trainer[verb]]));
    return Object.defineProperties(
      { ...arm, model, training },
      {
        step: { get: () => trainer.step },
        tyingChangedAt: { get: () => trainer.tyingChangedAt },
        tyingChanges: { get: () => trainer.tyingChanges },
      },
    ) as unknown as Arm;
  }

  #isCancelled(): boolean {
    return this.#controls.signal?.aborted === true;
  }

  /** After its signal, only what changes the models is refused. */
  #checkRuns(): void {
    this.#check();
    if (this.#isCancelled()) throw cancelled(this.#controls.signal!.reason);
  }

  #check(): void {
    if (!this.#disposed) return;
    throw new TiedError('disposed', 'the comparison has been disposed of; expected a live one');
  }

  dispose(): void {
    this.#disposed = true;
    this.#paused = true;
    for (const { trainer } of this.#arms) trainer.dispose();
  }

  [disposeSymbol](): void {
    this.dispose();
  }
}

function cancelled(cause?: unknown): TiedError {
  return new TiedError('cancelled', 'the comparison was cancelled', { cause });
}

function atOnce<R>(job: Job<R, never[]>): R {
  try {
    while (!job.finished) job.takeFor(Infinity, false);
    return job.result();
  } finally {
    job.end();
  }
}

/** Trains all arms to a later step, one after the other. After a cancellation, another job to the same step completes it. */
export class FrameJob implements Job<PartFrame, never[]> {
  readonly #arms: readonly ComparedTrainer[];
  readonly #from: number;
  readonly #target: number;
  readonly #measures: boolean;
  /** Number of arms that have run, then of those measured. */
  #done = 0;
  #replay: Replay | null = null;
  #run: TrainingRun | null = null;
  #evaluation: Job<Evaluation, unknown[]> | null = null;
  readonly #measured: [name: string, evaluation: Evaluation][] = [];

  constructor(arms: readonly ComparedTrainer[], from: number, target: number, measures: boolean) {
    this.#arms = arms;
    this.#from = from;
    this.#target = target;
    this.#measures = measures;
  }

  get finished(): boolean {
    return this.#done === this.#arms.length * (this.#measures ? 2 : 1);
  }

  takeFor(milliseconds: number): void {
    const arm = this.#arms[this.#done % this.#arms.length]!;
    try {
      if (this.#done >= this.#arms.length) this.#measure(arm, milliseconds);
      else if (!this.#run && arm.trainer.step < this.#from) this.#catchUp(arm, milliseconds);
      else this.#step(arm, milliseconds);
    } catch (error) {
      throw ofArm(arm.name, error);
    }
  }

  /** Returns from an earlier step in view. */
  #catchUp({ trainer }: ComparedTrainer, milliseconds: number): void {
    this.#replay ??= trainer.startRewind(this.#from);
    this.#replay.takeFor(milliseconds);
    if (this.#replay.finished) this.#replay = null;
  }

  #step(arm: ComparedTrainer, milliseconds: number): void {
    this.#run ??= arm.trainer.startRun({
      steps: Math.max(0, this.#target - arm.trainer.step),
      recordEvery: 1,
      columns: false,
    });
    if (!this.#run.finished) this.#run.takeFor(milliseconds, false);
    if (!this.#run.finished) return;
    this.#keepRecords();
    this.#done++;
  }

  /** Stores the records, so they survive a cancelled job. */
  #keepRecords(): void {
    const { waiting } = this.#arms[this.#done] ?? {};
    if (!this.#run || !waiting) return;
    const last = waiting.at(-1)?.step ?? this.#from;
    for (const record of this.#run.records) if (record.step > last) waiting.push(record);
    this.#run = null;
  }

  #measure({ name, trainer }: ComparedTrainer, milliseconds: number): void {
    this.#evaluation ??= trainer.startEvaluation();
    this.#evaluation.takeFor(milliseconds, false);
    if (!this.#evaluation.finished) return;
    this.#measured.push([name, this.#evaluation.result()]);
    this.#evaluation = null;
    this.#done++;
  }

  news(): null {
    return null;
  }

  result(): PartFrame {
    const columns = this.#arms.map((arm): [string, StepColumns] => [arm.name, columnsOf(arm.waiting.splice(0))]);
    return {
      columns: Object.fromEntries(columns),
      measured: this.#measures ? Object.fromEntries(this.#measured) : null,
      tyingChanges: Object.fromEntries(this.#arms.map(({ name, trainer }) => [name, trainer.tyingChanges])),
    };
  }

  cancelled(cause?: unknown): TiedError {
    return cancelled(cause);
  }

  end(): void {
    this.#keepRecords();
  }
}

/** Returns all arms to an earlier step, one after the other. */
export class GoingJob implements Job<void, never[]> {
  readonly #arms: readonly ComparedTrainer[];
  readonly #step: number;
  #replay: Replay | null = null;
  #done = 0;

  /** `forgets`: whether to discard records of steps not yet in a frame. */
  constructor(arms: readonly ComparedTrainer[], step: number, forgets: boolean) {
    this.#arms = arms;
    this.#step = step;
    if (forgets) for (const { waiting } of arms) waiting.length = 0;
  }

  get finished(): boolean {
    return this.#done === this.#arms.length;
  }

  takeFor(milliseconds: number): void {
    const { name, trainer } = this.#arms[this.#done]!;
    try {
      this.#replay ??= trainer.startRewind(this.#step);
      this.#replay.takeFor(milliseconds);
    } catch (error) {
      throw ofArm(name, error);
    }
    if (!this.#replay.finished) return;
    this.#replay = null;
    this.#done++;
  }

  news(): null {
    return null;
  }

  result(): void {}

  cancelled(cause?: unknown): TiedError {
    return cancelled(cause);
  }

  end(): void {}
}
