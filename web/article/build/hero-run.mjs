import { rounded } from './rounded.mjs';

/** As exact as the figure shows it (`percent` in web/article/hero/run.ts), since all of it is in the first view; a rare pair is not an impossible one. */
const shown = (share) => (share === 0 ? 0 : share < 0.001 ? 0.0005 : Number(share.toFixed(share < 0.0995 ? 3 : 2)));

const frames = (of) => of.map((step) => step.map(shown));

/** The recorded run of the figure at the top (`HeroRun` in web/article/hero/run.ts). */
export const heroRun = ({ words, text, steps, frames: { tied, untied } }) => ({
  words,
  steps,
  story: rounded(text.flat(), 3),
  tied: frames(tied),
  untied: frames(untied),
});
