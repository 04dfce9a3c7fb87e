import { pause } from '../core/runtime/pause.js';

/** Gives the event loop a turn now and then, without changing the order of waiting calls. */
export class SharedTurns {
  readonly #sliceMs: number;
  #began = performance.now();
  #next: Promise<void> | null = null;

  /** `sliceMs`: how long one turn may last. */
  constructor(sliceMs: number) {
    this.#sliceMs = sliceMs;
  }

  /** Resolves immediately, or in the next turn if this one has lasted long enough. */
  async wait(): Promise<void> {
    if (performance.now() - this.#began >= this.#sliceMs) {
      this.#next ??= pause().then(() => {
        this.#began = performance.now();
        this.#next = null;
      });
    }
    // All wait for the same turn: with separate turns, a later call could overtake an earlier one if another turn
    // began in the meantime.
    if (this.#next) await this.#next;
  }
}
