/**
 * The choices of a case, recorded so that it can be repeated with fewer and smaller ones. Each is a number of which 0 is the simplest; a
 * part has the choices of one call, so that leaving one out does not shift those of the next.
 */
import fc from 'fast-check';
import { Draw } from './draw.js';

export type Choices = readonly (readonly number[])[];

/** Draws by chance, or repeats given choices: the simplest where there are none, the largest possible where one is too large. */
export class Recorder extends Draw {
  readonly made: number[][] = [];
  readonly #given: Choices | null;
  #chance: Draw;

  constructor(given: Choices | null = null) {
    super();
    this.#given = given;
    this.#chance = new Draw();
  }

  /** Begins a part, with choices by `chance` unless they are given. */
  begin(chance: Draw): this {
    this.#chance = chance;
    this.next();
    return this;
  }

  override next(): void {
    this.made.push([]);
  }

  #choose(largest: number, byChance: () => number): number {
    const part = this.made.at(-1)!;
    const chosen = this.#given ? Math.min(this.#given[this.made.length - 1]?.[part.length] ?? 0, largest) : byChance();
    if (largest > 0) part.push(chosen);
    return chosen;
  }

  override share(): number {
    return this.#choose(2 ** 32 - 1, () => this.#chance.share() * 2 ** 32) / 2 ** 32;
  }

  override whole(from: number, to: number): number {
    return from + this.#choose(Math.max(0, to - from), () => this.#chance.whole(from, to) - from);
  }

  override odds(chance: number): boolean {
    const isOpen = chance > 0 && chance < 1;
    const isTrue = this.#choose(Number(isOpen), () => Number(this.#chance.odds(chance))) === 1;
    return isOpen ? isTrue : chance >= 1;
  }
}

const parts = fc.array(fc.array(fc.maxSafeNat()));

/**
 * The simplest choices found that still fail: fast-check leaves out and lowers, until that changes nothing or after `limitMs`. `attempt`
 * repeats a case and resolves with the choices that it made, or with null if it does not fail.
 */
export async function shrink(
  failing: Choices,
  attempt: (choices: Choices) => Promise<Choices | null>,
  limitMs = 60_000,
): Promise<Choices> {
  const end = Date.now() + limitMs;
  let best = failing;
  const passes = async (choices: Choices): Promise<boolean> => {
    const made = await attempt(choices);
    if (made !== null) best = made;
    return made === null;
  };
  for (let before = ''; before !== JSON.stringify(best) && Date.now() < end;) {
    before = JSON.stringify(best);
    const examples: [number[][]][] = [[best.map((part) => [...part])]];
    const interruptAfterTimeLimit = Math.max(1, end - Date.now());
    await fc.check(fc.asyncProperty(parts, passes), { examples, numRuns: 1, interruptAfterTimeLimit });
  }
  return best;
}
