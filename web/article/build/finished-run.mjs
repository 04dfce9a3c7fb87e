/** Enough for what is drawn and for the three or four decimals that are told. */
const rounded = (value) => Number(value.toPrecision(6));

/**
 * The training lab's default run, as its property `finished` takes it (FinishedRun in
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
      // The losses of a run are those before its steps; the last one was measured after it.
      losses: [...losses, loss].map(rounded),
      // Four decimals: far less than a shade or a pixel.
      probabilities: probabilities.map((value) => Number(value.toFixed(4))),
    })),
  };
}
