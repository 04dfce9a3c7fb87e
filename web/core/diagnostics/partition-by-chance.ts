/** The theoretical `partition` of a table of noise. Shuffling the rows does not change it, so it cannot be measured that way. */
import { cos, exp, log, log1p, sin, sinh, square } from '../runtime/elementary.js';

/** Angles at which the Marchenko-Pastur law is summed. */
const ANGLES = 4096;
/** The mean of the largest of many values is the point at which the probability that all are below it is e^(-e^(-γ)); γ is Euler's constant. */
const ALL_BELOW = -0.5614594835668851;
const BISECTIONS = 60;

/** ln(1 - erfc(x)) for x > 0, to 2e-7 of erfc (Abramowitz and Stegun, 7.1.26). */
function logErf(x: number): number {
  const t = 1 / (1 + 0.3275911 * x);
  const polynomial = t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))));
  return log1p(-polynomial * exp(-x * x));
}

/**
 * Quantiles of the eigenvalues of EᵀE / rows for independent normal entries of variance 1, descending: as many as are nonzero. With m and
 * M the smaller and the larger of rows and columns, the law has λ = (m + M + 2 √(m M) cos θ) / rows with a density of sin² θ / λ in θ
 * (Marchenko and Pastur, 1967).
 */
function eigenvalues(rows: number, cols: number): number[] {
  const count = Math.min(rows, cols);
  const found: number[] = [];
  const at = Array.from({ length: ANGLES }, (_, i) => {
    const angle = ((i + 0.5) * Math.PI) / ANGLES;
    const value = (rows + cols + 2 * Math.sqrt(rows * cols) * cos(angle)) / rows;
    return { value, weight: square(sin(angle)) / value };
  });
  const total = at.reduce((sum, { weight }) => sum + weight, 0);
  let below = 0;
  for (const { value, weight } of at) {
    below += weight / total;
    while (found.length < count && (found.length + 0.5) / count <= below) found.push(value);
  }
  return found;
}

/**
 * min Z / max Z for independent normal entries. The projections of the rows on an eigenvector have mean square v = λ / rows and are
 * themselves independent and normal, so ln(Z / rows) = v / 2 ± m in its two directions, with m normal, of mean 0 and variance sinh(v) / rows;
 * for small v, m is the mean of the projections. The largest and the smallest of all are those expected for independent m. With the mean
 * subtracted (`centered`), projections have no mean, which leaves sinh(v) - v, and they behave as if there were one row fewer. NaN if entries
 * are so large that a few rows dominate the sums, which is when the edge of the law is at v = ln(rows) / 2 or above.
 */
export function partitionByChance(given: number, cols: number, meanSquare: number, centered = false): number {
  const rows = centered ? given - 1 : given;
  const largest = (meanSquare * square(Math.sqrt(rows) + Math.sqrt(cols))) / rows;
  if (!(2 * largest < log(rows))) return NaN;
  const variances = eigenvalues(rows, cols).map((value) => value * meanSquare);
  const spread = (variance: number): number => Math.sqrt((2 * (sinh(variance) - (centered ? variance : 0))) / rows);
  /** The largest of `sign` v / 2 + |m|. */
  const extreme = (sign: 1 | -1): number => {
    let [low, high] = [-largest / 2, largest / 2 + 10 * spread(largest)];
    for (let i = 0; i < BISECTIONS; i++) {
      const middle = (low + high) / 2;
      let log = 0;
      for (const variance of variances) {
        const above = middle - (sign * variance) / 2;
        log += above > 0 ? logErf(above / spread(variance)) : -Infinity;
      }
      if (log < ALL_BELOW) low = middle;
      else high = middle;
    }
    return high;
  };
  // Directions in which no row varies have Z = rows.
  return exp(-extreme(1) - (cols > rows ? Math.max(0, extreme(-1)) : extreme(-1)));
}
