import { expect, test } from 'vitest';
import { randomMedianRatio } from '../../../web/core/diagnostics/random-median-ratio.js';

test('the median ratio of random directions is √(d - 1) over the upper quartile of Student’s t', () => {
  expect(randomMedianRatio(1)).toBe(0);
  expect(randomMedianRatio(2)).toBeCloseTo(1, 14);
  // With two degrees of freedom the quartile is √(2 / 3), with four 0.740697.
  expect(randomMedianRatio(3)).toBeCloseTo(Math.sqrt(3), 14);
  expect(randomMedianRatio(5)).toBeCloseTo(2 / 0.7406970841, 8);
  // From tables of Student's t: 0.69120 with 15 degrees of freedom, 0.6785 with 63.
  expect(randomMedianRatio(16)).toBeCloseTo(Math.sqrt(15) / 0.6912, 3);
  expect(randomMedianRatio(64)).toBeCloseTo(Math.sqrt(63) / 0.6785, 2);
  // For many dimensions the cosine is normal.
  expect(randomMedianRatio(4096)).toBeCloseTo(64 / 0.6744897502, 1);
});
