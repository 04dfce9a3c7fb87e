/** Enough digits for the drawing and for three or four printed decimals. */
const rounded = (value) => Number(value.toPrecision(6));

/**
 * The training lab's default run, in the form of the lab's property `finished` (FinishedRun in
 * web/elements/training-lab/finished-run.ts).
 */
export function finishedRun({ unigram, bigram, symmetricLogits, shownTokens, arms }, { builtInTexts, defaultSettings }) {
  return {
    textSource: builtInTexts[0].id,
    settings: defaultSettings,
    bounds: { unigram, bigram, symmetricLogits },
    tokens: shownTokens,
    arms: arms.map(({ tying, losses, loss, probabilities }) => ({
      tying,
      // A run records the loss before each step; the last loss was measured after it.
      losses: [...losses, loss].map(rounded),
      // Four decimals: far less than a shade or a pixel.
      probabilities: probabilities.map((value) => Number(value.toFixed(4))),
    })),
  };
}
