/** What the pairs of a text allow if a share of them is read backward, computed from their counts alone. */

/** [size, size], row by row: how often the second follows the first. Rows and columns have the same sums. */
export interface PairCounts {
  readonly size: number;
  readonly counts: Float64Array;
}

/** The pairs of characters of a text that is closed to a circle, so that each is left as often as it is entered. */
export function characterPairs(text: string): PairCounts {
  const characters = [...text];
  const ids = new Map([...new Set(characters)].sort().map((character, id) => [character, id]));
  const size = ids.size;
  const counts = new Float64Array(size * size);
  for (const [at, character] of characters.entries()) {
    const next = characters[(at + 1) % characters.length]!;
    const cell = ids.get(character)! * size + ids.get(next)!;
    counts[cell] = counts[cell]! + 1;
  }
  return { size, counts };
}

/** The pairs with `backward` of them, 0 to 1, read from the second to the first. */
export function mixed({ size, counts }: PairCounts, backward: number): PairCounts {
  const read = new Float64Array(size * size);
  for (let from = 0; from < size; from++) {
    for (let to = 0; to < size; to++) {
      const cell = from * size + to;
      read[cell] = (1 - backward) * counts[cell]! + backward * counts[to * size + from]!;
    }
  }
  return { size, counts: read };
}

export interface Floors {
  readonly unigram: number;
  readonly symmetric: number;
  readonly bigram: number;
}

/** -sum p ln p of the shares p, in nats. */
function entropyOf(counts: Float64Array): number {
  let total = 0;
  for (const count of counts) total += count;
  let entropy = 0;
  for (const count of counts) if (count !== 0) entropy -= (count / total) * Math.log(count / total);
  return entropy;
}

/** Of the second of a pair if the first is known: that of pairs less that of the first. */
const conditional = (pairs: PairCounts): number => entropyOf(pairs.counts) - entropyOf(rowSums(pairs));

const rowSums = ({ size, counts }: PairCounts): Float64Array =>
  Float64Array.from({ length: size }, (_, row) =>
    counts.subarray(row * size, (row + 1) * size).reduce((sum, count) => sum + count, 0),
  );

/**
 * The lowest losses, in nats: without the current token, with symmetric scores, and with any scores. Reading some of the pairs backward
 * changes neither how often each token occurs nor how often two are neighbors, so it moves only the last.
 */
export function floorsOf(pairs: PairCounts, backward: number): Floors {
  return {
    unigram: entropyOf(rowSums(pairs)),
    symmetric: conditional(mixed(pairs, 1 / 2)),
    bigram: conditional(mixed(pairs, backward)),
  };
}

/**
 * The floors at so many places, an odd number, from all forward to all backward. In the middle the bigram floor is the symmetric one, and
 * both halves mirror each other.
 */
export function floorsAlong(pairs: PairCounts, places: number): Floors[] {
  const middle = (places - 1) / 2;
  const unigram = entropyOf(rowSums(pairs));
  const half = Array.from(
    { length: middle + 1 },
    (_, at) => entropyOf(mixed(pairs, at / (places - 1)).counts) - unigram,
  );
  return Array.from({ length: places }, (_, at) => ({
    unigram,
    symmetric: half[middle]!,
    bigram: half[Math.min(at, places - 1 - at)]!,
  }));
}
