/** Long work in parts: synchronous verbs do all parts at once, a lab one time slice after another. */
import { TiedError } from './errors.js';

/** A long verb in progress. `N`: the arguments of its listener. */
export interface Job<R, N extends unknown[]> {
  readonly finished: boolean;
  /** Resolves when the job can continue; null or absent while it can. */
  readonly waitsFor?: Promise<unknown> | null;
  /** Works for about `milliseconds`, at least one part; if `listened`, collects news. */
  takeFor(milliseconds: number, listened: boolean): void;
  /** News since the last call, or null. */
  news(): N | null;
  result(): R;
  /** The error of a call that is cancelled. */
  cancelled(cause?: unknown): TiedError;
  /** Frees the job's resources; safe to call twice. */
  end(): void;
}

/** Time between two reports to a listener. */
const PROGRESS_MS = 33;

/** Does all of a job at once, for synchronous verbs. */
export function finishJob<R, N extends unknown[]>(
  job: Job<R, N>,
  { onProgress, signal }: { onProgress?: ((...news: N) => void) | undefined; signal?: AbortSignal | undefined },
): R {
  try {
    if (signal?.aborted) throw job.cancelled(signal.reason);
    while (!job.finished) {
      job.takeFor(onProgress ? PROGRESS_MS : Infinity, onProgress !== undefined);
      const news = onProgress && job.news();
      if (news) onProgress(...news);
      if (signal?.aborted && !job.finished) throw job.cancelled(signal.reason);
    }
    return job.result();
  } finally {
    job.end();
  }
}

/** Learns how many parts of some work take about a millisecond, starting with one. */
export class Pace {
  readonly #most: number;
  #parts = 1;

  /** `most`: upper limit of parts per call. */
  constructor(most: number) {
    this.#most = most;
  }

  /**
   * Calls `take` with a number of parts until `milliseconds` have passed or the work is finished; `take` returns how
   * many it did.
   */
  run(milliseconds: number, finished: () => boolean, take: (most: number) => number): void {
    const start = performance.now();
    let now = start;
    while (!finished()) {
      const left = milliseconds - (now - start);
      // Calls of about a millisecond that do not exceed the slice.
      const done = take(Math.max(1, Math.floor(this.#parts * Math.min(1, left))));
      const after = performance.now();
      // Clocks are deliberately coarse: a call too short to measure only shows that twice as many parts are fine.
      const passed = Math.max(after - now, 0.1);
      this.#parts = Math.min(this.#most, Math.max(1, Math.min(2 * this.#parts, done / passed)));
      now = after;
      if (now - start >= milliseconds) return;
    }
  }
}

/** A job in equal parts that reports its progress. */
export abstract class PartJob<R> implements Job<R, [fraction: number]> {
  /** Fraction done, 0 to 1. */
  fraction = 0;
  finished = false;
  readonly #what: string;
  readonly #pace: Pace;

  /** `what`: its name in messages; `maxParts`: upper limit of parts per call. */
  constructor(what: string, maxParts: number) {
    this.#what = what;
    this.#pace = new Pace(maxParts);
  }

  takeFor(milliseconds: number): void {
    this.#pace.run(
      milliseconds,
      () => this.finished,
      (parts) => {
        this.take(parts);
        return parts;
      },
    );
  }

  /** Does about `parts` parts, and updates `fraction` and `finished`. */
  protected abstract take(parts: number): void;

  news(): [fraction: number] {
    return [this.fraction];
  }

  abstract result(): R;

  cancelled(cause?: unknown): TiedError {
    const percent = Math.floor(100 * this.fraction);
    return new TiedError('cancelled', `the ${this.#what} was cancelled after ${percent}%`, { cause });
  }

  abstract end(): void;
}

/** A job that is already done. */
export class DoneJob<R> implements Job<R, []> {
  readonly finished = true;
  readonly #result: R;

  constructor(result: R) {
    this.#result = result;
  }

  takeFor(): void {}

  news(): null {
    return null;
  }

  result(): R {
    return this.#result;
  }

  cancelled(cause?: unknown): TiedError {
    return new TiedError('cancelled', 'the call was cancelled', { cause });
  }

  end(): void {}
}
