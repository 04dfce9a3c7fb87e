/** Theoretical mean cosines of a table of noise. Shuffling the rows does not change them, so they cannot be measured that way. */
import { square } from '../runtime/elementary.js';

/** Terms of the series below; at the largest argument that is summed, 1/4, the last term is far below rounding. */
const TERMS = 64;

/**
 * The expected cosine of two vectors of `size` independent pairs of normal entries with correlation ρ: the mean of an uncentered sample
 * correlation, ρ (2 / d) (Γ((d + 1) / 2) / Γ(d / 2))² ₂F₁(1/2, 1/2; d / 2 + 1; ρ²) (Hotelling, 1953).
 */
function expectedCosine(correlation: number, size: number): number {
  // For opposite vectors the series converges too slowly.
  if (correlation === -1) return -1;
  // Γ((d + 1) / 2) / Γ(d / 2) is 1 / √π for d = 1, and d / 2 over its value for d is the one for d + 1.
  let ratio = 1 / Math.sqrt(Math.PI);
  for (let d = 1; d < size; d++) ratio = d / 2 / ratio;
  let [series, term] = [0, 1];
  for (let k = 0; k < TERMS; k++) {
    series += term;
    term *= (square(k + 0.5) / ((size / 2 + 1 + k) * (k + 1))) * correlation * correlation;
  }
  return ((correlation * 2) / size) * ratio * ratio * series;
}

export interface CosinesByChance {
  /** For independent rows without a common direction. */
  meanCosine: number;
  /** For independent normal entries: rows minus their mean have a correlation of -1 / (n - 1) in each column. */
  centeredMeanCosine: number;
  /** The same in one dimension fewer: the direction of their mean says nothing about the others. */
  projectedMeanCosine: number;
}

/** Mean cosines of all pairs of different rows, for tables [rows, cols]. NaN if there is no pair, or no direction left. */
export function cosinesByChance(rows: number, cols: number): CosinesByChance {
  if (rows < 2) return { meanCosine: NaN, centeredMeanCosine: NaN, projectedMeanCosine: NaN };
  const correlation = -1 / (rows - 1);
  return {
    meanCosine: 0,
    centeredMeanCosine: expectedCosine(correlation, cols),
    projectedMeanCosine: cols < 2 ? NaN : expectedCosine(correlation, cols - 1),
  };
}

/** Standard deviation of `meanCosine` by chance: the cosines of pairs have mean 0 and variance 1 / d, and are uncorrelated. */
export const meanCosineDeviation = (rows: number, cols: number): number => Math.sqrt(2 / (rows * (rows - 1) * cols));
