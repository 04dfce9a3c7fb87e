/** The gradients of two small GPTs during training, which the figure shows before the reader trains any. */
import { rounded } from './rounded.mjs';

/** @param {{ lab: any, inputs: any }} options */
export async function ledgerFacts({ lab, inputs }) {
  const { furthestAhead, gradientLedgerSettings, measureLedgers, shownSteps, writingShare } = inputs;
  const listening = { signal: new AbortController().signal, onProgress: () => undefined };
  const finished = rounded(await measureLedgers(lab, gradientLedgerSettings.seed.initial, listening), 6);
  const { tied, untied } = finished.reports;
  const rows = shownSteps.map((step, index) => ({
    step,
    writing: { tied: writingShare(tied[index], 'token'), untied: writingShare(untied[index], 'token') },
    reach: { tied: tied[index].reach.share, untied: untied[index].reach.share },
  }));
  const reached = rows.flatMap(({ reach }) => [reach.tied, reach.untied]);
  return {
    finished,
    tokens: tied[0].tokens,
    rows,
    peak: rows[furthestAhead(finished, 'token')],
    reach: { least: Math.min(...reached), most: Math.max(...reached), chance: tied[0].reach.chance },
  };
}
