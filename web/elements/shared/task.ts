import { whenGone, type Host } from './when-gone.js';

/**
 * What a new request does to earlier ones:
 * - `replace`: aborts them and starts at once
 * - `newest`: lets the running one finish and drops waiting ones, so that a slider can be dragged at any speed
 * - `queue`: waits for all of them
 */
export type TaskOrder = 'replace' | 'newest' | 'queue';

export interface TaskOptions<Input, Output> {
  readonly order: TaskOrder;
  /** `onProgress` takes the fraction that is done, which an update shows. */
  readonly run: (input: Input, signal: AbortSignal, onProgress: (fraction: number) => void) => Promise<Output>;
  /** Not called after an abort. */
  readonly done?: (output: Output, input: Input) => void;
  /** Not called after an abort, nor by `newest` while a newer request waits, because that may succeed. */
  readonly failed?: (error: unknown, input: Input) => void;
  /** Whether two inputs of `want` ask the same. Default: they are the same value. */
  readonly same?: (one: Input, other: Input) => boolean;
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
 * An element's asynchronous action. Decides the order of overlapping requests, and aborts all of them when the element
 * leaves its page: nothing starts or is reported there any more.
 */
export class Task<Input, Output = void> {
  readonly #host: Host;
  readonly #options: TaskOptions<Input, Output>;
  #current: Turn<Input> | null = null;
  #waiting: Turn<Input>[] = [];
  /** The input that failed last, until something else is asked or answered. */
  #refused: { readonly input: Input } | null = null;
  #fraction: number | null = null;
  #stopped = false;
  /** Called once aborted work has ended. */
  #afterwards: (() => void)[] = [];

  constructor(host: Host, options: TaskOptions<Input, Output>) {
    this.#host = host;
    this.#options = options;
    whenGone(host, () => {
      this.cancel();
      this.#refused = null;
    });
  }

  /** Whether a request is running or waiting. */
  get pending(): boolean {
    return this.#current !== null || this.#waiting.length > 0;
  }

  /** The fraction of the running request that is done; null if it has reported none, and at rest. */
  get fraction(): number | null {
    return this.pending ? this.#fraction : null;
  }

  /** Whether the reader has stopped the last request. */
  get stopped(): boolean {
    return this.#stopped;
  }

  /** Whether the last request failed. */
  get hasFailed(): boolean {
    return this.#refused !== null;
  }

  /** Whether a newer request waits for the running one. */
  get overtaken(): boolean {
    return this.#waiting.length > 0;
  }

  /**
   * Requests what an update finds missing. Does nothing if the same is being asked for, or has failed: a failure updates the
   * figure, so an update that asked again would ask without end, and the page would hang. Another input, `request` and
   * the element's return to its page try again.
   */
  want(input: Input): void {
    const same = this.#options.same ?? Object.is;
    const asked = [this.#current, ...this.#waiting, this.#refused];
    if (asked.some((one) => one !== null && same(one.input, input))) return;
    void this.request(input);
  }

  /**
   * Requests at once what the reader or a change asks for; an update calls `want` instead. Resolves once the request is done, has
   * failed, or was dropped; never rejects.
   */
  request(input: Input): Promise<void> {
    if (!this.#host.isConnected) return Promise.resolve();
    this.#refused = null;
    const turn = turnOf(input);
    const { order } = this.#options;
    this.#stopped = false;
    if (order === 'replace') this.cancel();
    if (order === 'newest') this.#dropWaiting();
    this.#waiting.push(turn);
    this.#begin();
    this.#host.requestUpdate();
    return turn.settled;
  }

  /**
   * Aborts the running request and drops waiting ones. A queue waits until the aborted work has stopped, calls
   * `afterwards`, and then starts the next request.
   */
  cancel(afterwards?: () => void): void {
    this.#stopped = false;
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

  /** The same, because the reader no longer wants it. */
  stop(): void {
    const { pending } = this;
    this.cancel();
    this.#stopped = pending;
  }

  /** Resolves once no request is running or waiting. */
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
    this.#fraction = null;
    const onProgress = (fraction: number): void => {
      if (abort.signal.aborted) return;
      this.#fraction = fraction;
      this.#host.requestUpdate();
    };
    const report = await run(input, abort.signal, onProgress).then(
      (output) => () => {
        this.#refused = null;
        done?.(output, input);
      },
      (error: unknown) => () => {
        this.#refused = { input };
        if (order !== 'newest' || !this.overtaken) failed?.(error, input);
      },
    );
    // Listeners must find the task idle, or busy with a newer request.
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
