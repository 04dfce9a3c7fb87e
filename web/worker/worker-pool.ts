/** A lab's additional workers: opened when arms are distributed, ended with the last arm that they train. */
import type { TiedError } from '../core/runtime/errors.js';
import type { LabClient } from './lab-client.js';

export interface PoolMember {
  readonly client: LabClient;
  readonly closed: Promise<TiedError>;
  close(): void;
}

interface Slot {
  readonly opening: Promise<PoolMember | null>;
  users: number;
}

export class WorkerPool {
  readonly #open: () => Promise<PoolMember | null>;
  readonly #most: number;
  #slots: Slot[] = [];

  /** `open` resolves with null if no worker is available. `most` excludes the lab's own worker. */
  constructor(open: () => Promise<PoolMember | null>, most: number) {
    this.#open = open;
    this.#most = most;
  }

  /** Up to `count` workers, each to be returned once; fewer if the browser allows no more. */
  async take(count: number): Promise<PoolMember[]> {
    const wanted = Math.min(count, this.#most);
    while (this.#slots.length < wanted) this.#slots.push(this.#opened());
    const slots = this.#slots.slice(0, wanted);
    for (const slot of slots) slot.users++;
    const members = await Promise.all(slots.map(({ opening }) => opening));
    return members.filter((member) => member !== null);
  }

  #opened(): Slot {
    const slot: Slot = { opening: this.#open().catch(() => null), users: 0 };
    void slot.opening.then(async (member) => {
      // A worker that stopped or never started frees its slot.
      await member?.closed;
      this.#drop(slot);
    });
    return slot;
  }

  async release(member: PoolMember): Promise<void> {
    for (const slot of [...this.#slots]) {
      if ((await slot.opening) !== member || --slot.users > 0) continue;
      this.#drop(slot);
      member.close();
    }
  }

  #drop(slot: Slot): void {
    this.#slots = this.#slots.filter((other) => other !== slot);
  }

  dispose(): void {
    for (const { opening } of this.#slots) void opening.then((member) => member?.close());
    this.#slots = [];
  }
}
