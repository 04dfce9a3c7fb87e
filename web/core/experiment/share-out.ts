/** Work that is shared out among hosts, some of which may stop. */
import { TiedError } from '../errors.js';

/** How one host does its part. */
export interface Part<Work> {
  /** Gives what is to be done next, before what is waiting. */
  readonly act: (work: Work) => Promise<readonly Work[]>;
  readonly close: () => void;
}

/** A worker that ended: what it did is done by another. */
const isLost = (error: unknown): boolean =>
  error instanceof TiedError && (error.code === 'stopped' || error.code === 'disposed');

/**
 * Resolves once all is done. What a host was doing when it stopped goes to another; rejects where none is left. Any other error ends
 * the whole: hosts finish what they do and begin nothing.
 */
export async function shareOut<Host, Work>(
  hosts: readonly Host[],
  work: readonly Work[],
  partOf: (host: Host) => Part<Work>,
): Promise<void> {
  const queue = [...work];
  let lost: unknown = null;
  /** Whether the host is still there. */
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
  // Again where a host stopped after the others had run out of work.
  for (let alive = hosts; queue.length > 0;) {
    if (alive.length === 0) throw lost;
    const ended = await Promise.allSettled(alive.map(takePart));
    for (const one of ended) if (one.status === 'rejected') throw one.reason;
    alive = alive.filter((_, at) => (ended[at] as PromiseFulfilledResult<boolean>).value);
  }
}
