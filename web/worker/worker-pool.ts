/** The workers of a lab besides its own: opened when arms are dealt out, ended when the last arm of theirs is gone. */
import type { TiedError } from '../core/errors.js';
import type { LabClient } from './open-lab.js';

export interface PoolMember {
  readonly client: LabClient;
  readonly closed: Promise<TiedError>;
  close(): void;
}

interface Place {
  readonly opening: Promise<PoolMember | null>;
  users: number;
}

export class WorkerPool {
  readonly #open: () => Promise<PoolMember | null>;
  readonly #most: number;
  #places: Place[] = [];

  /** `open`: resolves with null where no worker can be had. `most`: besides the lab's own. */
  constructor(open: () => Promise<PoolMember | null>, most: number) {
    this.#open = open;
    this.#most = most;
  }

  /** Up to `count` workers, each to be given back once. Where a worker cannot be had there are fewer. */
  async take(count: number): Promise<PoolMember[]> {
    const wanted = Math.min(count, this.#most);
    while (this.#places.length < wanted) this.#places.push(this.#opened());
    const places = this.#places.slice(0, wanted);
    for (const place of places) place.users++;
    const members = await Promise.all(places.map(({ opening }) => opening));
    return members.filter((member) => member !== null);
  }

  #opened(): Place {
    const place: Place = { opening: this.#open().catch(() => null), users: 0 };
    void place.opening.then(async (member) => {
      // One that stopped, or never started, leaves its place to another.
      await member?.closed;
      this.#drop(place);
    });
    return place;
  }

  async release(member: PoolMember): Promise<void> {
    for (const place of [...this.#places]) {
      if ((await place.opening) !== member || --place.users > 0) continue;
      this.#drop(place);
      member.close();
    }
  }

  #drop(place: Place): void {
    this.#places = this.#places.filter((other) => other !== place);
  }

  dispose(): void {
    for (const { opening } of this.#places) void opening.then((member) => member?.close());
    this.#places = [];
  }
}
