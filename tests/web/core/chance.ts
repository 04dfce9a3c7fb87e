/** Random choices for tests, from a seed, so failures can be reproduced. */

/** A linear congruential generator (Numerical Recipes, "quick and dirty"); its upper half is good enough here. */
function randomOf(seed: number): () => number {
  let state = seed;
  const half = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state >>> 16;
  };
  return () => (half() * 2 ** 16 + half()) / 2 ** 32;
}

export class Chance {
  readonly #next: () => number;
  constructor(seed: number) {
    this.#next = randomOf(seed);
  }
  whole(from: number, to: number): number {
    return from + Math.floor(this.#next() * (to - from + 1));
  }
  of<T>(choices: readonly T[]): T {
    return choices[this.whole(0, choices.length - 1)]!;
  }
  /** Sometimes undefined, for the default. */
  maybe<T>(value: T): T | undefined {
    return this.#next() < 0.3 ? undefined : value;
  }
}

/** Without undefined fields, as if those options were absent. */
export const given = <T extends object>(options: T): T =>
  Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as T;
