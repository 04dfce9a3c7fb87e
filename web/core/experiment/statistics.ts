/** Means over seeds and their confidence intervals. */
import { atan, cos, sin, square } from '../runtime/elementary.js';
import type { Summary } from './types.js';

/**
 * P(|T| <= t) of Student's t with `freedom` degrees of freedom, in closed form.
 * Source: Abramowitz and Stegun, 26.7.3 and 26.7.4.
 */
export function studentWithin(t: number, freedom: number): number {
  const angle = atan(t / Math.sqrt(freedom));
  const cosine = cos(angle);
  const odd = freedom % 2 === 1;
  let term = odd ? cosine : 1;
  let sum = freedom === 1 ? 0 : term;
  for (let k = odd ? 3 : 2; k < freedom; k += 2) {
    term *= (cosine * cosine * (k - 1)) / k;
    sum += term;
  }
  return odd ? (2 / Math.PI) * (angle + sin(angle) * sum) : sin(angle) * sum;
}

/** The t with P(|T| <= t) = `probability`, by bisection to the last bit. */
export function studentQuantile(probability: number, freedom: number): number {
  let [low, high] = [0, 1];
  while (studentWithin(high, freedom) < probability) high *= 2;
  for (;;) {
    const middle = (low + high) / 2;
    if (middle <= low || middle >= high) return middle;
    if (studentWithin(middle, freedom) < probability) low = middle;
    else high = middle;
  }
}

export const meanOf = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

/** Summarizes at least one value. */
export function summarise(values: readonly number[]): Summary {
  const mean = meanOf(values);
  const n = values.length;
  if (n < 2) return { values: [...values], mean, standardDeviation: null, halfWidth: null };
  const squares = values.reduce((sum, value) => sum + square(value - mean), 0);
  const standardDeviation = Math.sqrt(squares / (n - 1));
  const halfWidth = (studentQuantile(0.95, n - 1) * standardDeviation) / Math.sqrt(n);
  return { values: [...values], mean, standardDeviation, halfWidth };
}
