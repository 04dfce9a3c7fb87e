/** Distributes work among hosts, some of which may stop. */
import { TiedError } from '../runtime/errors.js';

/** How one host does its share. */
export interface Part<Work> {
  /** Does the work; returns work to be done next, before what is already queued. */
  readonly act: (work: Work) => Promise<readonly Work[]>;
  readonly close: () => void;
}

/** Whether the worker has ended, so another one takes over its work. */
const isLost = (error: unknown): boolean =>
  error instanceof TiedError && (error.code === 'stopped' || error.code === 'disposed');

/**
 * Resolves once everything is done. If a host stops, its current work goes to another; rejects if none is left. Any other error ends
 * everything: hosts finish their current work and start nothing new.
 */
export async function shareOut<Host, Work>(
  hosts: readonly Host[],
  work: readonly Work[],
  partOf: (host: Host) => Part<Work>,
): Promise<void> {
  const queue = [...work];
  let lost: unknown = null;
  /** Resolves to whether the host is still running. */
  const takePart = async (host: Host): Promise<boolean> => {
    const part = partOf(host);
    try {
      for (let one = queue.shift(); one !== undefined; one = queue.shift()) {
        try {
          queue.unshift(...(await part.act(one)));
        } catch (error) {
          if (!isLost(error)) throw error;
          queue.unshift(one);
          lost = error;
          return false;
        }
      }
      return true;
    } catch (error) {
      queue.length = 0;
      throw error;
    } finally {
      part.close();
    }
  };
  // Repeats if a host stopped after the others had run out of work.
  for (let alive = hosts; queue.length > 0;) {
    if (alive.length === 0) throw lost;
    const ended = await Promise.allSettled(alive.map(takePart));
    for (const one of ended) if (one.status === 'rejected') throw one.reason;
    alive = alive.filter((_, at) => (ended[at] as PromiseFulfilledResult<boolean>).value);
  }
}
