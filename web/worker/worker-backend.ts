/** Starts the worker and communicates with it. */
import { createBirpc } from 'birpc';
import { TiedError } from '../core/runtime/errors.js';
import type { CompiledCore } from '../core/runtime/module-source.js';
import type { Simd } from '../core/types.js';
import {
  argumentBuffers,
  type LabBackend,
  type OnNews,
  type OnTeamNews,
  type PageFunctions,
  type WorkerFunctions,
} from './protocol.js';
import { waysToOpen, type Thread } from './threads.js';

/** How long a worker's script may take to load and report that it is ready. */
const READY_LIMIT_MS = 10_000;

export interface StartedBackend extends LabBackend {
  readonly version: string;
  readonly simd: Simd;
  /** Resolves with the reason when the thread ends or is closed; never rejects. */
  readonly closed: Promise<TiedError>;
  /** Ends the thread; pending calls reject with `reason`. */
  close(reason: TiedError): void;
}

/**
 * Starts the worker while the core compiles; resolves with null if no worker is available (policy, an engine without
 * workers). Rejects if the core cannot be compiled or started. `advice`: what a caller can do once the worker has
 * stopped by itself.
 */
export async function startWorker(
  workerUrl: string | URL | undefined,
  compiling: Promise<CompiledCore>,
  onNews: OnNews,
  onTeam: OnTeamNews,
  advice = 'create a new lab',
): Promise<StartedBackend | null> {
  for (const open of waysToOpen(workerUrl)) {
    const thread = await open();
    const backend = thread && (await startIn(thread, compiling, { news: onNews, team: onTeam }, advice));
    if (backend) return backend;
  }
  return null;
}

/** Null if the thread does not become ready. */
async function startIn(
  thread: Thread,
  compiling: Promise<CompiledCore>,
  listeners: Omit<PageFunctions, 'ready'>,
  advice: string,
): Promise<StartedBackend | null> {
  let ready!: (isReady: boolean) => void;
  const readiness = new Promise<boolean>((resolve) => (ready = resolve));
  const functions: PageFunctions = { ready: () => ready(true), ...listeners };
  const remote = createBirpc<WorkerFunctions, PageFunctions>(functions, {
    post: (message: unknown) => thread.post(message, argumentBuffers(message)),
    on: (listener) => thread.onMessage((message) => void listener(message)),
    timeout: -1,
  });
  let ended!: (reason: TiedError) => void;
  const closed = new Promise<TiedError>((resolve) => (ended = resolve));
  const close = (reason: TiedError): void => {
    ended(reason);
    thread.end();
    // Each caller gets the reason itself: birpc would attach its own error as the cause.
    void remote.$rejectPendingCalls(({ reject }) => reject(reason));
    if (!remote.$closed) remote.$close();
  };
  // Some browsers report a blocked script only here, and later.
  thread.onFailure((problem) => {
    ready(false);
    close(new TiedError('stopped', `the worker stopped: ${problem}; ${advice}`));
  });

  const limit = setTimeout(() => ready(false), READY_LIMIT_MS);
  let compiled: CompiledCore;
  try {
    // A core that fails to compile is reported immediately, however long the worker takes.
    const isReady = await Promise.race([readiness, compiling.then(() => readiness)]);
    if (!isReady) {
      thread.end();
      return null;
    }
    compiled = await compiling;
  } catch (error) {
    thread.end();
    throw error;
  } finally {
    clearTimeout(limit);
  }
  const started = await remote.start(compiled);
  if (!started.ok) {
    thread.end();
    throw new TiedError(started.code, started.message);
  }
  const awake = awakeDuring(thread);
  return {
    version: started.version,
    simd: started.simd,
    // The remote's functions are proxies and cannot be detached.
    call: (call) => awake(() => remote.call(call)),
    add: (name, compiled) => awake(() => remote.add(name, compiled)),
    cancel: (ticket) => void remote.cancel.asEvent(ticket).catch(ignore),
    release: (target) => void remote.release.asEvent(target).catch(ignore),
    team: (order) => void remote.team!.asEvent(order).catch(ignore),
    closed,
    close,
  };
}

/** In Node a pending call keeps the process alive and an idle lab does not, so programs end without disposing of it. */
function awakeDuring(thread: Thread): <T>(work: () => Promise<T>) => Promise<T> {
  let calls = 0;
  thread.hold(false);
  return async (work) => {
    if (calls++ === 0) thread.hold(true);
    try {
      return await work();
    } finally {
      if (--calls === 0) thread.hold(false);
    }
  };
}

/** A closed worker has nothing left to cancel or free. */
function ignore(): void {}
