import { describe, expect, it } from 'vitest';
import { formatCompact, formatNumber, formatWhole } from '../../../web/charts/number-format.js';

describe('formatNumber', () => {
  it.each([
    [0.05, {}, '0.05'],
    [1234.5, {}, '1,230'],
    [-1234.5, {}, '−1,230'],
    [2 / 3, {}, '0.667'],
    [0, {}, '0'],
    [-0, {}, '0'],
    [1.25, { decimals: 3 }, '1.250'],
    [-0.0001, { decimals: 3 }, '0.000'],
    [0.5, { plus: true }, '+0.5'],
    [0, { plus: true }, '0'],
    [1e-9, {}, '1.00 × 10⁻⁹'],
    [-2.5e20, { significant: 2 }, '−2.5 × 10²⁰'],
    [Number.NaN, {}, 'not a number'],
    [-Infinity, {}, '−∞'],
  ])('writes %d with %j as %s', (value, options, text) => {
    expect(formatNumber(value, options)).toBe(text);
  });

  it('follows the given locale', () => {
    expect(formatNumber(1234.5, { decimals: 1, locale: 'de-DE' })).toBe('1.234,5');
  });
});

describe('formatCompact', () => {
  it.each([
    [204_800_000, '204.8M'],
    [409_600_000, '409.6M'],
    [786_432_000, '786.4M'],
    [1_573_000_000, '1.6B'],
    [512, '512'],
    [999_949, '999.9K'],
    [999_950, '1.0M'],
    [999_999_999, '1.0B'],
    [-50_000, '−50.0K'],
    [10 ** 30, '1.00 × 10³⁰'],
    [81 * 10 ** 15, '81.0 quadrillion'],
  ])('writes %d as %s', (value, text) => {
    expect(formatCompact(value)).toBe(text);
  });
});

describe('formatWhole', () => {
  it('writes integers in full, and those beyond the precision of a double with a power of ten', () => {
    expect(formatWhole(204_800_000)).toBe('204,800,000');
    expect(formatWhole(2 ** 53 - 1)).toBe('9,007,199,254,740,991');
    expect(formatWhole(2 ** 64)).toBe('1.845 × 10¹⁹');
    expect(formatWhole(-7)).toBe('−7');
  });
});
