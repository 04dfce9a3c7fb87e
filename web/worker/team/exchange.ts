/** One member's ends of the channels to the others of its team: what they have sent of each step's gradient. */

import type { ErrorCode } from '../../core/runtime/errors.js';

/** What one member computed of a step's gradient: one array for each of its nodes. */
export interface Parts {
  /** Grows whenever the members get the lead's state again; what was sent before is of no use then. */
  readonly epoch: number;
  /** Steps done before it. */
  readonly step: number;
  readonly parts: readonly Uint8Array<ArrayBuffer>[];
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

  /** Moves the arrays to the other thread. */
  send(place: number, message: Message): void {
    const arrays = 'parts' in message ? message.parts : 'file' in message ? [message.file] : [];
    this.#ports.get(place)?.postMessage(
      message,
      arrays.map(({ buffer }) => buffer),
    );
  }

  /** Sends parts to several members; only the last gets the arrays themselves. */
  post(places: readonly number[], { parts, ...which }: Parts): void {
    for (const [i, place] of places.entries()) {
      const sent = i === places.length - 1 ? parts : parts.map((part) => part.slice());
      this.send(place, { ...which, parts: sent });
    }
  }

  /** What the member at this place sent for a step; undefined if it has not arrived. Forgets what is older. */
  find(place: number, epoch: number, step: number): Parts['parts'] | undefined {
    const queue = this.#received.get(place) ?? [];
    while (queue[0] && (queue[0].epoch < epoch || (queue[0].epoch === epoch && queue[0].step < step))) queue.shift();
    const [first] = queue;
    return first?.epoch === epoch && first.step === step ? first.parts : undefined;
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
