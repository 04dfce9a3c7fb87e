/** The trainer that a lab's caller holds, with partners in other workers, which compute parts of its gradients. */
import type { Partners } from '../../core/training/held-trainer.js';
import { nodesOf } from '../../core/training/shard-tree.js';
import type { SharedSteps } from '../../core/training/shared-steps.js';
import { TiedError } from '../../core/runtime/errors.js';
import type { Work } from '../../core/runtime/work.js';
import { branchEnd, childrenOf } from './branches.js';
import { Exchange, type Parts } from './exchange.js';
import { giveParts } from './follower.js';
import { Pace } from './pace.js';
import { PATIENCE } from './patience.js';
import { watch } from './watch.js';

export interface Asking {
  /** Asks the page for partners. */
  ask(most: number): void;
  /** These partners are no longer needed, or failed. */
  leave(places: readonly number[]): void;
}

/** The trainer's own place. */
const OWN = 0;

export class Lead implements Partners {
  readonly #trainer: SharedSteps;
  readonly #page: Asking;
  readonly #pace = new Pace();
  #exchange: Exchange | null = null;
  /** Where its partners are; a new list whenever one is lost. */
  #places: readonly number[] = [];
  #epoch = 0;
  /** For whom partners of this epoch have said that they wait, by place. */
  readonly #waits = new Map<number, number>();
  /** `changes` of the trainer where its partners have the same state; null if they do not. */
  #sameAt: number | null = null;
  /** `changes` of the trainer where it last kept parts of the next step. */
  #keptAt: number | null = null;
  /** Milliseconds of its own share of a step. */
  #ownMs = 0;
  #giving = false;
  #lastStep = 0;
  #idle: ReturnType<typeof setTimeout> | null = null;
  /** Once the core has refused to compute parts. */
  #alone = false;

  constructor(trainer: SharedSteps, page: Asking) {
    this.#trainer = trainer;
    this.#page = page;
  }

  get size(): number {
    return this.#epoch === 0 ? 0 : this.#places.length;
  }

  /** `ports`: to the partners, by place. */
  connect(ports: ReadonlyMap<number, MessagePort>): void {
    this.#close();
    this.#exchange = new Exchange(
      ports,
      (message, place) => {
        if (message.epoch !== this.#epoch) return;
        if ('failed' in message) this.#dismiss(place);
        if ('waitsFor' in message) this.#waits.set(place, message.waitsFor);
      },
      (place) => this.#dismiss(place),
    );
    this.#places = [...ports.keys()];
    this.#rest();
  }

  /** A partner is gone. What it has not sent is computed here, and the others begin again with the state after that. */
  lose(place: number): void {
    if (!this.#places.includes(place)) return;
    this.#places = this.#places.filter((other) => other !== place);
    this.#sameAt = null;
    if (this.#places.length === 0) this.#close();
    this.#exchange?.wake();
  }

  #dismiss(place: number): void {
    if (!this.#places.includes(place)) return;
    this.#pace.refused();
    this.lose(place);
    this.#page.leave([place]);
  }

  /** Asks all partners for whom they wait. */
  #ask(): void {
    for (const place of this.#places) this.#exchange?.send(place, { epoch: this.#epoch, asks: true });
  }

  /** The member that the branch of this one waits for, as far as its members have said: deep in a branch, the others only wait. */
  #silentIn(place: number): number {
    const next = this.#waits.get(place) ?? OWN;
    return this.#places.indexOf(next) > this.#places.indexOf(place) ? this.#silentIn(next) : place;
  }

  *give(): Work<boolean> {
    this.#pace.begin();
    if (!this.#exchange) return false;
    this.#giving = true;
    try {
      const { changes } = this.#trainer;
      if (this.#sameAt !== changes) {
        // Parts that were dealt out otherwise would overlap those of a new epoch: the core completes them.
        if (this.#keptAt === changes) return true;
        yield* this.#share();
      }
      return yield* this.#exchangeParts();
    } catch (error) {
      if (!(error instanceof TiedError)) throw error;
      // The step reports what is wrong with the trainer.
      this.#alone = true;
      this.#letGo();
      return false;
    } finally {
      this.#giving = false;
    }
  }

  /** Gives all partners the trainer's state. */
  *#share(): Work<void> {
    this.#sameAt = null;
    const file = yield* this.#trainer.file();
    const places = this.#places;
    const members = [OWN, ...places];
    this.#epoch++;
    this.#waits.clear();
    for (const [i, place] of places.entries())
      this.#exchange?.send(place, { epoch: this.#epoch, members, file: i < places.length - 1 ? file.slice() : file });
    this.#sendWeights(true);
    this.#sameAt = this.#trainer.changes;
    this.#pace.restart();
  }

  *#exchangeParts(): Work<boolean> {
    const places = this.#places;
    const members = 1 + places.length;
    const { shards, step, changes } = this.#trainer;
    const which = { epoch: this.#epoch, step };
    const began = performance.now();
    for (const node of nodesOf(shards, members, OWN)) this.#trainer.compute(...node);
    // What was computed before a cancel takes no time.
    if (this.#keptAt !== changes) this.#ownMs = performance.now() - began;
    this.#keptAt = changes;
    const children = childrenOf(OWN, members);
    const arrived: (Parts | undefined)[] = [];
    for (const child of children) {
      const place = places[child - 1]!;
      const arrival = () => this.#exchange?.find(place, which);
      let found = arrival();
      if (!found && this.#places === places) {
        const stop = watch(
          this.#ownMs,
          () => this.#ask(),
          () => this.#dismiss(this.#silentIn(place)),
        );
        try {
          while (!(found = arrival()) && this.#places === places) yield this.#exchange!.next();
        } finally {
          stop();
        }
      }
      arrived.push(found);
    }
    // All at once: after a cancel, none has been given twice.
    for (const [i, child] of children.entries()) {
      const found = arrived[i];
      if (!found) continue;
      giveParts(this.#trainer, nodesOf(shards, members, child, branchEnd(child, members)), found);
      this.#exchange?.used(places[child - 1]!);
    }
    return true;
  }

  /** Gives its partners the weights of the next step: all of them, or those that the last step has changed. */
  #sendWeights(all: boolean): void {
    const { step } = this.#trainer;
    const places = childrenOf(OWN, 1 + this.#places.length).map((child) => this.#places[child - 1]!);
    this.#trainer.weights(all, (pieces, weights) => {
      const ends = [pieces.reduce((sum, { length }) => sum + length, 0)];
      this.#exchange?.post(places, { epoch: this.#epoch, step, ends, weights }, (pass) => pass(pieces));
    });
  }

  stepped(steps: number): void {
    if (this.#exchange === null) {
      if (!this.#alone && this.#pace.asks(steps)) this.#page.ask(this.#trainer.shards - 1);
      return;
    }
    if (this.#sameAt === null) return;
    this.#lastStep = performance.now();
    if (this.#pace.ends()) {
      this.#letGo();
      return;
    }
    this.#sameAt = this.#trainer.changes;
    try {
      this.#sendWeights(false);
    } catch (error) {
      if (!(error instanceof TiedError)) throw error;
      // Without memory for a message, it goes on alone.
      this.#letGo();
    }
  }

  /** Lets its partners go when it has done no step for some time. */
  #rest(): void {
    this.#lastStep = performance.now();
    const wait = (): void => {
      const left = this.#giving ? PATIENCE.idleMs : this.#lastStep + PATIENCE.idleMs - performance.now();
      if (left > 0) this.#idle = setTimeout(wait, left);
      else this.#letGo();
    };
    this.#idle = setTimeout(wait, PATIENCE.idleMs);
  }

  #letGo(): void {
    const places = this.#places;
    this.#close();
    if (places.length > 0) this.#page.leave(places);
  }

  #close(): void {
    if (this.#idle !== null) clearTimeout(this.#idle);
    this.#idle = null;
    this.#places = [];
    this.#sameAt = null;
    this.#epoch = 0;
    const exchange = this.#exchange;
    this.#exchange = null;
    exchange?.close();
  }

  end(): void {
    this.#alone = true;
    this.#letGo();
  }
}
