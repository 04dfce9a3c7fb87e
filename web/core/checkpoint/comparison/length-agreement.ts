/** For tables of different shapes, whose rows cannot be compared: compares the lengths of rows with the same token string. */
import type { LengthAgreement } from './comparison-types.js';

export const LEAST_SHARED = 2;

/** Ids of the strings that both have, as [one, other], in the order of the first. If a string occurs twice, its first id counts. */
export function sharedIds(one: readonly string[], other: readonly string[]): [number, number][] {
  const ids = new Map<string, number>();
  for (let id = other.length - 1; id >= 0; id--) ids.set(other[id]!, id);
  const pairs: [number, number][] = [];
  one.forEach((token, id) => {
    const found = ids.get(token);
    if (found === undefined) return;
    ids.delete(token);
    pairs.push([id, found]);
  });
  return pairs;
}

/** `pairs`: at least two. */
export function lengthAgreement(
  one: Float32Array,
  other: Float32Array,
  pairs: readonly (readonly [number, number])[],
): LengthAgreement {
  const [a, b] = [ranksOf(pairs.map(([id]) => one[id]!)), ranksOf(pairs.map(([, id]) => other[id]!))];
  const middle = (pairs.length - 1) / 2;
  let [product, first, second] = [0, 0, 0];
  a.forEach((rank, i) => {
    const [x, y] = [rank - middle, b[i]! - middle];
    product += x * y;
    first += x * x;
    second += y * y;
  });
  return {
    tokens: pairs.length,
    rankCorrelation: product / Math.sqrt(first * second),
    deviation: 1 / Math.sqrt(pairs.length - 1),
  };
}

/** Ranks from 0; equal values share the mean of their ranks. */
function ranksOf(values: readonly number[]): Float64Array {
  const order = values.map((_, i) => i).sort((i, j) => values[i]! - values[j]! || i - j);
  const ranks = new Float64Array(values.length);
  for (let from = 0; from < order.length;) {
    let to = from + 1;
    while (to < order.length && values[order[to]!] === values[order[from]!]) to++;
    for (let i = from; i < to; i++) ranks[order[i]!] = (from + to - 1) / 2;
    from = to;
  }
  return ranks;
}
