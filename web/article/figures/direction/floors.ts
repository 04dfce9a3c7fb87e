/** What the pairs of a text allow if a share of them is read backward, computed from their counts alone. */

/** [size, size], row by row: how often the second follows the first. Rows and columns have the same sums. */
export interface PairTable {
  readonly size: number;
  readonly counts: Float64Array;
}

/** The pairs of characters of a text that is closed to a circle, so that each is left as often as it is entered. */
export function characterPairs(text: string): PairTable {
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
export function mixed({ size, counts }: PairTable, backward: number): PairTable {
  const other = (cell: number): number => counts[(cell % size) * size + Math.floor(cell / size)]!;
  return { size, counts: counts.map((count, cell) => (1 - backward) * count + backward * other(cell)) };
}

export interface Floors {
  readonly unigram: number;
  readonly symmetric: number;
  readonly bigram: number;
}

/** -sum p ln p of the shares p, in nats. */
function entropyOf(counts: Float64Array): number {
  const total = counts.reduce((sum, count) => sum + count, 0);
  return counts.reduce((sum, count) => (count === 0 ? sum : sum - (count / total) * Math.log(count / total)), 0);
}

/** Of the second of a pair if the first is known: that of pairs less that of the first. */
const conditional = (pairs: PairTable): number => entropyOf(pairs.counts) - entropyOf(rowSums(pairs));

const rowSums = ({ size, counts }: PairTable): Float64Array =>
  Float64Array.from({ length: size }, (_, row) =>
    counts.subarray(row * size, (row + 1) * size).reduce((sum, count) => sum + count, 0),
  );

/**
 * The lowest losses, in nats: without the current token, with symmetric scores, and with any scores. Reading some of the pairs backward
 * changes neither how often each token occurs nor how often two are neighbors, so it moves only the last.
 */
export function floorsOf(pairs: PairTable, backward: number): Floors {
  return {
    unigram: entropyOf(rowSums(pairs)),
    symmetric: conditional(mixed(pairs, 1 / 2)),
    bigram: conditional(mixed(pairs, backward)),
  };
}
