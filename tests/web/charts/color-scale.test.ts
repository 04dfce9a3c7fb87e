import { describe, expect, it } from 'vitest';
import {
  colorText,
  contrast,
  divergingScale,
  mixColors,
  parseColor,
  sequentialScale,
  softened,
  type Rgb,
} from '../../../web/charts/color-scale.js';

const paper: Rgb = [253, 252, 249];
const ink: Rgb = [29, 31, 34];
const indigo: Rgb = [67, 56, 140];
const amber: Rgb = [160, 106, 0];

describe('parseColor', () => {
  it.each([
    ['#0072b2', [0, 114, 178]],
    ['#07b', [0, 119, 187]],
    ['rgb(0, 114, 178)', [0, 114, 178]],
    ['rgba(1 2 3 / 0.5)', [1, 2, 3]],
    ['color(srgb 0 0.5 1)', [0, 127.5, 255]],
  ])('reads %s', (text, channels) => {
    expect(parseColor(text)).toEqual(channels);
  });

  it('names the color that it cannot read', () => {
    expect(() => parseColor('reddish')).toThrow('color is "reddish"');
  });
});

describe('mixColors', () => {
  it('starts and ends at the two colors and interpolates between them', () => {
    expect(mixColors(paper, indigo, 0)).toEqual(paper);
    expect(mixColors(paper, indigo, 1)).toEqual(indigo);
    const middle = mixColors([0, 0, 0], [255, 255, 255], 0.5);
    // The middle of OKLab lightness is sRGB 99, not 128: equal steps look equal.
    expect(middle).toEqual([99, 99, 99]);
  });
});

describe('contrast', () => {
  it('is 21 between black and white and 1 between a color and itself, in either order', () => {
    expect(contrast([0, 0, 0], [255, 255, 255])).toBeCloseTo(21, 10);
    expect(contrast([255, 255, 255], [0, 0, 0])).toBeCloseTo(21, 10);
    expect(contrast(amber, amber)).toBe(1);
  });
});

describe('diverging scale', () => {
  const scale = divergingScale({ limit: 2, middle: paper, negative: amber, positive: indigo, missing: ink });

  it('has the background at zero and its end colors at the limits and beyond', () => {
    expect(scale.color(0)).toEqual(paper);
    expect(scale.color(2)).toEqual(indigo);
    expect(scale.color(-2)).toEqual(amber);
    expect(scale.color(99)).toEqual(indigo);
    expect(scale.domain).toEqual([-2, 2]);
  });

  it('is symmetric in lightness: equal magnitudes are equally far from the background', () => {
    expect(scale.color(1)).toEqual(mixColors(paper, indigo, 0.5));
    expect(scale.color(-1)).toEqual(mixColors(paper, amber, 0.5));
  });

  it('shows NaN as missing', () => {
    expect(scale.color(Number.NaN)).toEqual(ink);
  });
});

describe('sequential scale', () => {
  it('goes from the background at zero to its color at the limit', () => {
    const scale = sequentialScale({ limit: 1, from: paper, to: indigo });
    expect(scale.color(0)).toEqual(paper);
    expect(scale.color(-3)).toEqual(paper);
    expect(scale.color(1)).toEqual(indigo);
    expect(colorText(scale.color(1))).toBe('rgb(67, 56, 140)');
  });
});

describe('softened', () => {
  it('stops exactly where text is still readable', () => {
    const end = softened(paper, indigo, ink);
    expect(contrast(end, ink)).toBeGreaterThanOrEqual(4.5);
    expect(contrast(end, ink)).toBeLessThan(5);
  });

  it('does not change a color on which text is readable', () => {
    expect(softened(paper, [200, 200, 255], ink)).toEqual([200, 200, 255]);
  });
});
