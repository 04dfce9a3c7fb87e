import { expect, it } from 'vitest';
import { studentQuantile } from '../../../web/core/experiment/statistics.js';
import { intervalOf } from '../../../web/article/build/intervals.mjs';

it('intervals of the page are those of Student’s t', () => {
  for (const values of [
    [1, 3],
    [1, 2, 6],
    [0, 1, 2, 4],
    [5, 1, 2, 2, 9],
  ]) {
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
    const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1);
    const expected = studentQuantile(0.95, values.length - 1) * Math.sqrt(variance / values.length);
    expect(intervalOf(values).mean).toBeCloseTo(mean, 12);
    expect(intervalOf(values).halfWidth / expected).toBeCloseTo(1, 7);
  }
});

it('a mean is called more than nothing only if its interval leaves out 0', () => {
  expect(intervalOf([0.9, 1, 1.1]).shown).toBe(true);
  expect(intervalOf([-1, -0.9, -1.1]).shown).toBe(true);
  expect(intervalOf([0.029, -0.01, 0.054]).shown).toBe(false);
});

it('a number of runs without a quantile is an error', () => {
  expect(() => intervalOf([1])).toThrow('no interval for 1 runs');
});
