import { expect, test } from 'vitest';
import { comparison, median, quantile, ratiosByRound } from '../../../bench/statistics.mjs';

test('a median is the middle value, or halfway between the two middle values', () => {
  expect(median([3, 1, 2])).toBe(2);
  expect(median([4, 1, 2, 3])).toBe(2.5);
  expect(median([7])).toBe(7);
  expect(median([])).toBeUndefined();
  expect(median([1, NaN, 3, 2])).toBe(2);
});

test('a quantile is interpolated between its neighbors', () => {
  expect(quantile([0, 10], 0.1)).toBeCloseTo(1, 12);
  expect(quantile([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10], 0.9)).toBe(9);
  expect(quantile([5, 1], 0)).toBe(1);
  expect(quantile([5, 1], 1)).toBe(5);
});

test('ratios are formed only within the same round', () => {
  const numerators = new Map([
    [1, 6],
    [2, 8],
    [4, 1],
  ]);
  const denominators = new Map([
    [1, 2],
    [2, 2],
    [3, 1],
  ]);
  expect(ratiosByRound(numerators, denominators)).toEqual([3, 4]);
});

test('a change counts if the rounds agree on its direction and it is at least 3%', () => {
  expect(comparison([1.05, 1.06, 1.04, 1.05])).toMatchObject({ verdict: 'faster' });
  expect(comparison([0.95, 0.94, 0.96])).toMatchObject({ verdict: 'slower' });
  expect(comparison([1.05, 0.97, 1.06, 1.04]).verdict).toBe('same');
  expect(comparison([1.02, 1.025, 1.029]).verdict).toBe('same');
});

test('one or two rounds are too few for a change', () => {
  expect(comparison([2, 2]).verdict).toBe('same');
});
