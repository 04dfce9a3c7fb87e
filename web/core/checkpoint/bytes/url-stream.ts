/** Requests to one URL, which end after a period of silence, or immediately if the signal is aborted. */
import { cancelledBy, throwIfAborted } from './source.js';
import { unreachable } from './url-answer.js';

export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

export interface StreamOptions {
  readonly url: string;
  readonly fetch: Fetch;
  /** Milliseconds without a byte after which the server counts as stalled. */
  readonly silenceMs: number;
  readonly signal: AbortSignal | undefined;
}

/** One request and its response, read piece by piece. Always end it with `close`. */
export class UrlStream {
  readonly response: Response;
  readonly #options: StreamOptions;
  readonly #controller: AbortController;
  #reader: ReadableStreamDefaultReader<Uint8Array> | null = null;

  private constructor(response: Response, options: StreamOptions, controller: AbortController) {
    this.response = response;
    this.#options = options;
    this.#controller = controller;
  }

  /** Requests bytes `from` to `to`, inclusive. `bytes=a-b` is the only form of the header that browsers send without a preflight request. */
  static async open(from: number, to: number, options: StreamOptions): Promise<UrlStream> {
    const { url, fetch, signal } = options;
    throwIfAborted(signal);
    const controller = new AbortController();
    const init: RequestInit = {
      headers: { Range: `bytes=${from}-${to}` },
      credentials: 'omit',
      // A range that a cache took from another version would be silently wrong.
      cache: 'no-store',
      referrerPolicy: 'no-referrer',
      signal: controller.signal,
    };
    const waiting = waitFor(fetch(url, init), options, controller);
    return new UrlStream(await waiting, options, controller);
  }

  /** The next bytes; null at the end. Rejects with the error of the connection. */
  async next(): Promise<Uint8Array | null> {
    this.#reader ??= this.response.body?.getReader() ?? null;
    if (this.#reader === null) return null;
    const { done, value } = await waitFor(this.#reader.read(), this.#options, this.#controller);
    return done ? null : value;
  }

  /** Stops the transfer; what was not read is not sent. */
  close(): void {
    this.#controller.abort();
    this.#reader?.cancel().catch(() => undefined);
  }
}

/** Settles like the promise, unless the signal is aborted or nothing arrives for too long; the request then ends. */
function waitFor<T>(promise: Promise<T>, options: StreamOptions, controller: AbortController): Promise<T> {
  const { signal, silenceMs, url } = options;
  return new Promise((resolve, reject) => {
    const give = (error: Error): void => {
      reject(error);
      controller.abort();
    };
    const stalled = (): void =>
      give(
        unreachable(
          url,
          `the server has sent nothing for ${silenceMs / 1000} seconds; try again, or download the file and choose it`,
        ),
      );
    const abort = (): void => give(cancelledBy(signal!));
    const timer = setTimeout(stalled, silenceMs);
    signal?.addEventListener('abort', abort, { once: true });
    promise.then(resolve, reject).finally(() => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
    });
    if (signal?.aborted) abort();
  });
}
