/**
 * How often tokens follow themselves. In the text of any tied direct path, P(i|i) ≥ π_i: each token follows itself at least as often
 * as it occurs. So the text of a path that uses the tokens as often as a given text repeats at least Σ π_i² of them.
 */

/** Tokens that are no words: the stand-in for rarer words, and line breaks. */
const standIn = '<unk>';

/** @param {{ tokens: readonly string[], table: ReturnType<typeof import('./bigram-table.mjs').bigramTable> }} read */
export function repeatingFacts({ tokens, table }) {
  const { total, count, frequency, repeats } = table;
  const occurring = tokens.map((_, id) => id).filter((id) => frequency(id) > 0);
  const enough = occurring.filter((id) => table.conditional(id, id) >= frequency(id));
  const never = occurring.filter((id) => count(id, id) === 0);
  const commonest = occurring
    .filter((id) => /^[A-Za-z]+$/.test(tokens[id]))
    .reduce((one, other) => (frequency(other) > frequency(one) ? other : one));
  return {
    tokens: occurring.length,
    /** Tokens that follow themselves less often than they occur. */
    below: occurring.length - enough.length,
    never: never.length,
    repeats: repeats(),
    needed: occurring.reduce((sum, id) => sum + frequency(id) ** 2, 0),
    /** The commonest word, how often it has to follow itself, and how often it does. */
    word: tokens[commonest],
    wordNeeded: frequency(commonest),
    wordRepeats: count(commonest, commonest),
    /** Repetitions of the stand-in for rarer words. */
    standIns: tokens.includes(standIn) ? count(tokens.indexOf(standIn), tokens.indexOf(standIn)) / total : 0,
    others: occurring.filter((id) => count(id, id) > 0).map((id) => tokens[id]),
  };
}

/** Three arrows in the plane, of which New predicts York although neither New nor York is likely to repeat. */
const arrows = { rows: 3, cols: 2, data: Float32Array.of(1, 0, 5, 3, 0, 20) };

export function oddsExample(core, probabilitiesOf) {
  const [afterNew, afterYork] = probabilitiesOf(core.directPath({ embedding: arrows }));
  return {
    yorkAfterNew: afterNew[1],
    newAfterNew: afterNew[0],
    newAfterYork: afterYork[0],
    yorkAfterYork: afterYork[1],
  };
}

/**
 * A shared table that recites the alphabet: rows e_i = 3 · 2.5^i (u_i + u_(i+1)), so that each letter's row scores the next one higher
 * than itself. The loss of the alphabet, forwards and backwards, and the geometric mean of the probabilities that it gives to the next letter.
 */
export function alphabetFacts(core) {
  const letters = 26;
  const data = new Float32Array(letters * (letters + 1));
  for (let i = 0; i < letters; i++) data.fill(3 * 2.5 ** i, i * (letters + 2), i * (letters + 2) + 2);
  const forwards = Uint32Array.from({ length: letters }, (_, i) => i);
  const trainer = core.createTrainer({
    model: { kind: 'direct-path', vocabSize: letters, dModel: letters + 1, tying: 'tied' },
    training: { learningRate: 0.1, batchSize: 4, seed: 1 },
    tokenIds: forwards,
  });
  trainer.setMatrix('embedding', { rows: letters, cols: letters + 1, data });
  const loss = trainer.evaluate(forwards).loss;
  const backwards = trainer.evaluate(forwards.toReversed()).loss;
  trainer.dispose();
  return { letters, loss, backwards, probability: Math.exp(-loss) };
}
