/** Random choices from a seed, the same on every machine, so failures can be replayed. */

/** SplitMix32, once per mixed-in number: neighboring seeds give unrelated streams. */
function mix(...numbers: readonly number[]): number {
  let state = 0;
  for (const number of numbers) {
    state = (state + (number >>> 0) + 0x9e3779b9) | 0;
    state = Math.imul(state ^ (state >>> 16), 0x21f0aaad);
    state = Math.imul(state ^ (state >>> 15), 0x735a2d97);
    state ^= state >>> 15;
  }
  return state >>> 0;
}

export class Draw {
  #state: number;

  /** `numbers`: a seed, and what is drawn from it. */
  constructor(...numbers: readonly number[]) {
    this.#state = mix(...numbers);
  }

  /** Called before each of several calls that draw from this: only a recorder cares. */
  next(): void {}

  /** At least 0 and below 1. */
  share(): number {
    this.#state = (this.#state + 0x9e3779b9) | 0;
    return mix(this.#state) / 2 ** 32;
  }

  /** An integer, both ends included. */
  whole(from: number, to: number): number {
    return from + Math.floor(this.share() * (to - from + 1));
  }

  odds(chance: number): boolean {
    return this.share() < chance;
  }

  of<T>(choices: readonly T[]): T {
    return choices[this.whole(0, choices.length - 1)]!;
  }

  list<T>(length: number, make: (i: number) => T): T[] {
    return Array.from({ length }, (_, i) => make(i));
  }

  /** Each field with the given probability; omitted fields are not drawn. */
  some(fields: Readonly<Record<string, () => unknown>>, chance = 0.3): Record<string, unknown> {
    const kept: Record<string, unknown> = {};
    for (const [name, make] of Object.entries(fields)) if (this.odds(chance)) kept[name] = make();
    return kept;
  }
}
