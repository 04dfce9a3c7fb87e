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

/**
 * The pair that shows one-way order best: often seen, never or seldom the other way round, and each token mostly
 * in the other's company ("New York" rather than "of the"). Score: (n_ij - n_ji) n_ij² / (n_i n_j), with n_ij the
 * count of the pair and n_i, n_j those of its tokens. Only `candidates` are looked at; `null` where none occurs.
 */
export function mostLopsidedPair(counts: Matrix, frequencies: Float64Array, candidates: Uint32Array): Pair | null {
  let best: Pair | null = null;
  let bestScore = 0;
  for (const from of candidates) {
    for (const to of candidates) {
      if (from === to) continue;
      const forward = counts.data[from * counts.cols + to] ?? 0;
      const backward = counts.data[to * counts.cols + from] ?? 0;
      if (forward <= backward) continue;
      const score = ((forward - backward) * forward * forward) / ((frequencies[from] ?? 1) * (frequencies[to] ?? 1));
      if (score > bestScore) {
        bestScore = score;
        best = { from, to };
      }
    }
  }
  return best;
}
