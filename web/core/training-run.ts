/** A run of many steps, done in parts: the synchronous `trainer.run` and the lab's time slices both advance one. */
import { invalidArgument, TiedError } from './errors.js';
import type { RunOptions, StepRecord } from './types.js';
import { checkFunction, checkOptions, checkWhole } from './validate.js';

/** The most steps that one call into the core takes: its records must fit, and seconds must not pass unseen. */
const MOST_STEPS_A_CALL = 4096;

/** The most records that one run keeps: some hundred megabytes, far more than any plot shows. */
export const MOST_RECORDS = 1_000_000;

/** Does `steps` steps and gives the records of those that are multiples of `recordEvery`, and of the last if asked. */
export type RunSteps = (steps: number, recordEvery: number, recordLast: boolean) => StepRecord[];

export class TrainingRun {
  readonly steps: number;
  /** Kept for the caller. */
  readonly records: StepRecord[] = [];
  /** Kept or not, the last one that was made. */
  newest: StepRecord | null = null;
  done = 0;
  readonly #recordEvery: number;
  readonly #runSteps: RunSteps;
  /** Steps that took about a millisecond last time: the first call takes one. */
  #pace = 1;

  constructor(steps: number, recordEvery: number, runSteps: RunSteps) {
    this.steps = steps;
    this.#recordEvery = recordEvery;
    this.#runSteps = runSteps;
  }

  get finished(): boolean {
    return this.done === this.steps;
  }

  get fraction(): number {
    return this.steps === 0 ? 1 : this.done / this.steps;
  }

  /** Takes up to `most` steps at once. `recordLast` makes a record of the last of them even where none is to be kept. */
  take(most: number, recordLast = false): void {
    const steps = Math.min(most, this.steps - this.done, MOST_STEPS_A_CALL);
    const last = this.done + steps === this.steps;
    const records = this.#runSteps(steps, this.#recordEvery, last || recordLast);
    this.done += steps;
    this.newest = records.at(-1) ?? this.newest;
    const unasked = recordLast && !last && records.length > 0 && records.at(-1)!.step % this.#recordEvery !== 0;
    for (const record of unasked ? records.slice(0, -1) : records) this.records.push(record);
  }

  /** Takes steps until `milliseconds` have passed, at least one; ends with a record where `recordLast`. */
  takeFor(milliseconds: number, recordLast = false): void {
    const start = performance.now();
    let now = start;
    while (!this.finished) {
      const before = this.done;
      const left = milliseconds - (now - start);
      // A call of about a millisecond, and none that would pass the time.
      const most = Math.max(1, Math.floor(this.#pace * Math.min(1, left)));
      this.take(most, recordLast);
      const after = performance.now();
      // Clocks are coarse on purpose: a call too short to measure only says that twice as many steps are fine.
      const passed = Math.max(after - now, 0.1);
      this.#pace = Math.min(MOST_STEPS_A_CALL, Math.max(1, Math.min(2 * this.#pace, (this.done - before) / passed)));
      now = after;
      if (now - start >= milliseconds) return;
    }
  }

  cancelled(cause?: unknown): TiedError {
    return new TiedError('cancelled', `the run was cancelled after ${this.done} of ${this.steps} steps`, { cause });
  }
}

/** Checks of `run`'s arguments, common to the core and the lab. */
export function checkRun(steps: unknown, options: RunOptions = {}): { steps: number; recordEvery: number } {
  const someSteps = checkWhole('steps', steps, 0, Number.MAX_SAFE_INTEGER);
  const {
    onProgress,
    signal,
    recordEvery = 1,
  } = checkOptions('options', options, ['onProgress', 'signal', 'recordEvery']);
  if (onProgress !== undefined) checkFunction('options.onProgress', onProgress);
  if (signal !== undefined && !(signal instanceof AbortSignal)) {
    throw invalidArgument('options.signal', signal, 'an AbortSignal');
  }
  checkWhole('options.recordEvery', recordEvery, 1);
  const records = Math.ceil(someSteps / recordEvery);
  if (records > MOST_RECORDS) {
    throw new TiedError(
      'invalid-argument',
      `steps is ${someSteps} with options.recordEvery ${recordEvery}, which makes ${records} records; ` +
        `expected at most ${MOST_RECORDS}, so options.recordEvery of at least ${Math.ceil(someSteps / MOST_RECORDS)}`,
    );
  }
  return { steps: someSteps, recordEvery };
}
