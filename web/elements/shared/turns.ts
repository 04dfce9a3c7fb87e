/** Actions that may not overlap: each starts when the one before has ended, however it ended. */
export class Turns {
  #last: Promise<unknown> = Promise.resolve();

  next<Result>(action: () => Result | Promise<Result>): Promise<Result> {
    const turn = this.#last.then(action);
    this.#last = turn.catch(() => undefined);
    return turn;
  }
}
