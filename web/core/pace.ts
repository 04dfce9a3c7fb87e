/** Work that is done in parts: the synchronous verbs do all of it at once, the lab a slice of time after the other. */
import type { TiedError } from './errors.js';

/** A verb under way. `N`: what its listener is called with. */
export interface Job<R, N extends unknown[]> {
  readonly finished: boolean;
  /** What has to come from elsewhere before it can go on; null or absent where nothing has. */
  readonly waitsFor?: Promise<void> | null;
  /** Works for about so long, at least one part; where `listened`, so that there is news. */
  takeFor(milliseconds: number, listened: boolean): void;
  /** What has come since the last time; null where there is nothing. */
  news(): N | null;
  result(): R;
  /** The error of a call that ends before its work does. */
  cancelled(cause?: unknown): TiedError;
  /** Frees what it holds. A second time does nothing. */
  end(): void;
}

/** Between two calls of a listener. */
const PROGRESS_MS = 33;

/** All of a job at once, for a core. */
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

/** How many parts of some work take about a millisecond: learned as it goes, beginning with one. */
export class Pace {
  readonly #most: number;
  #parts = 1;

  /** `most`: parts that one call may do. */
  constructor(most: number) {
    this.#most = most;
  }

  /** Calls `take` with numbers of parts until `milliseconds` have passed or it is finished; `take` returns what it did. */
  run(milliseconds: number, finished: () => boolean, take: (most: number) => number): void {
    const start = performance.now();
    let now = start;
    while (!finished()) {
      const left = milliseconds - (now - start);
      // A call of about a millisecond, and none that would pass the time.
      const done = take(Math.max(1, Math.floor(this.#parts * Math.min(1, left))));
      const after = performance.now();
      // Clocks are coarse on purpose: a call too short to measure only says that twice as many parts are fine.
      const passed = Math.max(after - now, 0.1);
      this.#parts = Math.min(this.#most, Math.max(1, Math.min(2 * this.#parts, done / passed)));
      now = after;
      if (now - start >= milliseconds) return;
    }
  }
}
