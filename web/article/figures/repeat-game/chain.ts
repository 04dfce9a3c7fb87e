import { cos, exp, sin } from '../../../core/runtime/elementary.js';

/** What arrows say: the chain of tokens that a direct path of their table writes. Pure arithmetic, in double precision. */

/** One arrow per token. */
export type Arrows = readonly (readonly [x: number, y: number])[];

export type Square = readonly (readonly number[])[];

/** A Markov chain. */
export interface Chain {
  /** P(j | i), by row i. */
  readonly next: Square;
  /** How often each token occurs in a long text of the chain. */
  readonly share: readonly number[];
}

/** The arrow, turned against the clock by an angle in degrees. Exact where the turn leads to another axis. */
export function turned([x, y]: readonly [number, number], degrees: number): readonly [number, number] {
  const quarters = degrees / 90;
  const angle = (degrees * Math.PI) / 180;
  const [c, s] = Number.isInteger(quarters)
    ? ([
        [1, 0],
        [0, 1],
        [-1, 0],
        [0, -1],
      ][((quarters % 4) + 4) % 4] as [number, number])
    : [cos(angle), sin(angle)];
  return [c * x - s * y, s * x + c * y];
}

/** A_ij = e_i · M e_j, where the map M turns by an angle; without a turn, the scores of a shared table alone. */
export function scoresOf(arrows: Arrows, turn = 0): Square {
  const writing = arrows.map((arrow) => turned(arrow, turn));
  return arrows.map(([x, y]) => writing.map(([u, v]) => x * u + y * v));
}

/** The softmax of a row of scores. */
export function chancesOf(row: readonly number[]): number[] {
  const largest = Math.max(...row);
  const powers = row.map((score) => exp(score - largest));
  const total = powers.reduce((sum, power) => sum + power, 0);
  return powers.map((power) => power / total);
}

/**
 * The shares of three tokens: π_i is proportional to the sum, over the three ways in which both others lead to i, of the products
 * of their probabilities (the Markov chain tree theorem). Only sums of products of positive numbers, so no digits cancel.
 */
function sharesOf(next: Square): number[] {
  const weights = next.map((_, i) => {
    const [j, k] = [(i + 1) % 3, (i + 2) % 3];
    const [ji, ki, jk, kj] = [next[j]![i]!, next[k]![i]!, next[j]![k]!, next[k]![j]!];
    return ji * ki + jk * ki + kj * ji;
  });
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return weights.map((weight) => weight / total);
}

/** Scores of three tokens as a chain. Products of two probabilities must not vanish: scores of a row at most 350 apart. */
export function chainOf(scores: Square): Chain {
  const next = scores.map(chancesOf);
  return { next, share: sharesOf(next) };
}

/** A well-mixed number from 0 up to 1 for each place of a text. */
function chanceAt(place: number): number {
  let bits = Math.imul(place + 1, 0x9e3779b1);
  bits = Math.imul(bits ^ (bits >>> 16), 0x21f0aaad);
  bits = Math.imul(bits ^ (bits >>> 15), 0x735a2d97);
  return ((bits ^ (bits >>> 15)) >>> 0) / 2 ** 32;
}

/** The beginning of a text of the chain, from its first token on. The same chances for every chain, so it changes only where it must. */
export function textOf({ next }: Chain, length: number): number[] {
  const text = [0];
  while (text.length < length) {
    const row = next[text.at(-1)!]!;
    let chance = chanceAt(text.length);
    const drawn = row.findIndex((share) => (chance -= share) < 0);
    text.push(drawn === -1 ? row.length - 1 : drawn);
  }
  return text;
}
