import type { Matrix } from '../../core/types.js';

/** How often each token occurs, [V]. */
export function tokenFrequencies(tokenIds: Uint32Array, vocabSize: number): Float64Array {
  const frequencies = new Float64Array(vocabSize);
  for (const id of tokenIds) frequencies[id] = (frequencies[id] ?? 0) + 1;
  return frequencies;
}

/** Ids of the `most` most frequent tokens that occur at all, most frequent first, ties by id. */
export function mostFrequent(frequencies: Float64Array, most: number): Uint32Array {
  const ids = Array.from(frequencies.keys()).filter((id) => (frequencies[id] ?? 0) > 0);
  ids.sort((a, b) => (frequencies[b] ?? 0) - (frequencies[a] ?? 0) || a - b);
  return Uint32Array.from(ids.slice(0, most));
}

export interface Pair {
  from: number;
  to: number;
}

/** A pair by its tokens, which another text may have under other ids. */
export interface PairNames {
  readonly from: string;
  readonly to: string;
}

/**
 * Pairs that show one-way order, best first, no token in two of them: often seen, never or seldom the other way
 * round, and each token mostly in the other's company ("New York" rather than "of the"). Score, with n_ij the count of
 * the pair and n_i, n_j those of its tokens: ln(1 + n_ij - n_ji) n_ij² / (n_i n_j). Never one of `without`. O(V²).
 */
export function oneWayPairs(
  counts: Matrix,
  frequencies: Float64Array,
  most: number,
  without: readonly number[] = [],
): Pair[] {
  const { rows, cols, data } = counts;
  const best: (Pair & { score: number })[] = [];
  for (let from = 0; from < rows; from += 1) {
    if (without.includes(from)) continue;
    let found = { from, to: -1, score: 0 };
    for (let to = 0; to < cols; to += 1) {
      const forward = data[from * cols + to] ?? 0;
      const backward = data[to * cols + from] ?? 0;
      if (forward <= backward || without.includes(to)) continue;
      const together = (forward * forward) / ((frequencies[from] ?? 1) * (frequencies[to] ?? 1));
      const score = Math.log1p(forward - backward) * together;
      if (score > found.score) found = { from, to, score };
    }
    if (found.to >= 0) best.push(found);
  }
  best.sort((a, b) => b.score - a.score || a.from - b.from);
  const taken = new Set<number>();
  const pairs: Pair[] = [];
  for (const { from, to } of best) {
    if (pairs.length === most) break;
    if (taken.has(from) || taken.has(to)) continue;
    taken.add(from).add(to);
    pairs.push({ from, to });
  }
  return pairs;
}

/** How the tokens of the maps are chosen and ordered. */
export type TokenOrder = 'one-way' | 'frequency';

export interface KeptTokens {
  /** Ids, most frequent first. */
  ids: Uint32Array;
  /** Positions in `ids` in the order in which they are drawn. */
  orders: Record<TokenOrder, readonly number[]>;
}

/** The tokens worth drawing: those of one-way pairs, side by side, and the most frequent ones; `most` in all. */
export function keepTokens(pairs: readonly Pair[], frequencies: Float64Array, most: number): KeptTokens {
  // A pair may be a token and itself.
  const paired = [...new Set(pairs.flatMap(({ from, to }) => [from, to]))].slice(0, most - (most % 2));
  const chosen = new Set(paired);
  for (const id of mostFrequent(frequencies, most)) if (chosen.size < most) chosen.add(id);
  const ids = mostFrequent(frequencies, frequencies.length).filter((id) => chosen.has(id));
  const position = new Map(Array.from(ids, (id, at) => [id, at]));
  const everyPosition = Array.from(ids.keys());
  const oneWay = new Set(paired.map((id) => position.get(id) ?? 0));
  return {
    ids,
    orders: {
      'one-way': [...oneWay, ...everyPosition.filter((at) => !oneWay.has(at))],
      frequency: everyPosition,
    },
  };
}
