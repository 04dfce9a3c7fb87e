/**
 * Memory in which gradients and weights reach other threads. It is used again and again: the system must clear fresh memory, which takes
 * longer than to copy a part.
 */
import { giveBack } from '../../core/runtime/give-back.js';

export interface PartMemory {
  /** So many bytes for each of these members; one array for all if they share it. */
  room(bytes: number, places: readonly number[], epoch: number): Uint8Array[];
  /** What a member sent has been used. */
  used(part: Uint8Array, place: number): void;
  /** What came from one member is read by others where it is. */
  readonly shared: boolean;
}

/** Memory that moves with its message, and comes back with one of the other member: a gradient as weights, and weights as a gradient. */
export function movedMemory(): PartMemory {
  const spare = new Map<number, Uint8Array>();
  const put = (part: Uint8Array, place: number): void => {
    const other = spare.get(place);
    const [larger, smaller] = other && other.buffer.byteLength > part.buffer.byteLength ? [other, part] : [part, other];
    spare.set(place, larger);
    if (smaller) giveBack(smaller);
  };
  return {
    room: (bytes, places) =>
      places.map((place) => {
        const memory = spare.get(place);
        spare.delete(place);
        if (memory && memory.buffer.byteLength >= bytes) return new Uint8Array(memory.buffer, 0, bytes);
        if (memory) giveBack(memory);
        return new Uint8Array(bytes);
      }),
    used: put,
    shared: false,
  };
}

/**
 * Memory that all members read, where the page is isolated. It is used again in the next step: a member sends a gradient once it has read the
 * weights, and gets the next ones once its gradient has been read. Nobody waits for an older epoch, so an epoch begins with memory of its own.
 */
export function sharedMemory(): PartMemory {
  let current = -1;
  let memory = new SharedArrayBuffer(0);
  return {
    room(bytes, places, epoch) {
      if (epoch !== current || memory.byteLength < bytes) memory = new SharedArrayBuffer(bytes);
      current = epoch;
      const one = new Uint8Array(memory, 0, bytes);
      return places.map(() => one);
    },
    used: () => undefined,
    shared: true,
  };
}
