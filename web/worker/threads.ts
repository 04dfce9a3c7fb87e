/** The ways to get a thread that runs the worker's script: a browser's workers, and those of Node. */

/** A thread, whoever made it. */
export interface Thread {
  post(message: unknown, transfer: Transferable[]): void;
  onMessage(listener: (message: unknown) => void): void;
  /** Called where the script cannot be loaded or fails, or a message cannot be read; `problem` completes "the worker stopped: ". */
  onFailure(listener: (problem: string) => void): void;
  end(): void;
  /** Whether it keeps the process alive; a page does not ask. */
  hold(alive: boolean): void;
}

/** Resolves with null where this way is not open. */
export type OpenThread = () => Promise<Thread | null>;

/**
 * In the order in which they are to be tried. Whether a script may really run is told later in some browsers: only a thread
 * that has said that it is ready is one.
 */
export function waysToOpen(workerUrl: string | URL | undefined): readonly OpenThread[] {
  if (typeof Worker === 'function') return [() => fromFile(workerUrl), fromSource];
  const nodeWorker = workerOfNode();
  if (!nodeWorker) return [];
  const given = workerUrl === undefined ? [] : [() => nodeThread(nodeWorker, fileOf(workerUrl), {})];
  return [...given, () => nodeThreadFromSource(nodeWorker)];
}

// ---------------------------------------------------------------- browsers

/** Of a browser; what runs servers and has it as well adds the last two. */
type WebWorker = Worker & { ref?(): void; unref?(): void };

async function fromFile(workerUrl: string | URL | undefined): Promise<Thread | null> {
  return webThread(() =>
    // Bundlers recognise this form, and only this one, and take the worker's script along.
    workerUrl === undefined
      ? new Worker(new URL('./worker.js', import.meta.url), { type: 'module' })
      : new Worker(workerUrl, { type: 'module' }),
  );
}

/** Where the file is missing, or on another origin. A strict policy forbids this way: it is tried after the file alone. */
async function fromSource(): Promise<Thread | null> {
  const source = await loadSource();
  if (source === null || typeof URL.createObjectURL !== 'function') return null;
  const address = URL.createObjectURL(new Blob([source], { type: 'text/javascript' }));
  const revoke = (): void => URL.revokeObjectURL(address);
  const thread = webThread(() => new Worker(address));
  if (!thread) {
    revoke();
    return null;
  }
  // The address is of no use once the script has run, or will not.
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

/** What is used here of `node:worker_threads`. */
interface NodeWorker {
  postMessage(message: unknown, transfer: Transferable[]): void;
  on(event: string, listener: (value: never) => void): void;
  terminate(): Promise<unknown>;
  ref(): void;
  unref(): void;
}
type NodeWorkerClass = new (script: string | URL, options: object) => NodeWorker;

/** Asked for at run time: an import of it would stop bundlers. */
function workerOfNode(): NodeWorkerClass | undefined {
  const { process } = globalThis as {
    process?: { getBuiltinModule?(name: string): { Worker: NodeWorkerClass } | undefined };
  };
  return process?.getBuiltinModule?.('node:worker_threads')?.Worker;
}

/** Node takes the addresses of files as URLs only. */
function fileOf(workerUrl: string | URL): string | URL {
  return typeof workerUrl === 'string' && URL.canParse(workerUrl) ? new URL(workerUrl) : workerUrl;
}

/** From the text in any case: a bundle, or a test runner, has no file beside it. */
async function nodeThreadFromSource(NodeWorker: NodeWorkerClass): Promise<Thread | null> {
  const source = await loadSource();
  return source === null ? null : nodeThread(NodeWorker, source, { eval: true });
}

async function nodeThread(NodeWorker: NodeWorkerClass, script: string | URL, options: object): Promise<Thread | null> {
  let worker: NodeWorker;
  try {
    // The flags of the process may concern its own script, and the worker needs none.
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
    return (await import('./worker-source.js')).workerSource;
  } catch {
    return null;
  }
}
