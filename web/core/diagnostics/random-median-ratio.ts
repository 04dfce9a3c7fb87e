/**
 * How long a random direction is across a given one, for its part along it. Products, quotients and square roots only, which have the same bits in
 * every engine.
 */

/** The arcsine of x, at most 0.8, by its series. */
function arcsine(x: number): number {
  let [power, sum] = [x, x];
  for (let k = 1; k < 100; k++) {
    power *= (x * x * (2 * k - 1)) / (2 * k);
    sum += power / (2 * k + 1);
  }
  return sum;
}

/**
 * The share of directions in `dimensions`, at least 2, whose |cosine| with a given one is below `cosine`, at most 0.8: the integral of sin(t)^n,
 * n = dimensions - 2, from t = arccos(cosine) to a right angle, divided by that from 0. Integration by parts leads from n - 2 to n with
 * positive terms only.
 */
function shareBelow(cosine: number, dimensions: number): number {
  const square = (1 - cosine) * (1 + cosine);
  const even = dimensions % 2 === 0;
  let part = even ? arcsine(cosine) : cosine;
  let whole = even ? Math.PI / 2 : 1;
  // sin(t)^(n - 1)
  let power = even ? Math.sqrt(square) : square;
  for (let n = even ? 2 : 3; n + 2 <= dimensions; n += 2) {
    part = (cosine * power + (n - 1) * part) / n;
    whole *= (n - 1) / n;
    power *= square;
  }
  return part / whole;
}

/**
 * The median of |h⊥| / |h∥| over random directions: √(d - 1) over the upper quartile of Student's t with d - 1 degrees of freedom. 0 in one
 * dimension.
 */
export function randomMedianRatio(dimensions: number): number {
  if (dimensions < 2) return 0;
  // In the plane the median is at 45°; in more dimensions the cosine is smaller.
  let [low, high] = [0, 0.8];
  for (let halving = 0; halving < 60; halving++) {
    const cosine = (low + high) / 2;
    if (shareBelow(cosine, dimensions) < 0.5) low = cosine;
    else high = cosine;
  }
  return Math.sqrt(1 - low * low) / low;
}
