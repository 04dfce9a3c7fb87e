/** A worker of the pool that computes a share of the gradients of a trainer in another worker, with a copy of it. */
import { nodesOf, type ShardNode } from '../../core/training/shard-tree.js';
import type { SharedSteps } from '../../core/training/shared-steps.js';
import { giveBack } from '../../core/runtime/give-back.js';
import { branchEnd, childrenOf, parentOf } from './branches.js';
import { Exchange, type Parts, type State, type Which } from './exchange.js';

/** Gives a trainer what a branch has computed of these nodes. */
export function giveParts(trainer: SharedSteps, nodes: readonly ShardNode[], { bytes, ends }: Parts): void {
  for (const [i, node] of nodes.entries()) trainer.give(...node, bytes.subarray(ends[i - 1] ?? 0, ends[i]));
}

export class Follower {
  readonly #place: number;
  readonly #load: (file: Uint8Array) => SharedSteps;
  readonly #exchange: Exchange;
  #copy: SharedSteps | null = null;
  #epoch = -1;
  /** The place of the member whose message it waits for whenever it is not computing. */
  #waitsFor = 0;

  /** `ports`: to all other members, by place; the lead's place is 0. `load`: makes a copy of its file. */
  constructor(place: number, ports: ReadonlyMap<number, MessagePort>, load: (file: Uint8Array) => SharedSteps) {
    this.#place = place;
    this.#load = load;
    this.#exchange = new Exchange(
      ports,
      (message) => {
        if ('file' in message) void this.#follow(message);
        else if ('asks' in message) this.#exchange.send(0, { epoch: message.epoch, waitsFor: this.#waitsFor });
      },
      () => this.#fail(),
    );
  }

  /**
   * Computes its share of the gradient of each step that it gets the weights of, until there is another state: adds what its branch has
   * computed, and passes it on.
   */
  async #follow({ epoch, members, file }: State): Promise<void> {
    this.#forget();
    this.#epoch = epoch;
    const own = members.indexOf(this.#place);
    const parent = members[parentOf(own)]!;
    const children = childrenOf(own, members.length);
    const places = children.map((child) => members[child]!);
    try {
      const copy = (this.#copy = this.#load(file));
      // It may be as large as the data, and would stay for as long as this loop runs.
      giveBack(file);
      const nodes = (first: number, end?: number) => nodesOf(copy.shards, members.length, first, end);
      const ofBranch = nodes(own, branchEnd(own, members.length));
      for (let { step } = copy; ; step++) {
        const which = { epoch, step };
        const weights = await this.#arrival(parent, which);
        if (!weights) return;
        this.#exchange.pass(places, weights);
        copy.follow(step, weights.weights!, weights.bytes);
        this.#exchange.used(parent);
        for (const node of nodes(own)) copy.compute(...node);
        for (const [i, child] of children.entries()) {
          const found = await this.#arrival(places[i]!, which);
          if (!found) return;
          giveParts(copy, nodes(child, branchEnd(child, members.length)), found);
          this.#exchange.used(places[i]!);
        }
        const ends: number[] = [];
        for (const node of ofBranch) ends.push((ends.at(-1) ?? 0) + copy.compute(...node));
        this.#exchange.post([parent], { ...which, ends }, (pass) => {
          for (const node of ofBranch) copy.gradient(...node, pass);
        });
      }
    } catch {
      if (this.#epoch === epoch) this.#fail();
    }
  }

  /** What another member sends for a step; undefined once there is another state. */
  async #arrival(place: number, which: Which): Promise<Parts | undefined> {
    for (;;) {
      const found = this.#exchange.find(place, which);
      if (found) return found;
      this.#waitsFor = place;
      await this.#exchange.next();
      if (this.#epoch !== which.epoch) return undefined;
    }
  }

  /** The lead goes on without it. */
  #fail(): void {
    this.#exchange.send(0, { epoch: this.#epoch, failed: true });
    this.#forget();
  }

  #forget(): void {
    this.#epoch = -1;
    this.#copy?.dispose();
    this.#copy = null;
  }

  end(): void {
    this.#forget();
    this.#exchange.close();
  }
}
