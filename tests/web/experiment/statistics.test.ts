import { expect, test } from 'vitest';
import { canonicalJson, seedOf, sha256Of } from '../../../web/core/experiment/canonical.js';
import { stepsOf } from '../../../web/core/experiment/schedule.js';
import { studentQuantile, studentWithin, summarise } from '../../../web/core/experiment/statistics.js';

// tests/reference/student_reference.py
test.each([
  [1, 12.70620473619234],
  [2, 4.302652729750095],
  [3, 3.1824463052838663],
  [4, 2.7764451051978494],
  [9, 2.262157162798225],
  [10, 2.228138851986265],
  [29, 2.045229642132721],
  [99, 1.984216951586288],
])('Student’s t has the known 0.975 quantile for %i degrees of freedom', (freedom, quantile) => {
  expect(studentQuantile(0.95, freedom)).toBeCloseTo(quantile, 10);
  expect(studentWithin(quantile, freedom)).toBeCloseTo(0.95, 12);
});

test('a summary has the mean, deviation and interval', () => {
  const { mean, standardDeviation, halfWidth } = summarise([1, 2, 4]);
  expect(mean).toBeCloseTo(7 / 3, 14);
  expect(standardDeviation).toBeCloseTo(Math.sqrt(7 / 3), 14);
  expect(halfWidth).toBeCloseTo((4.302652729750095 * Math.sqrt(7 / 3)) / Math.sqrt(3), 10);
  expect(summarise([5])).toEqual({ values: [5], mean: 5, standardDeviation: null, halfWidth: null });
});

test('equal data have one canonical form and one hash', () => {
  expect(canonicalJson({ b: [1, { d: 2, c: undefined }], a: 'x' })).toBe('{"a":"x","b":[1,{"d":2}]}');
  // FIPS 180-2, appendix B.1
  expect(sha256Of('a', 'bc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  expect(seedOf('start', 1, 'tied')).not.toBe(seedOf('start', 1, 'untied'));
  expect(seedOf('start', 1, 'tied')).toBeLessThan(2 ** 48);
});

test.each([
  [{}, 0, [10]],
  [{ at: 'start' }, 0, [0]],
  [{ at: 'start' }, 1, [1]],
  [{ at: ['end', 3, 3, 'start'] }, 0, [0, 3, 10]],
  [{ every: 4 }, 0, [0, 4, 8, 10]],
  [{ every: 4 }, 1, [4, 8, 10]],
  [{ every: 4, until: 9 }, 1, [4, 8]],
  [{ every: 20 }, 0, [0, 10]],
] as const)('%o, from step %i', (measure, first, steps) => {
  expect(stepsOf({ metric: 'loss', ...measure }, 'measure', 10, first)).toEqual(steps);
});
