/** Pairs of tokens that occur mostly in one order. */
import { log1p } from '../runtime/elementary.js';
import type { TokenPair } from './corpus-types.js';
import type { Matrix } from '../types.js';

/**
 * Best first, no token in two pairs, none of `without`. Score, with n_ij the count of the pair and n_i, n_j those of its tokens:
 * ln(1 + n_ij - n_ji) n_ij² / (n_i n_j). O(V²).
 */
export function oneWayPairs(
  counts: Matrix,
  frequencies: ArrayLike<number>,
  count: number,
  without: ReadonlySet<number> = new Set(),
): TokenPair[] {
  const { rows, cols, data } = counts;
  const best: (TokenPair & { score: number })[] = [];
  for (let from = 0; from < rows; from++) {
    if (without.has(from)) continue;
    let found = { from, to: -1, score: 0 };
    for (let to = 0; to < cols; to++) {
      const forward = data[from * cols + to]!;
      const backward = data[to * cols + from]!;
      if (forward <= backward || without.has(to)) continue;
      const together = (forward * forward) / (frequencies[from]! * frequencies[to]!);
      const score = log1p(forward - backward) * together;
      if (score > found.score) found = { from, to, score };
    }
    if (found.to >= 0) best.push(found);
  }
  best.sort((a, b) => b.score - a.score || a.from - b.from);
  const taken = new Set<number>();
  const pairs: TokenPair[] = [];
  for (const { from, to } of best) {
    if (pairs.length === count) break;
    if (taken.has(from) || taken.has(to)) continue;
    taken.add(from).add(to);
    pairs.push({ from, to });
  }
  return pairs;
}
