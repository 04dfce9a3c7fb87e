import { expect, test } from 'vitest';
import { randomMedianRatio } from '../../../web/core/diagnostics/random-median-ratio.js';

test('the median ratio of random directions is √(d - 1) over the upper quartile of Student’s t', () => {
  expect(randomMedianRatio(1)).toBe(0);
  expect(randomMedianRatio(2)).toBeCloseTo(1, 14);
  // With two degrees of freedom the quartile is √(2 / 3).
  expect(randomMedianRatio(3)).toBeCloseTo(Math.sqrt(3), 14);
  // tests/reference/student_reference.py integrates the density numerically, with an error of about 1e-13.
  const integrated = [
    [5, 2.700159137788293],
    [8, 3.720427336165188],
    [16, 5.603299250732101],
    [64, 11.699893262440337],
    [768, 41.04084879855614],
    [4096, 94.86653136003038],
  ] as const;
  for (const [dimensions, ratio] of integrated)
    expect(randomMedianRatio(dimensions) / ratio, String(dimensions)).toBeCloseTo(1, 11);
});
