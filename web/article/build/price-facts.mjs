/**
 * How much of the price of symmetry is chance: a short text has few pairs in both orders even if its tokens are in random order.
 */

/** How many random orders of a text are averaged. */
const orders = 10;

/** Uniform in [0, 1), Marsaglia's xorshift of 32 bits. */
function randomNumbers(seed) {
  let state = seed;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}

function shuffled(ids, random) {
  const result = ids.slice();
  for (let last = result.length - 1; last > 0; last--) {
    const other = Math.floor(random() * (last + 1));
    [result[last], result[other]] = [result[other], result[last]];
  }
  return result;
}

/**
 * In nats: the price that the same tokens have in random order, and the price on held-out pairs (each pair is told from its reverse by
 * means of all the others), where random orders have 0 or less.
 */
export function priceFacts(core, { ids, tokens, counts }) {
  const random = randomNumbers(1);
  let sum = 0;
  for (let order = 0; order < orders; order++) {
    const { symmetricLogits, bigram } = core.bigramBounds(core.bigrams(shuffled(ids, random), tokens.length).counts);
    sum += symmetricLogits - bigram;
  }
  return { shuffled: sum / orders, heldOut: core.irreversibility(counts, { nullRuns: 2 }).heldOut };
}
