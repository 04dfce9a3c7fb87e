import { describe, expect, it } from 'vitest';
import { makeScale, niceDomain, type ScaleKind } from '../../../web/charts/scale.js';
import { scaleTicks } from '../../../web/charts/ticks.js';

describe('scales', () => {
  it('map the ends of the domain to the ends of the range, and back', () => {
    for (const scale of [makeScale('linear', [2, 10], [100, 0]), makeScale('log', [2, 10], [100, 0])]) {
      expect(scale(2)).toBeCloseTo(100, 10);
      expect(scale(10)).toBeCloseTo(0, 10);
      for (const value of [2, 3.3, 7, 10]) expect(scale.invert(scale(value))).toBeCloseTo(value, 10);
    }
  });

  it('give equal ratios equal lengths on a log scale', () => {
    const scale = makeScale('log', [1, 1000], [0, 300]);
    expect(scale(10)).toBeCloseTo(100, 10);
    expect(scale(100)).toBeCloseTo(200, 10);
    expect(Number.isFinite(scale(0))).toBe(false);
    expect(Number.isFinite(scale(-1))).toBe(false);
  });

  it('refuse a log domain that reaches zero, naming it', () => {
    expect(() => makeScale('log', [0, 10], [0, 1])).toThrow(
      'domain of a log scale is [0, 10]; expected two numbers above 0',
    );
  });

  it('map a domain of width zero to the middle', () => {
    expect(makeScale('linear', [3, 3], [0, 100])(3)).toBe(50);
  });
});

const labels = (kind: ScaleKind, domain: [number, number], count: number): string[] =>
  scaleTicks(makeScale(kind, domain, [0, 1]), count).map((tick) => tick.label);

describe('ticks', () => {
  it('are round, few, and labeled with the digits that distinguish them', () => {
    const ticks = scaleTicks(makeScale('linear', [0, 1], [0, 500]), 5);
    expect(ticks.map((tick) => tick.label)).toEqual(['0.0', '0.2', '0.4', '0.6', '0.8', '1.0']);
    expect(ticks.map((tick) => tick.position)).toEqual([0, 100, 200, 300, 400, 500].map((x) => expect.closeTo(x, 9)));
  });

  it('are powers of ten over many decades, with others between them over few decades', () => {
    expect(labels('log', [1, 10_000], 5)).toEqual(['1', '10', '100', '1,000', '10K']);
    expect(labels('log', [1, 10], 5)).toEqual(['1', '2', '3', '4', '5', '10']);
    expect(labels('log', [1, 300], 7)).toEqual(['1', '2', '3', '10', '20', '30', '100', '200', '300']);
    expect(labels('log', [1, 1e6], 4)).toEqual(['1', '100', '10K', '1M']);
    expect(labels('log', [0.01, 1], 2)).toEqual(['0.01', '0.1', '1']);
  });

  it('have the digits that distinguish them on a log axis shorter than a decade', () => {
    expect(labels('log', [2.5, 4], 5)).toEqual(['2.6', '2.8', '3', '3.2', '3.4', '3.6', '3.8', '4']);
  });

  it('use a true minus sign, commas, and 10K for ten thousand, as all numbers do', () => {
    expect(labels('linear', [-1, 1], 4)).toEqual(['−1.0', '−0.5', '0.0', '0.5', '1.0']);
    expect(labels('linear', [0, 20_000], 4)).toEqual(['0', '5,000', '10K', '15K', '20K']);
  });

  it('are those of a domain widened to round ends', () => {
    expect(niceDomain([0.013, 3.97])).toEqual([0, 4]);
    expect(niceDomain([2, 2])).toEqual([0, 4]);
    expect(niceDomain([0, 0])).toEqual([0, 1]);
  });
});
