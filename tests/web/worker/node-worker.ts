/**
 * A stand-in for the browser's Worker: the real worker script, bundled, in a Node thread. It tests both ends of the
 * package and all messages between them; browsers' workers are tested in tests/browser.
 */
// Its processes read: web/core, web/worker
import { fileURLToPath } from 'node:url';
import { Worker as Thread } from 'node:worker_threads';
import { build, type Plugin } from 'esbuild';
import { eagerWith } from './team/eager.js';

/** The globals of a browser's worker, defined in a Node thread. */
const SCOPE = `
const { parentPort } = require('node:worker_threads');
globalThis.postMessage = (message, transfer) => parentPort.postMessage(message, transfer);
globalThis.addEventListener = (type, listener) => parentPort.on('message', (data) => {
  if (data === 'crash') throw new Error('on purpose');
  if (data === 'hang') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  listener({ data });
});
`;

let bundled: Promise<string> | undefined;

/** The worker's script as one classic script, which a Node thread runs unchanged. */
export function bundledWorker(): Promise<string> {
  return (bundled ??= bundle());
}

/** The same script with the globals of a browser's worker. */
export async function workerScript(): Promise<string> {
  return SCOPE + (await bundledWorker());
}

/** The same script; its trainers ask for partners after their first step, and keep them. */
export async function eagerWorkerScript(changes: Parameters<typeof eagerWith>[0] = {}): Promise<string> {
  return SCOPE + (await bundle([eagerWith(changes)]));
}

async function bundle(plugins: Plugin[] = []): Promise<string> {
  const entry = fileURLToPath(new URL('../../../web/worker/entry.ts', import.meta.url));
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    write: false,
    format: 'iife',
    logLevel: 'error',
    plugins,
  });
  return outputFiles[0]!.text;
}

export interface FakeWorkerClass {
  new (url: string | URL, options: WorkerOptions): Worker;
  /** All workers made so far. */
  readonly made: { thread: Thread; url: string; crash(): void; hang(): void }[];
}

export function fakeWorkerClass(script: string): FakeWorkerClass {
  return class FakeWorker extends EventTarget {
    static readonly made: FakeWorkerClass['made'] = [];
    readonly #thread: Thread;

    constructor(url: string | URL) {
      super();
      this.#thread = new Thread(script, { eval: true });
      this.#thread.on('message', (data) => this.dispatchEvent(new MessageEvent('message', { data })));
      this.#thread.on('error', ({ message }) => this.dispatchEvent(Object.assign(new Event('error'), { message })));
      FakeWorker.made.push({
        thread: this.#thread,
        url: String(url),
        crash: () => this.#thread.postMessage('crash'),
        hang: () => this.#thread.postMessage('hang'),
      });
    }

    postMessage(message: unknown, transfer: readonly never[] = []): void {
      this.#thread.postMessage(message, transfer);
    }

    terminate(): void {
      void this.#thread.terminate();
    }
  } as unknown as FakeWorkerClass;
}
