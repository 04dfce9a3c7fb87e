/**
 * What the page states about its small GPTs, from the run that it keeps (FinishedTransformerRun in
 * web/elements/training-lab/transformer/finished-run.ts).
 */
export function gptFacts({ settings, bounds, arms, text }) {
  const [tied, untied] = arms.map(({ parameters, matrixShares, heldOut }) => ({
    parameters,
    loss: heldOut.losses.at(-1),
    // Of every step, the first is step 1.
    outputShares: matrixShares.map((share) => 1 - share),
  }));
  const at = (step) => tied.outputShares[step - 1];
  const largest = Math.max(...tied.outputShares);
  return {
    steps: settings.steps,
    vocabSize: text.vocabSize,
    dModel: settings.dModel,
    layers: settings.nLayers,
    contextLength: settings.contextLength,
    bigram: bounds.bigram,
    tied,
    untied,
    difference: tied.loss - untied.loss,
    savedShare: 1 - tied.parameters / untied.parameters,
    /** Shares of the output role in the gradient of the tied table. */
    output: {
      step1: at(1),
      step10: at(10),
      step20: at(20),
      step100: at(100),
      last: tied.outputShares.at(-1),
      largest,
      largestStep: tied.outputShares.indexOf(largest) + 1,
    },
  };
}
