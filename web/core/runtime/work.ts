/**
 * Long work as a generator, of which a core does all at once and a lab a slice at a time. What it holds is freed in `finally`, whatever
 * ends it: its result, an error, or a cancel.
 */
import { TiedError } from './errors.js';

/** How far some work has come. */
export interface Progress<N extends unknown[]> {
  /** From 0 to 1; 1 when only the result is left. */
  readonly done: number;
  /** What a listener is told, if not only the fraction; null if nothing is new. */
  news?(): N | null;
  /** Whether a slice ends here, so that a listener is told. */
  readonly endsSlice?: true;
  /** How many parts it took to get here, if not as many as it was asked for. */
  readonly parts?: number;
  /** How the message of a cancel ends, if not with the percentage. */
  readonly where?: string;
}

/**
 * Yields how far it has come, for the first time once its arguments have been accepted, or a promise that it waits for. It is resumed with
 * the number of parts that take about a millisecond, for work whose parts are that small.
 */
export type Work<R, N extends unknown[] = [fraction: number]> = Generator<
  number | Progress<N> | Promise<unknown>,
  R,
  number
>;

/** Time between two reports to a listener. */
const PROGRESS_MS = 33;
const MOST_PARTS = 2 ** 20;

/** Work in progress, which whoever made it advances and ends. */
export class RunningWork<R, N extends unknown[] = [fraction: number]> {
  /** Resolves when it can continue; null while it can. */
  waitsFor: Promise<unknown> | null = null;
  readonly #what: string;
  readonly #work: Work<R, N>;
  #at: Progress<N> = { done: 0 };
  #found: { result: R } | null = null;
  /** Parts that take about a millisecond. */
  #parts = 1;

  /** `what`: its name in messages. Throws if the work refuses its arguments. */
  constructor(what: string, work: Work<R, N>) {
    this.#what = what;
    this.#work = work;
    this.take(1);
  }

  get finished(): boolean {
    return this.#at.done === 1;
  }

  /** Does about `parts` parts. */
  take(parts: number): void {
    const { done, value } = this.#work.next(parts);
    this.waitsFor = null;
    if (done) {
      this.#found = { result: value };
      if (!this.finished) this.#at = { done: 1 };
    } else if (value instanceof Promise) {
      this.waitsFor = value;
    } else {
      this.#at = typeof value === 'number' ? { done: value } : value;
    }
  }

  /** Works for about `milliseconds`, at least one part. */
  takeFor(milliseconds: number): void {
    const start = performance.now();
    for (let now = start; ;) {
      const left = milliseconds - (now - start);
      // Calls of about a millisecond that do not exceed the slice.
      const parts = Math.max(1, Math.floor(this.#parts * Math.min(1, left)));
      this.take(parts);
      // What it does before it waits says nothing of a part.
      if (this.waitsFor !== null) return;
      const after = performance.now();
      // Clocks are deliberately coarse: a call too short to measure only shows that twice as many parts are fine.
      const passed = Math.max(after - now, 0.1);
      this.#parts = Math.min(MOST_PARTS, Math.max(1, Math.min(2 * this.#parts, (this.#at.parts ?? parts) / passed)));
      now = after;
      if (this.finished || this.#at.endsSlice || now - start >= milliseconds) return;
    }
  }

  /** What a listener is told; null if nothing is new. */
  news(): N | null {
    return this.#at.news ? this.#at.news() : ([this.#at.done] as unknown[] as N);
  }

  result(): R {
    while (this.#found === null) this.take(1);
    return this.#found.result;
  }

  /** The error of a call that is cancelled. */
  cancelled(cause?: unknown): TiedError {
    const { done, where = ` after ${Math.floor(100 * done)}%` } = this.#at;
    return new TiedError('cancelled', `the ${this.#what} was cancelled${where}`, { cause });
  }

  /** Safe to call twice. */
  end(): void {
    this.#work.return(undefined as never);
  }
}

export interface Listening<N extends unknown[]> {
  onNews?: ((...news: N) => void) | undefined;
  signal?: AbortSignal | undefined;
}

/** Does all of some work. `parts`: how many between two reports, if not those of a time. */
export function finishWork<R, N extends unknown[]>(
  running: RunningWork<R, N>,
  { onNews, signal }: Listening<N> = {},
  parts?: number,
): R {
  try {
    if (signal?.aborted) throw running.cancelled(signal.reason);
    while (!running.finished) {
      if (parts === undefined) running.takeFor(onNews ? PROGRESS_MS : Infinity);
      else running.take(parts);
      const news = onNews && running.news();
      if (news) onNews(...news);
      if (signal?.aborted && !running.finished) throw running.cancelled(signal.reason);
    }
    return running.result();
  } finally {
    running.end();
  }
}

/** Does all of some work that nobody listens to. */
export const atOnce = <R, N extends unknown[]>(work: Work<R, N>): R => finishWork(new RunningWork('work', work));

/** Work as a part of other work; `as`: what its progress means there. */
export function* within<R, N extends unknown[], M extends unknown[]>(
  work: Work<R, M>,
  as: (at: Progress<M>) => number | Progress<N>,
): Work<R, N> {
  try {
    for (let parts = 1; ;) {
      const { done, value } = work.next(parts);
      if (done) return value;
      parts = yield value instanceof Promise ? value : as(typeof value === 'number' ? { done: value } : value);
    }
  } finally {
    work.return(undefined as never);
  }
}

/** Waits for a promise. */
export function* resolved<T>(promise: Promise<T>): Generator<Promise<unknown>, T, number> {
  let found = (): T => {
    throw new TypeError('Work is resumed once its promise has been settled.');
  };
  yield promise.then(
    (value) => (found = () => value),
    (error: unknown) => {
      found = () => {
        throw error;
      };
    },
  );
  return found();
}
