import { draw } from '../roundabout/walk.js';

/** Chains of words: each word depends on the one before it alone. */

/** [from] -> to -> how often. Rows and columns have the same sums. */
export type Pairs = readonly ReadonlyMap<number, number>[];

const emptyPairs = (size: number): Map<number, number>[] => Array.from({ length: size }, () => new Map());

const add = (row: Map<number, number>, to: number, count: number): unknown => row.set(to, (row.get(to) ?? 0) + count);

/** The pairs of neighbors in a list that is closed to a circle, so that each word is left as often as it is entered. */
export function pairsOf(ids: readonly number[], size: number): Pairs {
  const pairs = emptyPairs(size);
  for (const [at, from] of ids.entries()) add(pairs[from]!, ids[(at + 1) % ids.length]!, 1);
  return pairs;
}

/** Every pair counted in both orders: the chain of the best symmetric scores. */
export function bothWays(pairs: Pairs): Pairs {
  const sums = emptyPairs(pairs.length);
  for (const [from, row] of pairs.entries()) {
    for (const [to, count] of row) {
      add(sums[from]!, to, count);
      add(sums[to]!, from, count);
    }
  }
  return sums;
}

const sumOf = (row: ReadonlyMap<number, number>): number => {
  let sum = 0;
  for (const count of row.values()) sum += count;
  return sum;
};

/** A piece of an endless text from the chain. */
export function lineFrom(pairs: Pairs, length: number, random: () => number): number[] {
  const line = [draw(pairs.map(sumOf), random)];
  while (line.length < length) {
    const row = pairs[line.at(-1)!]!;
    line.push([...row.keys()][draw([...row.values()], random)]!);
  }
  return line;
}

/** The logarithm, to base 10, of a line's probability in an endless text from the chain; -Infinity: it never occurs. */
export function logProbability(pairs: Pairs, line: readonly number[]): number {
  const all = pairs.reduce((sum, row) => sum + sumOf(row), 0);
  const [first, ...others] = line;
  let from = first!;
  let log = Math.log10(sumOf(pairs[from]!) / all);
  for (const to of others) {
    log += Math.log10((pairs[from]!.get(to) ?? 0) / sumOf(pairs[from]!));
    from = to;
  }
  return log;
}
