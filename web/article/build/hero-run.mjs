import { rounded } from './rounded.mjs';

/** As exact as the figure shows it, in tenths of a percent; a rare pair is not an impossible one. */
const shown = (share) => Number(share < 0.001 ? share.toPrecision(1) : share.toFixed(4));

const frames = (of) => of.map((step) => step.map(shown));

/** The recorded run of the figure at the top (`HeroRun` in web/article/hero/run.ts). */
export const heroRun = ({ words, text, steps, frames: { tied, untied } }) => ({
  words,
  steps,
  story: rounded(text.flat(), 3),
  tied: frames(tied),
  untied: frames(untied),
});
