/** A walk along the arrows of a chain, which can be played forward and backward like a film. */

/** [from][to]: the share of all steps of an endless walk. Rows and columns have the same sums. */
export type Joint = readonly (readonly number[])[];

export type Direction = 'forward' | 'backward';

export interface Step {
  readonly from: number;
  readonly to: number;
}

/** The length of a trail at rest, in words. */
export const trailLength = 12;

/** The walks at rest have gone this far; their starts are recorded in the page. */
export const restingWalk = { seed: 6, steps: trailLength } as const;

/** An index drawn with a probability in proportion to its weight. */
export function draw(weights: readonly number[], random: () => number): number {
  let left = random() * weights.reduce((sum, weight) => sum + weight, 0);
  for (const [index, weight] of weights.entries()) {
    left -= weight;
    if (left < 0) return index;
  }
  // Only rounding leads here.
  return weights.findIndex((weight) => weight > 0);
}

/**
 * The film: what has been played before is played again, and beyond its ends the walk goes on. Into the past it goes by the chain read
 * backward, from j to i with the probability J[i][j] over the share of j, so both ends look like any other part of it.
 */
export class Walk {
  readonly #joint: Joint;
  readonly #random: () => number;
  readonly #film: number[];
  #at = 0;

  constructor(joint: Joint, random: () => number, steps: number) {
    this.#joint = joint;
    this.#random = random;
    this.#film = [0];
    for (let step = 0; step < steps; step++) this.advance('forward');
  }

  get current(): number {
    return this.#film[this.#at]!;
  }

  advance(direction: Direction): Step {
    const from = this.current;
    if (direction === 'forward') {
      this.#at += 1;
      if (this.#at === this.#film.length) this.#film.push(draw(this.#joint[from]!, this.#random));
    } else if (this.#at > 0) {
      this.#at -= 1;
    } else {
      const before = this.#joint.map((row) => row[from]!);
      this.#film.unshift(draw(before, this.#random));
    }
    return { from, to: this.current };
  }

  /** The last tokens of the film up to now, in the order in which they are played in this direction. */
  trail(direction: Direction): number[] {
    const { length } = this.#film;
    return direction === 'forward'
      ? this.#film.slice(Math.max(0, this.#at + 1 - trailLength), this.#at + 1)
      : this.#film.slice(this.#at, Math.min(length, this.#at + trailLength)).reverse();
  }
}

/** Steps the way of New, York, City, and the other way; a repetition is neither. */
export interface Turns {
  readonly clockwise: number;
  readonly counterclockwise: number;
}

export const noTurns: Turns = { clockwise: 0, counterclockwise: 0 };

export function turned({ clockwise, counterclockwise }: Turns, { from, to }: Step): Turns {
  return {
    clockwise: clockwise + Number(to === (from + 1) % 3),
    counterclockwise: counterclockwise + Number(from === (to + 1) % 3),
  };
}
