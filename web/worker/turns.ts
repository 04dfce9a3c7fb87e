/** Turns of those who change something and those who only look: looking is done between two changes. */
export class Turns {
  #lastChange: Promise<unknown> = Promise.resolve();
  readonly #looks = new Set<Promise<unknown>>();

  /** After the changes that were asked for before. */
  look<T>(task: () => Promise<T>): Promise<T> {
    const look = this.#lastChange.then(task);
    const settled = look.then(ignore, ignore);
    this.#looks.add(settled);
    void settled.then(() => this.#looks.delete(settled));
    return look;
  }

  /** After all that was asked for before. */
  change<T>(task: () => Promise<T>): Promise<T> {
    const change = Promise.all([this.#lastChange, ...this.#looks]).then(task);
    this.#lastChange = change.then(ignore, ignore);
    return change;
  }
}

function ignore(): void {}
