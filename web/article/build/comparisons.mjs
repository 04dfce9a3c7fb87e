/** Comparisons that checks of sentences share. */
export const increasing = (...values) => values.every((value, index) => index === 0 || value > values[index - 1]);
export const all = (bySeed, test) => bySeed.every(test);
/** All runs of one model end above all runs of another. */
export const above = (high, low) => high.least > low.most;
