/** Moves a trainer to another step, in parts: restores a snapshot and repeats the steps from there. */
import { TiedError } from '../runtime/errors.js';
import { Pace, type Job } from '../runtime/pace.js';
import type { RewindOptions } from '../types.js';
import { checkFunction, checkOptions, checkSignal, checkInteger } from '../runtime/validate.js';

/** Steps per call into the core: bounds the time between two reports. */
const MAX_STEPS_PER_CALL = 4096;

/** Advances toward the target by at most `most` steps and returns the step it reached. */
export type ReplaySteps = (most: number) => number;

export class Replay implements Job<void, [fraction: number]> {
  readonly #target: number;
  readonly #replay: ReplaySteps;
  readonly #pace = new Pace(MAX_STEPS_PER_CALL);
  /** The step of the snapshot; null before it is restored. */
  #first: number | null = null;
  #step = -1;

  constructor(target: number, replay: ReplaySteps) {
    this.#target = target;
    this.#replay = replay;
  }

  get finished(): boolean {
    return this.#step === this.#target;
  }

  get fraction(): number {
    if (this.finished) return 1;
    return this.#first === null ? 0 : (this.#step - this.#first) / (this.#target - this.#first);
  }

  /** Repeats up to `most` steps and returns their number. */
  take(most: number): number {
    if (this.#first === null) this.#first = this.#step = this.#replay(0);
    const before = this.#step;
    if (!this.finished) this.#step = this.#replay(Math.min(most, MAX_STEPS_PER_CALL));
    return this.#step - before;
  }

  takeFor(milliseconds: number): void {
    this.#pace.run(
      milliseconds,
      () => this.finished,
      (most) => this.take(most),
    );
  }

  news(): [fraction: number] {
    return [this.fraction];
  }

  result(): void {}

  end(): void {}

  cancelled(cause?: unknown): TiedError {
    const where = this.#first === null ? 'before it began' : `at step ${this.#step} on the way to ${this.#target}`;
    return new TiedError('cancelled', `the rewind was cancelled ${where}`, { cause });
  }
}

/** Checks of `rewind`'s arguments, shared by core and lab. */
export function checkRewind(step: unknown = 0, options: RewindOptions = {}): { step: number } & RewindOptions {
  const target = checkInteger('step', step, 0, Number.MAX_SAFE_INTEGER);
  const given = checkOptions('options', options, ['onProgress', 'signal']);
  const { onProgress, signal } = given;
  if (onProgress !== undefined) checkFunction('options.onProgress', onProgress);
  if (signal !== undefined) checkSignal('options.signal', signal);
  return { ...given, step: target };
}
