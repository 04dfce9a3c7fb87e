/** A worker of the pool that computes a share of the gradients of a trainer in another worker, with a copy of it. */
import { nodesOf } from '../../core/training/shard-tree.js';
import type { SharedSteps } from '../../core/training/shared-steps.js';
import { TiedError } from '../../core/runtime/errors.js';
import { giveBack } from '../../core/runtime/give-back.js';
import { Exchange, type Failure, type State } from './exchange.js';

export class Follower {
  readonly #place: number;
  readonly #load: (file: Uint8Array) => SharedSteps;
  readonly #exchange: Exchange;
  #copy: SharedSteps | null = null;
  #epoch = -1;

  /** `ports`: to all other members, by place; the lead's place is 0. `load`: makes a trainer of its file. */
  constructor(place: number, ports: ReadonlyMap<number, MessagePort>, load: (file: Uint8Array) => SharedSteps) {
    this.#place = place;
    this.#load = load;
    this.#exchange = new Exchange(
      ports,
      (message) => {
        if ('file' in message) void this.#follow(message);
      },
      () => this.#fail(undefined),
    );
  }

  /** Steps as the lead does, from its state on, until there is another. Waits for the lead before each step, so it never does more steps. */
  async #follow({ epoch, members, file }: State): Promise<void> {
    this.#forget();
    this.#epoch = epoch;
    const others = members.filter((place) => place !== this.#place);
    const nodes = (copy: SharedSteps, place: number) => nodesOf(copy.shards, members.length, members.indexOf(place));
    try {
      const copy = (this.#copy = this.#load(file));
      // It may be as large as the trainer, and would stay for as long as this loop runs.
      giveBack(file);
      for (;;) {
        const which = { epoch, step: copy.step };
        this.#exchange.post(others, which, (pass) => {
          for (const node of nodes(copy, this.#place)) copy.compute(...node, pass);
        });
        for (const place of others) {
          let found;
          while ((found = this.#exchange.find(place, which)) === undefined) {
            await this.#exchange.next();
            if (this.#epoch !== epoch) return;
          }
          for (const [i, node] of nodes(copy, place).entries()) copy.give(...node, found[i]!);
        }
        copy.advance();
      }
    } catch (error) {
      if (this.#epoch === epoch) this.#fail(error instanceof TiedError ? error.code : undefined);
    }
  }

  /** The lead goes on without it. */
  #fail(failed: Failure['failed']): void {
    this.#exchange.send(0, { epoch: this.#epoch, failed });
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
