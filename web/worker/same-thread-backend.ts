/** The lab without a worker: the same host on this thread, in slices that let the page draw. */
import { type TiedError } from '../core/runtime/errors.js';
import type { CompiledCore } from '../core/runtime/module-source.js';
import { RunningModules } from '../core/runtime/running-modules.js';
import { LabHost } from './host.js';
import { errorReply, type OnNews } from './protocol.js';
import { SharedTurns } from './shared-turns.js';
import type { StartedBackend } from './worker-backend.js';

/** Well within a frame of 16 ms. */
const SLICE_MS = 8;

export async function startOnSameThread(compiled: CompiledCore, onNews: OnNews): Promise<StartedBackend> {
  const host = new LabHost(await RunningModules.start(compiled), SLICE_MS, onNews);
  let reason: TiedError | null = null;
  let ended!: (reason: TiedError) => void;
  const closed = new Promise<TiedError>((resolve) => (ended = resolve));
  const turns = new SharedTurns(SLICE_MS);
  return {
    version: host.core.version,
    simd: host.core.simd,
    add: (name, module) => host.add(name, module),
    async call(call) {
      const reply = await host.call(call);
      // Otherwise calls that answer each other's replies would run within one task.
      await turns.wait();
      // A verb that was running when the lab was closed stops at its next slice, for this reason.
      return reason ? errorReply(reason) : reply;
    },
    cancel: (ticket) => host.cancel(ticket),
    release: (target) => host.release(target),
    closed,
    close(why) {
      reason = why;
      ended(why);
      host.dispose();
    },
  };
}
