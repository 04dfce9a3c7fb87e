/** Opens a thread that runs the worker's script, in browsers and Node. */
import { inflate } from '../core/runtime/inflate.js';
import { trusted } from './trusted-url.js';

/** A thread of either kind. */
export interface Thread {
  post(message: unknown, transfer: Transferable[]): void;
  onMessage(listener: (message: unknown) => void): void;
  /**
   * Called if the script cannot be loaded or fails, or a message cannot be read; `problem` completes "the worker
   * stopped: ".
   */
  onFailure(listener: (problem: string) => void): void;
  end(): void;
  /** Whether the thread keeps the process alive; without effect in browsers. */
  hold(alive: boolean): void;
}

/** Resolves with null if this way is not available. */
export type OpenThread = () => Promise<Thread | null>;

/**
 * The ways in order of preference. Some browsers report late that a script may not run, so a thread counts only once it
 * has reported that it is ready.
 */
export function waysToOpen(workerUrl: string | URL | undefined): readonly OpenThread[] {
  if (typeof Worker === 'function') return [() => fromFile(workerUrl), fromSource];
  const nodeWorker = workerOfNode();
  if (!nodeWorker) return [];
  const given = workerUrl === undefined ? [] : [() => nodeThread(nodeWorker, fileOf(workerUrl), {})];
  return [...given, () => nodeThreadFromSource(nodeWorker)];
}

// ---------------------------------------------------------------- browsers

/** A browser's worker; server runtimes that also have it add the last two methods. */
type WebWorker = Worker & { ref?(): void; unref?(): void };

async function fromFile(workerUrl: string | URL | undefined): Promise<Thread | null> {
  return webThread(() =>
    // Bundlers recognize only this exact form and then include the worker's script.
    workerUrl === undefined
      ? new Worker(new URL('./worker.js', import.meta.url), { type: 'module' })
      : new Worker(trusted(workerUrl), { type: 'module' }),
  );
}

/** For a missing file or one of another origin. Strict policies forbid it, so it is tried after the file. */
async function fromSource(): Promise<Thread | null> {
  const source = await loadSource();
  if (source === null || typeof URL.createObjectURL !== 'function') return null;
  const address = URL.createObjectURL(new Blob([source], { type: 'text/javascript' }));
  const revoke = (): void => URL.revokeObjectURL(address);
  const thread = webThread(() => new Worker(trusted(address)));
  if (!thread) {
    revoke();
    return null;
  }
  // The URL is no longer needed once the script has run or failed.
  thread.onMessage(revoke);
  const end = (): void => {
    thread.end();
    revoke();
  };
  return { ...thread, end };
}

function webThread(make: () => WebWorker): Thread | null {
  let worker: WebWorker;
  try {
    worker = make();
  } catch {
    return null;
  }
  return {
    post: (message, transfer) => worker.postMessage(message, transfer),
    onMessage: (listener) => worker.addEventListener('message', (event) => listener(event.data)),
    onFailure(listener) {
      worker.addEventListener('error', (event) => listener(event.message || 'its script failed'));
      worker.addEventListener('messageerror', () => listener('a message could not be read'));
    },
    end: () => worker.terminate(),
    hold: (alive) => (alive ? worker.ref?.() : worker.unref?.()),
  };
}

// ---------------------------------------------------------------- Node

/** The used part of `node:worker_threads`. */
interface NodeWorker {
  postMessage(message: unknown, transfer: Transferable[]): void;
  on(event: string, listener: (value: never) => void): void;
  terminate(): Promise<unknown>;
  ref(): void;
  unref(): void;
}
type NodeWorkerClass = new (script: string | URL, options: object) => NodeWorker;

/** Looked up at run time, because bundlers fail on a static import. */
function workerOfNode(): NodeWorkerClass | undefined {
  const { process } = globalThis as {
    process?: { getBuiltinModule?(name: string): { Worker: NodeWorkerClass } | undefined };
  };
  return process?.getBuiltinModule?.('node:worker_threads')?.Worker;
}

/** Node accepts file: URLs only as URL objects. */
function fileOf(workerUrl: string | URL): string | URL {
  return typeof workerUrl === 'string' && URL.canParse(workerUrl) ? new URL(workerUrl) : workerUrl;
}

/** Always from the text, because bundles and test runners have no file beside them. */
async function nodeThreadFromSource(NodeWorker: NodeWorkerClass): Promise<Thread | null> {
  const source = await loadSource();
  return source === null ? null : nodeThread(NodeWorker, source, { eval: true });
}

async function nodeThread(NodeWorker: NodeWorkerClass, script: string | URL, options: object): Promise<Thread | null> {
  let worker: NodeWorker;
  try {
    // The process's flags may refer to its own script, and the worker needs none.
    worker = new NodeWorker(script, { ...options, execArgv: [], name: 'tied-embeddings' });
  } catch {
    return null;
  }
  return {
    post: (message, transfer) => worker.postMessage(message, transfer),
    onMessage: (listener) => worker.on('message', listener),
    onFailure(listener) {
      worker.on('error', ({ message }: Error) => listener(message));
      worker.on('messageerror', () => listener('a message could not be read'));
      worker.on('exit', () => listener('its thread ended'));
    },
    end: () => void worker.terminate(),
    hold: (alive) => (alive ? worker.ref() : worker.unref()),
  };
}

// ----------------------------------------------------------------

async function loadSource(): Promise<string | null> {
  try {
    const { workerSource } = await import('./worker-source.js');
    return workerSource === null ? null : new TextDecoder().decode(await inflate(workerSource));
  } catch {
    return null;
  }
}
