import { leadsInWords, steadyLeads } from './who-leads.mjs';

/**
 * What the page states about its small GPTs, from its stored run (FinishedTransformerRun in
 * web/elements/training-lab/transformer/finished-run.ts).
 */
export function gptFacts({ settings, bounds, arms, text }) {
  const [tied, untied] = arms.map(({ parameters, matrixShares, heldOut }) => ({
    parameters,
    loss: heldOut.losses.at(-1),
    // One per step; index 0 is step 1.
    outputShares: matrixShares.map((share) => 1 - share),
  }));
  const largest = Math.max(...tied.outputShares);
  const leads = steadyLeads(tied.outputShares.map((share) => (share > 0.5 ? 'output' : 'input')));
  return {
    steps: settings.steps,
    vocabSize: text.vocabSize,
    bigram: bounds.bigram,
    tied,
    untied,
    difference: tied.loss - untied.loss,
    savedShare: 1 - tied.parameters / untied.parameters,
    /** Which part of the tied table's gradient is longer, and when. */
    leads,
    leadsInWords: leadsInWords(leads, tied.outputShares.length, { output: 'writing leads', input: 'reading' }),
    /** The output part's norm as a share of the sum of both norms, in the tied table's gradient. */
    output: {
      step1: tied.outputShares[0],
      last: tied.outputShares.at(-1),
      largest,
      largestStep: tied.outputShares.indexOf(largest) + 1,
    },
  };
}
