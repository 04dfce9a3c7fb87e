import { describe, expect, it } from 'vitest';
import { extent, linearScale, logScale } from '../../../web/charts/scale.js';
import { niceDomain, scaleTicks } from '../../../web/charts/ticks.js';

describe('scales', () => {
  it('map the ends of the domain to the ends of the range, and back', () => {
    for (const scale of [linearScale([2, 10], [100, 0]), logScale([2, 10], [100, 0])]) {
      expect(scale.position(2)).toBeCloseTo(100, 10);
      expect(scale.position(10)).toBeCloseTo(0, 10);
      for (const value of [2, 3.3, 7, 10]) expect(scale.invert(scale.position(value))).toBeCloseTo(value, 10);
    }
  });

  it('give equal ratios equal lengths on a log scale', () => {
    const scale = logScale([1, 1000], [0, 300]);
    expect(scale.position(10)).toBeCloseTo(100, 10);
    expect(scale.position(100)).toBeCloseTo(200, 10);
    expect(scale.position(0)).toBeNaN();
    expect(scale.position(-1)).toBeNaN();
  });

  it('refuse a log domain that reaches zero, naming it', () => {
    expect(() => logScale([0, 10], [0, 1])).toThrow('domain of a log scale is [0, 10]; expected two numbers above 0');
  });

  it('put a domain without width in the middle', () => {
    expect(linearScale([3, 3], [0, 100]).position(3)).toBe(50);
  });
});

describe('extent', () => {
  it('leaves out what is not finite, and is null where nothing is left', () => {
    expect(extent([3, Number.NaN, -1, Infinity])).toEqual([-1, 3]);
    expect(extent([Number.NaN])).toBeNull();
  });
});

describe('ticks', () => {
  it('are round, few and labelled with the digits that tell them apart', () => {
    const ticks = scaleTicks(linearScale([0, 1], [0, 500]), 5);
    expect(ticks.map((tick) => tick.label)).toEqual(['0.0', '0.2', '0.4', '0.6', '0.8', '1.0']);
    expect(ticks.map((tick) => tick.position)).toEqual([0, 100, 200, 300, 400, 500].map((x) => expect.closeTo(x, 9)));
  });

  it('are powers of ten over many decades, and have 2 and 5 between them over few', () => {
    expect(scaleTicks(logScale([1, 10_000], [0, 1]), 5).map((tick) => tick.value)).toEqual([1, 10, 100, 1000, 10_000]);
    expect(scaleTicks(logScale([1, 10], [0, 1]), 5).map((tick) => tick.label)).toEqual(['1', '2', '5', '10']);
    expect(scaleTicks(logScale([1, 1e6], [0, 1]), 4).map((tick) => tick.label)).toEqual(['1', '100', '10K', '1M']);
  });

  it('stand on a domain widened to round ends', () => {
    expect(niceDomain([0.013, 3.97])).toEqual([0, 4]);
    expect(niceDomain([2, 2])).toEqual([0, 4]);
    expect(niceDomain([0, 0])).toEqual([0, 1]);
  });
});
