/**
 * One piece of work after the other. Whatever is added makes the piece under way stop as soon as it can (`halted`);
 * what was added before `abandon` and has not begun is never begun.
 */
export class WorkQueue {
  #last: Promise<void> = Promise.resolve();
  #generation = 0;
  #halted = false;
  #abort = new AbortController();

  /** The piece under way is to come to a stop. */
  get halted(): boolean {
    return this.#halted;
  }

  /** Raised by `abandon`: work of an earlier generation is worthless. */
  get generation(): number {
    return this.#generation;
  }

  /** Aborted by the next `abandon`. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  halt(): void {
    this.#halted = true;
  }

  /** Makes everything that was asked for so far worthless. */
  abandon(): void {
    this.#generation += 1;
    this.#halted = true;
    this.#abort.abort();
    this.#abort = new AbortController();
  }

  /** Resolves when the work is done, has failed or was left out. */
  add(work: () => Promise<void>, onError: (error: unknown) => Promise<void> | void): Promise<void> {
    const generation = this.#generation;
    this.#halted = true;
    this.#last = this.#last.then(async () => {
      if (generation !== this.#generation) return;
      this.#halted = false;
      try {
        await work();
      } catch (error) {
        if (generation === this.#generation) await onError(error);
      }
    });
    return this.#last;
  }

  /** Resolves when everything asked for so far is done. */
  async idle(): Promise<void> {
    await this.#last;
  }
}
