import { steadyLeads } from './who-leads.mjs';

const meanOf = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Writing's share between its lead at the start and the lead that lasts to the end; null without two such leads. */
function evenStretch(shares) {
  const leads = steadyLeads(shares.map((share) => (share > 0.5 ? 'output' : 'input')));
  const [first, last] = [leads[0], leads.at(-1)];
  const lasts = first?.role === 'output' && last?.role === 'output' && first.from === 1 && last.to === shares.length;
  if (!lasts || first === last) return null;
  return { from: first.to + 1, to: last.from - 1, mean: meanOf(shares.slice(first.to, last.from - 1)) };
}

/** The measurement at which one table is furthest behind two. */
function furthestApart(tied, untied) {
  const gaps = tied.losses.map((loss, at) => loss - untied.losses[at]);
  const at = gaps.indexOf(Math.max(...gaps));
  return { step: tied.steps[at], tied: tied.losses[at], untied: untied.losses[at] };
}

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
  return {
    steps: settings.steps,
    vocabSize: text.vocabSize,
    width: settings.dModel,
    bigram: bounds.bigram,
    tied,
    untied,
    difference: tied.loss - untied.loss,
    furthestApart: furthestApart(arms[0].heldOut, arms[1].heldOut),
    /** The output part's norm as a share of the sum of both norms, in the tied table's gradient. */
    output: {
      step1: tied.outputShares[0],
      last: tied.outputShares.at(-1),
      largest,
      largestStep: tied.outputShares.indexOf(largest) + 1,
      even: evenStretch(tied.outputShares),
    },
  };
}
