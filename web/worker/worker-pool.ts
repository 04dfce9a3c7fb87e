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
  /** Of whoever has it on loan: takes it back. */
  recall: (() => void) | null;
}

export class WorkerPool {
  readonly #open: () => Promise<PoolMember | null>;
  readonly #most: number;
  #mostLent: number;
  /** The most for one trainer. */
  mostEach = Infinity;
  #slots: Slot[] = [];

  /** `open` resolves with null if no worker is available. `most` excludes the lab's own worker, and so does `mostLent`, with those lent. */
  constructor(open: () => Promise<PoolMember | null>, most: number, mostLent = 0) {
    this.#open = open;
    this.#most = most;
    this.#mostLent = mostLent;
  }

  /** How many are open. */
  get size(): number {
    return this.#slots.length;
  }

  /** Up to `count` workers, each to be returned once; fewer if the browser allows no more. Recalls those that are lent. */
  async take(count: number): Promise<PoolMember[]> {
    const wanted = Math.min(count, this.#most);
    while (this.#slots.length < wanted) this.#slots.push(this.#opened());
    const slots = this.#slots.slice(0, wanted);
    for (const slot of slots) {
      slot.users++;
      const { recall } = slot;
      slot.recall = null;
      recall?.();
    }
    return membersOf(slots);
  }

  /** Up to `count` workers that nobody else uses. `recall` is called when somebody needs one: it is to be returned then, too. */
  async lend(count: number, recall: (member: PoolMember) => void): Promise<PoolMember[]> {
    // Those who train in the lab's own worker and in workers that are taken get equal shares of the others.
    const taken = this.#slots.filter(({ recall }) => recall === null).length;
    const share = Math.floor((this.#mostLent - taken) / (taken + 1));
    const free = Math.min(count, this.mostEach, share, this.#mostLent - this.#slots.length);
    const slots = Array.from({ length: Math.max(0, free) }, () => this.#opened());
    this.#slots.push(...slots);
    for (const slot of slots) {
      slot.users++;
      slot.recall = () => void slot.opening.then((member) => member && recall(member));
    }
    return membersOf(slots);
  }

  #opened(): Slot {
    const slot: Slot = { opening: this.#open().catch(() => null), users: 0, recall: null };
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
    this.#mostLent = 0;
    for (const { opening } of this.#slots) void opening.then((member) => member?.close());
    this.#slots = [];
  }
}

const membersOf = async (slots: readonly Slot[]): Promise<PoolMember[]> =>
  (await Promise.all(slots.map(({ opening }) => opening))).filter((member) => member !== null);
