import { describe, expect, it } from 'vitest';
import { angleOfCosine, angleOfRatio, arrow, rightTriangle } from '../../../web/charts/index.js';

describe('a right triangle', () => {
  it('has its vector at the true angle, with the given length', () => {
    for (const cosine of [-1, -0.6, 0, 0.28, 0.8, 1]) {
      const { tip, foot } = rightTriangle(cosine, 100, [50, 200]);
      expect(foot).toEqual([50 + 100 * cosine, 200]);
      expect(Math.hypot(tip[0] - 50, tip[1] - 200)).toBeCloseTo(100, 10);
      expect((180 * Math.atan2(200 - tip[1], tip[0] - 50)) / Math.PI).toBeCloseTo(angleOfCosine(cosine), 10);
    }
  });

  it('marks the right angle on the inner side, and the angle from the base', () => {
    expect(rightTriangle(0.6, 100, [0, 100]).square).toBe('M52,100L52,92L60,92');
    expect(rightTriangle(-0.6, 100, [0, 100]).square).toBe('M-52,100L-52,92L-60,92');
    expect(rightTriangle(0.6, 100, [0, 100]).arc).toBe('M20.0 100.0A20.0 20.0 0 0 0 12.0 84.0');
  });

  it('never writes NaN if rounding takes a cosine beyond 1', () => {
    expect(angleOfCosine(1.0000001)).toBe(0);
    expect(
      Object.values(rightTriangle(1.0000001, 100, [0, 0]))
        .flat()
        .join(' '),
    ).not.toContain('NaN');
  });
});

describe('the angle of a ratio', () => {
  it('runs from 0 through a right angle to 180 degrees', () => {
    expect([0, 1, Infinity, -Infinity, -1].map((one) => Math.round(angleOfRatio(one)))).toEqual([0, 45, 90, 90, 135]);
  });
});

describe('an arrow', () => {
  it('ends its shaft where its head begins, and has no head without a direction', () => {
    expect(arrow([0, 0], [100, 0])).toEqual({ shaft: 'M0,0L89,0', head: 'M100,0L89,4.5L89,-4.5Z' });
    expect(arrow([5, 5], [5, 5])).toEqual({ shaft: 'M5,5L5,5', head: '' });
  });
});
