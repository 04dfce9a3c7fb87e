import { rounded } from './rounded.mjs';

/** The recorded run of the figure at the top (`HeroRun` in web/article/hero/run.ts): shares to three digits, since a rare pair is not an impossible one. */
export const heroRun = ({ words, text, steps, frames }) => ({
  words,
  steps,
  story: rounded(text.flat(), 3),
  ...frames,
});
