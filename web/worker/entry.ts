/** The worker's script: waits for the compiled core, then answers calls. Started by lab.ts. */
import { createBirpc } from 'birpc';
import { TiedError } from '../core/runtime/errors.js';
import { RunningModules } from '../core/runtime/running-modules.js';
import { LabHost, transferablesOf } from './host.js';
import { errorReply, type ErrorReply, type PageFunctions, type Reply, type WorkerFunctions } from './protocol.js';

/** A cancellation waits at most this long, or for one step if a step takes longer. */
const SLICE_MS = 4;

/** The channel to the thread that started this one. */
interface Line {
  post(message: unknown, transfer: Transferable[]): void;
  listen(listener: (message: unknown) => void): void;
}

/** The used part of a worker's global scope; the library's types describe a page's. */
interface WorkerScope {
  postMessage?(message: unknown, transfer: Transferable[]): void;
  addEventListener?(type: 'message', listener: (event: MessageEvent) => void): void;
}

/** The same in a Node thread, whose global scope has neither function. */
interface NodePort {
  postMessage(message: unknown, transfer: Transferable[]): void;
  on(event: 'message', listener: (message: unknown) => void): void;
}
interface NodeProcess {
  getBuiltinModule?(name: string): { parentPort: NodePort | null } | undefined;
}

function openLine(): Line {
  const scope = globalThis as WorkerScope & { process?: NodeProcess };
  if (scope.postMessage && scope.addEventListener) {
    return {
      post: (message, transfer) => scope.postMessage!(message, transfer),
      listen: (listener) => scope.addEventListener!('message', ({ data }) => listener(data)),
    };
  }
  const port = scope.process?.getBuiltinModule?.('node:worker_threads')?.parentPort;
  if (!port) throw new TiedError('unsupported', 'worker.js is the script of a worker; createLab starts it');
  return {
    post: (message, transfer) => port.postMessage(message, transfer),
    listen: (listener) => port.on('message', listener),
  };
}

let host: LabHost | undefined;
const withoutCore = (): ErrorReply => errorReply(new TiedError('unsupported', 'the worker has no core'));

const functions: WorkerFunctions = {
  async start(compiled) {
    try {
      const modules = await RunningModules.start(compiled);
      host = new LabHost(
        modules,
        SLICE_MS,
        (ticket, news) => void page.news.asEvent(ticket, news),
        (target, news) => void page.team.asEvent(target, news),
      );
      const { version, simd } = host.core;
      return { ok: true, version, simd };
    } catch (error) {
      return errorReply(error);
    }
  },
  call(call) {
    return host ? host.call(call) : Promise.resolve(withoutCore());
  },
  add(name, compiled) {
    return host ? host.add(name, compiled) : Promise.resolve(withoutCore());
  },
  cancel(ticket) {
    host?.cancel(ticket);
  },
  release(target) {
    host?.release(target);
  },
  team(order) {
    host?.team(order);
  },
};

const line = openLine();
const page = createBirpc<PageFunctions, WorkerFunctions>(functions, {
  post: (message: unknown) => line.post(message, resultBuffers(message)),
  on: (listener) => line.listen((message) => void listener(message)),
  // Long verbs have no time limit.
  timeout: -1,
});

void page.ready.asEvent();

/** Results are transferred to the page instead of copied; birpc stores them in `r`. */
function resultBuffers(message: unknown): Transferable[] {
  const reply = (message as { r?: Partial<Reply> }).r;
  return reply && 'ok' in reply ? transferablesOf(reply as Reply) : [];
}
