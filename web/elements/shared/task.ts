import { whenGone, type Host } from './when-gone.js';

/**
 * What a new request does to those before it:
 * - `replace`: aborts them and begins at once
 * - `newest`: lets the one under way finish and drops those that wait, so that a slider can be dragged at any speed
 * - `queue`: waits for all of them
 */
export type TaskOrder = 'replace' | 'newest' | 'queue';

export interface TaskOptions<Input, Output> {
  readonly order: TaskOrder;
  readonly run: (input: Input, signal: AbortSignal) => Promise<Output>;
  /** Not called after an abort. */
  readonly done?: (output: Output, input: Input) => void;
  /** Not called after an abort, nor by `newest` where a newer request waits: it may succeed. */
  readonly failed?: (error: unknown, input: Input) => void;
}

interface Turn<Input> {
  readonly input: Input;
  readonly abort: AbortController;
  /** Resolves once the request is done, has failed, or was dropped. */
  readonly settled: Promise<void>;
  settle: () => void;
}

function turnOf<Input>(input: Input): Turn<Input> {
  let settle = (): void => undefined;
  const settled = new Promise<void>((resolve) => (settle = resolve));
  return { input, abort: new AbortController(), settled, settle };
}

/**
 * An element's asynchronous action. It owns the order of overlapping requests, and aborts everything when the element
 * leaves its page: nothing is reported to an element that is gone, and nothing begins there.
 */
export class Task<Input, Output = void> {
  readonly #host: Host;
  readonly #options: TaskOptions<Input, Output>;
  #current: Turn<Input> | null = null;
  #waiting: Turn<Input>[] = [];
  /** To be called once aborted work has ended. */
  #afterwards: (() => void)[] = [];

  constructor(host: Host, options: TaskOptions<Input, Output>) {
    this.#host = host;
    this.#options = options;
    whenGone(host, () => {
      this.cancel();
    });
  }

  /** A request is under way or waits. */
  get pending(): boolean {
    return this.#current !== null || this.#waiting.length > 0;
  }

  /** A newer request waits for the one under way. */
  get overtaken(): boolean {
    return this.#waiting.length > 0;
  }

  /** Resolves once the request is done, has failed, or was dropped; never rejects. */
  request(input: Input): Promise<void> {
    if (!this.#host.isConnected) return Promise.resolve();
    const turn = turnOf(input);
    const { order } = this.#options;
    if (order === 'replace') this.cancel();
    if (order === 'newest') this.#dropWaiting();
    this.#waiting.push(turn);
    this.#begin();
    this.#host.requestUpdate();
    return turn.settled;
  }

  /**
   * Aborts what is under way and drops what waits. In a queue, work that takes its time to stop is waited for: then
   * `afterwards` is called, and then the next request begins.
   */
  cancel(afterwards?: () => void): void {
    this.#dropWaiting();
    const current = this.#current;
    current?.abort.abort();
    if (this.#options.order !== 'queue') {
      current?.settle();
      this.#current = null;
    }
    if (afterwards !== undefined) this.#afterwards.push(afterwards);
    if (this.#current === null) this.#callAfterwards();
    if (current !== null) this.#host.requestUpdate();
  }

  /** Resolves once no request is under way or waits. */
  async idle(): Promise<void> {
    while (this.pending) await (this.#waiting.at(-1) ?? this.#current)?.settled;
  }

  #callAfterwards(): void {
    for (const call of this.#afterwards.splice(0)) call();
  }

  #dropWaiting(): void {
    for (const { settle } of this.#waiting.splice(0)) settle();
  }

  #begin(): void {
    if (this.#current !== null) return;
    const turn = this.#waiting.shift();
    if (turn === undefined) return;
    this.#current = turn;
    void this.#work(turn);
  }

  async #work(turn: Turn<Input>): Promise<void> {
    const { run, done, failed, order } = this.#options;
    const { input, abort } = turn;
    const report = await run(input, abort.signal).then(
      (output) => () => done?.(output, input),
      (error: unknown) => () => {
        if (order !== 'newest' || !this.overtaken) failed?.(error, input);
      },
    );
    // Whoever hears of the outcome finds the task at rest, or busy with something newer.
    if (this.#current === turn) this.#current = null;
    try {
      if (!abort.signal.aborted) report();
    } finally {
      turn.settle();
      if (this.#current === null) this.#callAfterwards();
      this.#begin();
      this.#host.requestUpdate();
    }
  }
}
