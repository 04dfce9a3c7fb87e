/** Trainers that step in lockstep: the synchronous verbs, and the parts that a lab runs in slices. */
import { bindMethods } from '../runtime/bind-methods.js';
import {
  checkControls,
  checkFrame,
  checkPlay,
  commonStep,
  FramePlan,
  ofArm,
  type CheckedCompare,
} from './compare-options.js';
import type {
  Arm,
  CompareControls,
  Comparison,
  ComparisonFrame,
  FrameOptions,
  PlayOptions,
} from './comparison-types.js';
import { TiedError } from '../runtime/errors.js';
import { evaluation } from './evaluation-run.js';
import { goTo } from './replay.js';
import { disposeSymbol } from '../runtime/symbols.js';
import type { CoreTrainer } from './trainer.js';
import { ARM_VERBS } from './trainer-verbs.js';
import { columnsOf, train } from './training-run.js';
import type { Evaluation, StepColumns, StepRecord } from '../types.js';
import { checkChoice, checkInteger } from '../runtime/validate.js';
import { verb } from '../runtime/verb.js';
import { atOnce, within, type Progress, type Work } from '../runtime/work.js';

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
    this.#newest = this.#shown = commonStep(arms.map(({ name, trainer: { step } }) => ({ name, step })));
    this.#plan = new FramePlan(options, this.#newest);
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
    this.#check();
    let part: PartFrame;
    try {
      part = atOnce(this.frame(this.#newest, target, this.#plan.isDue(target)));
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

  // After a cancellation, another frame to the same step completes it.
  /** @internal Trains all arms from `from` to `target`, one after the other, and measures there on request. */
  *frame(from: number, target: number, measures: boolean): Work<PartFrame, []> {
    this.#check();
    for (const arm of this.#arms) yield* ofArmWork(arm, advanceArm(arm, from, target));
    const measured: [name: string, evaluation: Evaluation][] = [];
    for (const arm of measures ? this.#arms : [])
      measured.push([
        arm.name,
        yield* ofArmWork(
          arm,
          within(evaluation(arm.trainer), () => SILENT),
        ),
      ]);
    const columns = this.#arms.map((arm): [string, StepColumns] => [
      arm.name,
      columnsOf(arm.waiting.splice(0), arm.trainer.model),
    ]);
    return {
      columns: Object.fromEntries(columns),
      measured: measures ? Object.fromEntries(measured) : null,
      tyingChanges: Object.fromEntries(this.#arms.map(({ name, trainer }) => [name, trainer.tyingChanges])),
    };
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
    atOnce(this.going(step, forgets));
    this.#shown = step;
  }

  /** @internal Returns all arms to an earlier step. `forgets`: whether to discard records of steps not yet in a frame. */
  *going(step: number, forgets: boolean): Work<void, []> {
    this.#check();
    if (forgets) for (const { waiting } of this.#arms) waiting.length = 0;
    for (const arm of this.#arms)
      yield* ofArmWork(
        arm,
        within(goTo(arm.trainer, step), () => SILENT),
      );
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

/** A comparison reports frames, not parts of them. */
const SILENT: Progress<[]> = { done: 0, news: () => null, where: '' };

function* advanceArm({ trainer, waiting }: ComparedTrainer, from: number, target: number): Work<void, []> {
  // From an earlier step in view.
  if (trainer.step < from) yield* within(goTo(trainer, from), () => SILENT);
  const steps = Math.max(0, target - trainer.step);
  const records: StepRecord[] = [];
  try {
    yield* within(train(trainer, { steps, recordEvery: 1, columns: false }, false, records), () => SILENT);
  } finally {
    // Also those of a frame that is cancelled.
    const last = waiting.at(-1)?.step ?? from;
    for (const record of records) if (record.step > last) waiting.push(record);
  }
}

/** The work, whose errors name the arm. */
function* ofArmWork<R>({ name }: ComparedTrainer, work: Work<R, []>): Work<R, []> {
  try {
    return yield* work;
  } catch (error) {
    throw ofArm(name, error);
  }
}

/** What a lab asks of its part of a comparison. */
export const COMPARISON_WORK = {
  advance: verb({
    what: 'comparison',
    optionsAt: 3,
    listener: null,
    changes: true,
    check: (from: number, target: number, measures: boolean) => ({ from, target, measures }),
    work: (part: CoreComparison, { from, target, measures }) => part.frame(from, target, measures),
  }),
  goTo: verb({
    what: 'comparison',
    optionsAt: 2,
    listener: null,
    changes: true,
    check: (step: number, forgets: boolean) => ({ step, forgets }),
    work: (part: CoreComparison, { step, forgets }) => part.going(step, forgets),
  }),
} as const;
