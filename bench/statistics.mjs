// Statistics over rounds.

/** The quantile of the values at `share` (0 to 1), interpolated between two values. Undefined for none. */
export function quantile(values, share) {
  const sorted = values.filter(Number.isFinite).sort((a, b) => a - b);
  if (sorted.length === 0) return undefined;
  const place = share * (sorted.length - 1);
  const below = sorted[Math.floor(place)];
  return below + (place - Math.floor(place)) * (sorted[Math.ceil(place)] - below);
}

export const median = (values) => quantile(values, 0.5);

/**
 * Quotients of the values of the same rounds: `numerators` and `denominators` are Maps from round to value. Rounds that
 * only one of them has are left out.
 */
export function ratiosByRound(numerators, denominators) {
  return [...numerators]
    .filter(([round]) => denominators.has(round))
    .map(([round, value]) => value / denominators.get(round));
}

// Noise, from comparing a program with itself: over 66 pairs of cases and builds, the median of five rounds was off by
// more than 1% in 8 and by more than 2% in one (2.1%), mostly in Chromium, where two instances have different memory
// addresses.
const leastChange = 0.03;
const leastRounds = 3;

/**
 * What ratios of rounds (before / after, so that more than 1 is faster) say: { ratio, low, high, verdict } with the
 * median and the 10th and 90th percentile. A change counts if both percentiles are on the same side of 1 and the median
 * is at least 3% away from it.
 */
export function comparison(ratios) {
  const [low, ratio, high] = [0.1, 0.5, 0.9].map((share) => quantile(ratios, share));
  let verdict = 'same';
  if (ratios.length >= leastRounds && low > 1 && ratio >= 1 + leastChange) verdict = 'faster';
  if (ratios.length >= leastRounds && high < 1 && ratio <= 1 - leastChange) verdict = 'slower';
  return { ratio, low, high, verdict };
}
