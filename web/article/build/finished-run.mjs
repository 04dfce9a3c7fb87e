/** Enough digits for the drawing and for three or four printed decimals. */
const rounded = (value) => Number(value.toPrecision(6));

/** The text of that run as the figure draws it, opened by the figure's own code. */
export async function textOfRun(lab, { shownTokens }, inputs) {
  const [from, to] = shownTokens;
  const { builtInTexts, commonStrings, defaultSettings, directPathPlan, finishedText, loadBuiltIn, mapped, openText } = inputs;
  const text = await openText(lab, {
    ...directPathPlan,
    settings: defaultSettings,
    source: { kind: 'built-in', id: builtInTexts[0].id },
    loadBuiltIn,
    names: commonStrings,
    onStage: () => undefined,
    signal: new AbortController().signal,
  });
  const found = finishedText(await mapped(text, { from, to }));
  text.corpus.dispose();
  return found;
}

/**
 * The training lab's default run, in the form of the lab's property `finished` (FinishedRun in
 * web/elements/training-lab/finished-run.ts).
 */
export function finishedRun({ unigram, bigram, symmetricLogits, shownTokens, arms }, { builtInTexts, defaultSettings }, text) {
  return {
    text,
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
