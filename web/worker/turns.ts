/** Serializes changes and reads: reads run between two changes. */
export class Turns {
  #lastChange: Promise<unknown> = Promise.resolve();
  readonly #reads = new Set<Promise<unknown>>();

  /** Runs after the changes requested before it. */
  read<T>(task: () => Promise<T>): Promise<T> {
    const read = this.#lastChange.then(task);
    const settled = read.then(ignore, ignore);
    this.#reads.add(settled);
    void settled.then(() => this.#reads.delete(settled));
    return read;
  }

  /** Runs after everything requested before it. */
  change<T>(task: () => Promise<T>): Promise<T> {
    const change = Promise.all([this.#lastChange, ...this.#reads]).then(task);
    this.#lastChange = change.then(ignore, ignore);
    return change;
  }
}

function ignore(): void {}
