import { cos, exp, hypot, log, sin } from '../../../core/runtime/elementary.js';
import { chancesOf, scoresOf, type Arrows, type Chain } from './chain.js';

/** The second task's table: a row for each letter. The reader moves the first and the last; the others follow. */

export const letters: readonly string[] = [...'abcdefghijklmnopqrstuvwxyz'];

/** The arrows of the first letter and of the last. */
export type Road = readonly [first: Arrows[number], last: Arrows[number]];

/** How far they reach. */
export const roadReach = 50;

/** No arrow is shorter, so that ratios of lengths are numbers. */
const shortest = 0.1;

/** Against the clock from one arrow to the other, in radians: 0 up to a full turn. */
function turnBetween([x, y]: Arrows[number], [u, v]: Arrows[number]): number {
  const angle = Math.atan2(x * v - y * u, x * u + y * v);
  return angle < 0 ? angle + 2 * Math.PI : angle;
}

/** Each row is turned and lengthened as the one before, so the tips lie on a spiral from the first to the last. */
export function rowsOf([first, last]: Road): Arrows {
  const steps = letters.length - 1;
  const lengthOf = ([x, y]: Arrows[number]): number => Math.max(shortest, hypot(x, y));
  const longer = log(lengthOf(last) / lengthOf(first)) / steps;
  const turn = turnBetween(first, last) / steps;
  return letters.map((_, k) => {
    if (k === steps) return last;
    const [c, s, times] = [cos(k * turn), sin(k * turn), exp(k * longer)];
    return [times * (c * first[0] - s * first[1]), times * (s * first[0] + c * first[1])] as const;
  });
}

/** Names nearer to each other than this could not be read. */
const nearest = 3.4;

/** The letters whose tips are far enough from that of the last such letter before. */
export function apart(rows: Arrows): ReadonlySet<number> {
  const named = [0];
  rows.forEach(([x, y], letter) => {
    const [u, v] = rows[named.at(-1)!]!;
    if (hypot(x - u, y - v) >= nearest) named.push(letter);
  });
  return new Set(named);
}

/** A letter's share is proportional to its row's total of exponentials, as scores are symmetric: no sum of products over 26 tokens. */
export function roadChain(road: Road): Chain {
  const scores = scoresOf(rowsOf(road));
  const totals = scores.map((row) => {
    const largest = Math.max(...row);
    return largest + log(row.reduce((sum, score) => sum + exp(score - largest), 0));
  });
  return { next: scores.map(chancesOf), share: chancesOf(totals) };
}

/** How often each letter but the last is followed by the next one of the alphabet. */
export const nextLetters = ({ next }: Chain): readonly number[] =>
  next.slice(0, -1).map((row, letter) => row[letter + 1]!);

/** The letter after which the next one is least likely. */
export function weakestStep(chain: Chain): number {
  const steps = nextLetters(chain);
  return steps.indexOf(Math.min(...steps));
}
