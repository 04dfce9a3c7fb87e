/** Differences between the runs of two models that share seeds, with the 95% interval of their mean (Student's t). */

/** The t that Student's t stays within, in either direction, with a probability of 95%, for so many runs. */
const quantiles = { 2: 12.7062047, 3: 4.3026527, 4: 3.1824463, 5: 2.7764451 };

/** @param {readonly number[]} bySeed */
export function intervalOf(bySeed) {
  const quantile = quantiles[bySeed.length];
  if (quantile === undefined) throw new Error(`There is no interval for ${bySeed.length} runs`);
  const mean = bySeed.reduce((sum, value) => sum + value, 0) / bySeed.length;
  const variance = bySeed.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (bySeed.length - 1);
  const halfWidth = quantile * Math.sqrt(variance / bySeed.length);
  return { bySeed, mean, halfWidth, runs: bySeed.length, shown: Math.abs(mean) > halfWidth };
}
