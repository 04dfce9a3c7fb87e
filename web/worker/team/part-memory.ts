/**
 * Memory in which parts of a gradient reach other threads. It is used again and again: the system must clear fresh memory, which takes
 * longer than to copy a part.
 */

/** The step of an epoch that a part belongs to. */
export interface Which {
  /** Grows whenever the members get the lead's state again; what was sent before is of no use then. */
  readonly epoch: number;
  /** Steps done before it. */
  readonly step: number;
}

export interface PartMemory {
  /** A copy of part number `index` of a step for each of these members. */
  copies(part: Uint8Array, places: readonly number[], which: Which, index: number): Uint8Array[];
  /** What a member sent has been used. */
  used(parts: readonly Uint8Array[], place: number): void;
}

/** Memory that moves with its message, and comes back with one of the other member. */
export function movedMemory(): PartMemory {
  const spare = new Map<number, Uint8Array[]>();
  return {
    copies: (part, places) =>
      places.map((place) => {
        const memory = spare.get(place)?.pop()?.buffer;
        const bytes = memory && memory.byteLength >= part.length ? memory : new ArrayBuffer(part.length);
        const copy = new Uint8Array(bytes, 0, part.length);
        copy.set(part);
        return copy;
      }),
    // No more than one message: members may send different numbers of parts.
    used: (parts, place) => void spare.set(place, [...parts]),
  };
}

/**
 * Memory that all members read, where the page is isolated. There are two sets, for even and for odd steps: a member begins a step once it
 * has what all others sent for the one before, and they sent that once they had read what it sent for the step before that one. Nobody
 * waits for those of an older epoch, so an epoch begins with memory of its own.
 */
export function sharedMemory(): PartMemory {
  let current = -1;
  let sets: SharedArrayBuffer[][] = [];
  return {
    copies(part, places, { epoch, step }, index) {
      if (epoch !== current) sets = [[], []];
      current = epoch;
      const set = sets[step % 2]!;
      if ((set[index]?.byteLength ?? 0) < part.length) set[index] = new SharedArrayBuffer(part.length);
      const copy = new Uint8Array(set[index]!, 0, part.length);
      copy.set(part);
      return places.map(() => copy);
    },
    used: () => undefined,
  };
}
