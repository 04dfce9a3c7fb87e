/** The script of the worker: waits for the compiled core, then answers calls. Started by lab.ts. */
import { createBirpc } from 'birpc';
import { TiedError } from '../core/errors.js';
import { instantiateCore } from '../core/instantiate.js';
import { LabHost, transferablesOf } from './host.js';
import { errorReply, type PageFunctions, type Reply, type WorkerFunctions } from './protocol.js';

/** A cancel waits for at most this long, or for one step where that is longer. */
const SLICE_MS = 4;

/** The part of a worker's global scope that is used here; the library's own types are those of a page. */
interface WorkerScope {
  postMessage(message: unknown, transfer: Transferable[]): void;
  addEventListener(type: 'message', listener: (event: MessageEvent) => void): void;
}
const scope = globalThis as unknown as WorkerScope;

let host: LabHost | undefined;

const functions: WorkerFunctions = {
  async start(compiled) {
    try {
      const core = await instantiateCore(compiled);
      host = new LabHost(core, SLICE_MS, (ticket, news) => void page.news.asEvent(ticket, news));
      return { ok: true, version: core.version, simd: core.simd };
    } catch (error) {
      return errorReply(error);
    }
  },
  call(call) {
    return host ? host.call(call) : Promise.resolve(errorReply(new TiedError('unsupported', 'the worker has no core')));
  },
  cancel(ticket) {
    host?.cancel(ticket);
  },
  release(target) {
    host?.release(target);
  },
};

const page = createBirpc<PageFunctions, WorkerFunctions>(functions, {
  post: (message: unknown) => scope.postMessage(message, resultBuffers(message)),
  on: (listener) => scope.addEventListener('message', (event) => void listener(event.data)),
  // Long verbs take as long as they take.
  timeout: -1,
});

void page.ready.asEvent();

/** Results move to the page instead of being copied; `r` is where the protocol of birpc has them. */
function resultBuffers(message: unknown): Transferable[] {
  const reply = (message as { r?: Partial<Reply> }).r;
  return reply && 'ok' in reply ? transferablesOf(reply as Reply) : [];
}
