/** Several jobs as one, each starting when the previous ones are done. */
import { TiedError } from './errors.js';
import type { Job } from './pace.js';

export interface Link {
  /** Share of the chain's work, in any unit. */
  readonly cost: number;
  start(): Job<unknown, unknown[]>;
  keep(result: unknown): void;
  /** Called with the error instead of a result; may throw. */
  refused(error: unknown): void;
}

/** A link of a chain; without `refused`, its errors end the chain. */
export function link<R>(
  cost: number,
  start: () => Job<R, unknown[]>,
  keep: (result: R) => void,
  refused: (error: unknown) => void = (error) => {
    throw error;
  },
): Link {
  return { cost, start, keep: keep as Link['keep'], refused };
}

export class JobChain<R> implements Job<R, [fraction: number]> {
  readonly #what: string;
  readonly #links: readonly Link[];
  readonly #finish: () => R;
  readonly #cost: number;
  #index = 0;
  #job: Job<unknown, unknown[]> | null = null;
  /** Cost of the finished links. */
  #done = 0;

  /** `what`: its name in messages; `finish`: builds the result from what the links stored. */
  constructor(what: string, links: readonly Link[], finish: () => R) {
    this.#what = what;
    this.#links = links;
    this.#finish = finish;
    this.#cost = links.reduce((sum, { cost }) => sum + cost, 0);
  }

  get finished(): boolean {
    return this.#index === this.#links.length;
  }

  takeFor(milliseconds: number): void {
    const start = performance.now();
    for (let left = milliseconds; !this.finished;) {
      this.#take(left);
      left = milliseconds - (performance.now() - start);
      if (left <= 0) return;
    }
  }

  #take(milliseconds: number): void {
    const part = this.#links[this.#index]!;
    try {
      this.#job ??= part.start();
      if (!this.#job.finished) this.#job.takeFor(milliseconds, true);
      if (!this.#job.finished) return;
      part.keep(this.#job.result());
    } catch (error) {
      part.refused(error);
    }
    this.end();
    this.#done += part.cost;
    this.#index++;
  }

  #fraction(): number {
    if (this.finished) return 1;
    const [within] = (this.#job?.news() ?? [0]) as [number];
    return (this.#done + within * this.#links[this.#index]!.cost) / this.#cost;
  }

  news(): [fraction: number] {
    return [this.#fraction()];
  }

  result(): R {
    return this.#finish();
  }

  cancelled(cause?: unknown): TiedError {
    const percent = Math.floor(100 * this.#fraction());
    return new TiedError('cancelled', `the ${this.#what} was cancelled after ${percent}%`, { cause });
  }

  end(): void {
    this.#job?.end();
    this.#job = null;
  }
}
