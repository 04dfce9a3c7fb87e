/**
 * What the answers to the popular claims need besides the core, which the page runs: measured runs, and the published models. Sizes
 * are exact, losses have four decimals.
 */

/**
 * How many models a rule "those below this size tie, the others do not" gets wrong, for the best size there is.
 *
 * @param {readonly { total: number, tied: boolean }[]} models
 */
export function leastWrong(models) {
  const limits = [0, ...models.map(({ total }) => total + 1)];
  return Math.min(...limits.map((limit) => models.filter(({ total, tied }) => total < limit !== tied).length));
}

/** @param {any} facts */
export const claimFacts = ({ accounting }) => ({ leastWrong: leastWrong(accounting.models.list) });

const short = (values) => values.map((value) => Number(value.toFixed(4)));

/** The file that the quiz fetches. @param {any} facts */
export const quizFacts = ({ explorer, toy, experiment, experimentSizes, alignment, accounting }) => ({
  rows: explorer.embedding.map((value) => Number(value.toFixed(4))),
  words: explorer.tokens,
  roundabout: toy.flow.flat(),
  losses: {
    tied: short(experiment.tied.losses),
    tiedWide: short(experiment.tiedWide.losses),
    tiedMap: short(experiment.tiedMap.losses),
    untied: short(experiment.untied.losses),
  },
  parameters: {
    tied: experimentSizes.tied,
    tiedWide: experimentSizes.tiedWide,
    tiedMap: experimentSizes.tiedMap,
    untied: experimentSizes.untied,
  },
  alignment: {
    writing: short(alignment.writing.cosines),
    reading: short(alignment.reading.cosines),
    chance: Number(alignment.writing.chance.toFixed(4)),
  },
  models: accounting.models.list.map(({ name, tied, total }) => ({ name, tied, total })),
});
