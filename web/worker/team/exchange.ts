/** One member's ends of the channels to the others of its team: gradients and weights that have arrived. */

import type { WeightsAt } from '../../core/training/shared-steps.js';
import { movedMemory, sharedMemory } from './part-memory.js';

/** The step of an epoch that a message belongs to. */
export interface Which {
  /** Grows whenever the members get the lead's state again; what was sent before is of no use then. */
  readonly epoch: number;
  /** Steps done before it. */
  readonly step: number;
}

/** What one branch computed of a step's gradient, or the weights that the step begins with. */
export interface Parts extends Which {
  readonly bytes: Uint8Array;
  /** Where each of them ends: one for each node of the branch; a single one of weights. */
  readonly ends: readonly number[];
  readonly weights?: WeightsAt;
}

/** From the lead: what a copy is made of, and the places of the members that share the steps from there on. */
export interface State {
  readonly epoch: number;
  readonly members: readonly number[];
  readonly file: Uint8Array<ArrayBuffer>;
}

/** From a follower that cannot go on. */
export interface Failure {
  readonly epoch: number;
  readonly failed: true;
}

/** From the lead, which has waited for long: whether a follower waits as well. One that computes, or has stopped, does not answer. */
export interface Question {
  readonly epoch: number;
  readonly asks: true;
}

/** The answer: the place of the member that it waits for. */
export interface Waiting {
  readonly epoch: number;
  readonly waitsFor: number;
}

/** What is neither gradient nor weights. */
export type Word = State | Failure | Question | Waiting;
export type Message = Parts | Word;

export class Exchange {
  readonly #ports: ReadonlyMap<number, MessagePort>;
  /** By place, in the order of steps. */
  readonly #received = new Map<number, Parts[]>();
  readonly #memory = globalThis.crossOriginIsolated ? sharedMemory() : movedMemory();
  #waiting: (() => void)[] = [];

  /** `other`: called with what is neither gradient nor weights. `lost`: with the place of a member that cannot be understood. */
  constructor(
    ports: ReadonlyMap<number, MessagePort>,
    other: (message: Word, place: number) => void,
    lost: (place: number) => void,
  ) {
    this.#ports = ports;
    for (const [place, port] of ports) {
      const queue: Parts[] = [];
      this.#received.set(place, queue);
      port.onmessage = ({ data }: MessageEvent<Message>) => {
        if ('ends' in data) queue.push(data);
        else other(data, place);
        this.wake();
      };
      port.onmessageerror = () => lost(place);
    }
  }

  /** Moves the array to the other thread, unless it shares it. */
  send(place: number, message: Message): void {
    const array = 'ends' in message ? message.bytes : 'file' in message ? message.file : undefined;
    const moved = array?.buffer instanceof ArrayBuffer ? [array.buffer] : [];
    this.#ports.get(place)?.postMessage(message, moved);
  }

  /** Sends parts to several members. `read` passes on their bytes in order; none has to last. */
  post(
    places: readonly number[],
    message: Omit<Parts, 'bytes'>,
    read: (pass: (pieces: readonly Uint8Array[]) => void) => void,
  ): void {
    const arrays = this.#memory.room(message.ends.at(-1) ?? 0, places, message.epoch);
    let at = 0;
    read((pieces) => {
      for (const piece of pieces) {
        for (const array of new Set(arrays)) array.set(piece, at);
        at += piece.length;
      }
    });
    for (const [i, place] of places.entries()) this.send(place, { ...message, bytes: arrays[i]! });
  }

  /** Sends on what came from another member. */
  pass(places: readonly number[], message: Parts): void {
    if (this.#memory.shared) for (const place of places) this.send(place, message);
    else this.post(places, message, (pass) => pass([message.bytes]));
  }

  /** What the member at this place sent for a step; undefined if it has not arrived. */
  find(place: number, which: Which): Parts | undefined {
    const queue = this.#received.get(place) ?? [];
    while (queue[0] && isBefore(queue[0], which)) this.used(place);
    return queue[0] && !isBefore(which, queue[0]) ? queue[0] : undefined;
  }

  /** What was found there has been used. */
  used(place: number): void {
    const first = this.#received.get(place)?.shift();
    if (first) this.#memory.used(first.bytes, place);
  }

  /** Resolves with the next message, or when it is woken. */
  next(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  wake(): void {
    for (const go of this.#waiting.splice(0)) go();
  }

  close(): void {
    for (const port of this.#ports.values()) {
      port.onmessage = port.onmessageerror = null;
      port.close();
    }
    this.wake();
  }
}

const isBefore = (one: Which, other: Which): boolean =>
  one.epoch < other.epoch || (one.epoch === other.epoch && one.step < other.step);
