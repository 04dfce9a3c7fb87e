/** What the page states about the direct paths of its small GPTs, from the stored measurement (Measured in
 * web/elements/direct-path/measure.ts). */
export function pathFacts({ reports }, { pathSteps }) {
  const [tied, untied] = [reports.tied, reports.untied].map((each) => each.at(-1));
  const best = (kind) => Math.max(...reports[kind].map(({ model }) => model.correlation));
  return {
    steps: pathSteps.at(-1),
    tied,
    untied,
    /** How well the whole models agree with the bigrams, at the step where they agree best. */
    peak: { tied: best('tied'), untied: best('untied') },
    bigrams: tied.bigrams,
    chance: tied.chance,
  };
}
