/** One member's ends of the channels to the others of its team: what they have sent of each step's gradient. */

import type { ErrorCode } from '../../core/runtime/errors.js';
import { movedMemory, sharedMemory, type Which } from './part-memory.js';

/** What one member computed of a step's gradient: one array for each of its nodes. */
export interface Parts extends Which {
  readonly parts: readonly Uint8Array[];
}

/** From the lead: its state, and the places of the members that share the steps from there on. */
export interface State {
  readonly epoch: number;
  readonly members: readonly number[];
  readonly file: Uint8Array<ArrayBuffer>;
}

/** From a follower that cannot go on. */
export interface Failure {
  readonly epoch: number;
  /** Undefined for what is no `TiedError`. */
  readonly failed: ErrorCode | undefined;
}

export type Message = Parts | State | Failure;

export class Exchange {
  readonly #ports: ReadonlyMap<number, MessagePort>;
  /** By place, in the order of steps. */
  readonly #received = new Map<number, Parts[]>();
  readonly #memory = globalThis.crossOriginIsolated ? sharedMemory() : movedMemory();
  #waiting: (() => void)[] = [];

  /** `other`: called with what is no part of a gradient. `lost`: with the place of a member that cannot be understood. */
  constructor(
    ports: ReadonlyMap<number, MessagePort>,
    other: (message: State | Failure, place: number) => void,
    lost: (place: number) => void,
  ) {
    this.#ports = ports;
    for (const [place, port] of ports) {
      const queue: Parts[] = [];
      this.#received.set(place, queue);
      port.onmessage = ({ data }: MessageEvent<Message>) => {
        if ('parts' in data) queue.push(data);
        else other(data, place);
        this.wake();
      };
      port.onmessageerror = () => lost(place);
    }
  }

  /** Moves the arrays to the other thread, unless it shares them. */
  send(place: number, message: Message): void {
    const arrays = 'parts' in message ? message.parts : 'file' in message ? [message.file] : [];
    const moved = arrays.map(({ buffer }) => buffer).filter((buffer) => buffer instanceof ArrayBuffer);
    this.#ports.get(place)?.postMessage(message, moved);
  }

  /** Sends parts to several members. `each` passes on all of them in order; none has to last. */
  post(places: readonly number[], which: Which, each: (pass: (part: Uint8Array) => void) => void): void {
    for (const place of places) this.#forget(place, which);
    const copies: Uint8Array[][] = [];
    each((part) => copies.push(this.#memory.copies(part, places, which, copies.length)));
    for (const [i, place] of places.entries())
      this.send(place, { ...which, parts: copies.map((ofPart) => ofPart[i]!) });
  }

  /** What the member at this place sent for a step, until the next is posted; undefined if it has not arrived. */
  find(place: number, which: Which): Parts['parts'] | undefined {
    this.#forget(place, which);
    const first = this.#received.get(place)?.[0];
    return first && !isBefore(which, first) ? first.parts : undefined;
  }

  /** Forgets what is older. */
  #forget(place: number, which: Which): void {
    const queue = this.#received.get(place) ?? [];
    while (queue[0] && isBefore(queue[0], which)) this.#memory.used(queue.shift()!.parts, place);
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
