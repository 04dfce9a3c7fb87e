/** Starts the worker and speaks with it. */
import { createBirpc } from 'birpc';
import { TiedError } from '../core/errors.js';
import type { CompiledCore } from '../core/instantiate.js';
import type { Simd } from '../core/types.js';
import type { LabBackend, OnNews, PageFunctions, WorkerFunctions } from './protocol.js';

/** How long a worker's script may take to load and say that it is ready. */
const READY_LIMIT_MS = 10_000;

export interface StartedBackend extends LabBackend {
  readonly version: string;
  readonly simd: Simd;
  /** Ends it; calls that wait for an answer reject with `reason`. */
  close(reason: TiedError): void;
}

/**
 * Starts the worker while the core is being compiled, or resolves with null where this page may not have one (policy, other
 * origin, no `Worker`). Rejects where the core cannot be compiled or started.
 */
export async function startWorker(
  workerUrl: string | URL | undefined,
  compiling: Promise<CompiledCore>,
  onNews: OnNews,
): Promise<StartedBackend | null> {
  const worker = newWorker(workerUrl);
  if (!worker) return null;

  let ready!: (isReady: boolean) => void;
  const readiness = new Promise<boolean>((resolve) => (ready = resolve));
  const functions: PageFunctions = { ready: () => ready(true), news: onNews };
  const remote = createBirpc<WorkerFunctions, PageFunctions>(functions, {
    post: (message: unknown) => worker.postMessage(message),
    on: (listener) => worker.addEventListener('message', (event) => void listener(event.data)),
    timeout: -1,
  });
  const close = (reason: TiedError): void => {
    worker.terminate();
    // The reason is each waiting caller's: birpc would hang its own error on it as the cause.
    void remote.$rejectPendingCalls(({ reject }) => reject(reason));
    if (!remote.$closed) remote.$close();
  };
  // Some browsers report a script that may not be loaded only here, and later.
  worker.addEventListener('error', (event) => {
    ready(false);
    close(new TiedError('disposed', `the worker stopped: ${event.message || 'its script failed'}; create a new lab`));
  });
  worker.addEventListener('messageerror', () => {
    close(new TiedError('disposed', 'the worker stopped: a message could not be read; create a new lab'));
  });

  const limit = setTimeout(() => ready(false), READY_LIMIT_MS);
  let compiled: CompiledCore;
  try {
    // A core that cannot be had is told at once, however long the worker takes.
    const isReady = await Promise.race([readiness, compiling.then(() => readiness)]);
    if (!isReady) {
      worker.terminate();
      return null;
    }
    compiled = await compiling;
  } catch (error) {
    worker.terminate();
    throw error;
  } finally {
    clearTimeout(limit);
  }
  const started = await remote.start(compiled);
  if (!started.ok) {
    worker.terminate();
    throw new TiedError(started.code, started.message);
  }
  return {
    version: started.version,
    simd: started.simd,
    // Functions of the remote are no plain methods; each is called as such.
    call: (call) => remote.call(call),
    cancel: (ticket) => void remote.cancel.asEvent(ticket).catch(ignore),
    release: (target) => void remote.release.asEvent(target).catch(ignore),
    close,
  };
}

/** A closed worker has nothing left to cancel or to free. */
function ignore(): void {}

function newWorker(workerUrl: string | URL | undefined): Worker | null {
  if (typeof Worker !== 'function') return null;
  try {
    // Bundlers recognise this form, and only this one, and take the worker's script along.
    return workerUrl === undefined
      ? new Worker(new URL('./worker.js', import.meta.url), { type: 'module' })
      : new Worker(workerUrl, { type: 'module' });
  } catch {
    return null;
  }
}
