/** A run of many steps, in parts; the synchronous `trainer.run` and the lab's time slices both advance one. */
import { TiedError } from '../runtime/errors.js';
import { Pace, type Job } from '../runtime/pace.js';
import type { Replay } from './replay.js';
import type { RunOptions, StepColumns, StepRecord } from '../types.js';
import { checkBoolean, checkFunction, checkOptions, checkSignal, checkInteger } from '../runtime/validate.js';

/** Steps per call into the core: bounds its records and the time between two reports. */
const MAX_STEPS_PER_CALL = 4096;

/** Upper limit of the records of one run: a few hundred megabytes, far more than any plot shows. */
export const MAX_RECORDS = 1_000_000;

/** The fields of a record, in the core's order. */
const RECORD_NUMBERS = [
  'step',
  'loss',
  'inputGradientNorm',
  'outputGradientNorm',
  'inputShare',
  'inputPositionGradientNorm',
  'inputPositionShare',
  'gradientCosine',
  'gradientNorm',
  'embeddingDrift',
  'unembeddingDrift',
] as const satisfies readonly (keyof StepRecord)[];
/** The fields for a model that reads pairs. */
const PAIR_RECORD_NUMBERS = [...RECORD_NUMBERS, 'encoderGradientNorm', 'encoderEmbeddingDrift'] as const;

/** `pairs`: whether the model reads them. */
export function recordsOf(numbers: Float64Array, tokensPerSecond: number, pairs: boolean): StepRecord[] {
  const names = pairs ? PAIR_RECORD_NUMBERS : RECORD_NUMBERS;
  const records: StepRecord[] = [];
  for (let first = 0; first < numbers.length; first += names.length) {
    const entries = names.map((name, i) => [name, numbers[first + i]!] as const);
    records.push({ ...(Object.fromEntries(entries) as unknown as StepRecord), tokensPerSecond });
  }
  return records;
}

export function columnsOf(records: readonly StepRecord[], pairs = false): StepColumns {
  const names = [...(pairs ? PAIR_RECORD_NUMBERS : RECORD_NUMBERS), 'tokensPerSecond'] as const;
  return Object.fromEntries(
    names.map((name) => [name, Float64Array.from(records, (record) => record[name]!)]),
  ) as unknown as StepColumns;
}

/** Runs `steps` steps and returns the records of multiples of `recordEvery`, and of the last step if asked. */
export type RunSteps = (steps: number, recordEvery: number, recordLast: boolean) => StepRecord[];

export class TrainingRun implements Job<StepRecord[] | StepColumns, [fraction: number, record: StepRecord]> {
  readonly steps: number;
  /** Returned to the caller. */
  readonly records: StepRecord[] = [];
  /** The newest record, even if `records` does not include it. */
  newest: StepRecord | null = null;
  done = 0;
  readonly #recordEvery: number;
  readonly #columns: boolean;
  readonly #pairs: boolean;
  readonly #runSteps: RunSteps;
  readonly #wayBack: () => Replay;
  readonly #pace = new Pace(MAX_STEPS_PER_CALL);
  /** After a step failed: the error, and the replay to the last good step. The run throws when that is done. */
  #failed: { error: TiedError; replay: Replay } | null = null;

  /**
   * `wayBack` returns a trainer from a failed step to the last step whose loss was finite; `pairs`: whether its model reads
   * them.
   */
  constructor(
    { steps, recordEvery, columns }: Pick<CheckedRun, 'steps' | Defaulted>,
    runSteps: RunSteps,
    wayBack: () => Replay,
    pairs = false,
  ) {
    this.#pairs = pairs;
    this.steps = steps;
    this.#recordEvery = recordEvery;
    this.#columns = columns;
    this.#runSteps = runSteps;
    this.#wayBack = wayBack;
  }

  get finished(): boolean {
    return this.done === this.steps;
  }

  get fraction(): number {
    return this.steps === 0 ? 1 : this.done / this.steps;
  }

  /** Runs up to `most` steps. `recordLast` records the last one even if no record is due. */
  take(most: number, recordLast = false): void {
    if (this.#failed) return this.#goBack((replay) => replay.take(most));
    try {
      this.#takeSteps(most, recordLast);
    } catch (error) {
      if (!(error instanceof TiedError) || error.code !== 'not-finite') throw error;
      this.#failed = { error, replay: this.#wayBack() };
    }
  }

  #takeSteps(most: number, recordLast: boolean): void {
    const steps = Math.min(most, this.steps - this.done, MAX_STEPS_PER_CALL);
    const last = this.done + steps === this.steps;
    const records = this.#runSteps(steps, this.#recordEvery, last || recordLast);
    this.done += steps;
    this.newest = records.at(-1) ?? this.newest;
    const unasked = recordLast && !last && records.length > 0 && records.at(-1)!.step % this.#recordEvery !== 0;
    for (const record of unasked ? records.slice(0, -1) : records) this.records.push(record);
  }

  /** One part of the replay to the last good step; at its end, throws the run's error. */
  #goBack(part: (replay: Replay) => void): void {
    const { error, replay } = this.#failed!;
    try {
      if (!replay.finished) part(replay);
    } catch {
      throw error;
    }
    if (replay.finished) throw error;
  }

  takeFor(milliseconds: number, listened: boolean): void {
    if (this.#failed) return this.#goBack((replay) => replay.takeFor(milliseconds));
    this.#pace.run(
      milliseconds,
      () => this.finished || this.#failed !== null,
      (most) => {
        const before = this.done;
        this.take(most, listened);
        return this.done - before;
      },
    );
  }

  news(): [fraction: number, record: StepRecord] | null {
    return this.newest && [this.fraction, this.newest];
  }

  result(): StepRecord[] | StepColumns {
    return this.#columns ? columnsOf(this.records, this.#pairs) : this.records;
  }

  end(): void {}

  cancelled(cause?: unknown): TiedError {
    return new TiedError('cancelled', `the run was cancelled after ${this.done} of ${this.steps} steps`, { cause });
  }
}

type Defaulted = 'recordEvery' | 'columns';

export interface CheckedRun extends Required<Pick<RunOptions, Defaulted>>, Omit<RunOptions, Defaulted> {
  steps: number;
}

/** Checks of `run`'s arguments, shared by core and lab. */
export function checkRun(steps: unknown, options: RunOptions = {}): CheckedRun {
  const someSteps = checkInteger('steps', steps, 0, Number.MAX_SAFE_INTEGER);
  const given = checkOptions('options', options, ['onProgress', 'signal', 'recordEvery', 'columns']);
  const { onProgress, signal, recordEvery = 1, columns = false } = given;
  if (onProgress !== undefined) checkFunction('options.onProgress', onProgress);
  if (signal !== undefined) checkSignal('options.signal', signal);
  checkInteger('options.recordEvery', recordEvery, 1);
  checkBoolean('options.columns', columns);
  const records = Math.ceil(someSteps / recordEvery);
  if (records > MAX_RECORDS) {
    throw new TiedError(
      'invalid-argument',
      `steps is ${someSteps} with options.recordEvery ${recordEvery}, which makes ${records} records; ` +
        `expected at most ${MAX_RECORDS}, so options.recordEvery of at least ${Math.ceil(someSteps / MAX_RECORDS)}`,
    );
  }
  return { ...given, steps: someSteps, recordEvery, columns };
}
