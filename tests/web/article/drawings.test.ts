import { describe, expect, it } from 'vitest';
import { makeDrawings } from '../../../web/article/build/drawings.mjs';
import { themeCss } from '../../../web/article/build/theme-css.mjs';
import { lineChart, smooth } from '../../../web/charts/index.js';
import { palette } from '../../../web/elements/shared/palette.js';

const facts = {
  hero: {
    words: ['New', 'York'],
    text: [
      [0, 0.9],
      [0, 0],
    ],
    symmetric: [
      [0, 0.5],
      [0.5, 0],
    ],
  },
  toy: {
    tokens: ['New', 'York', 'City'],
    flow: [
      [0, 0.3, 0],
      [0, 0, 0.3],
      [0.4, 0, 0],
    ],
    symmetricFlow: [
      [0, 0.15, 0.2],
      [0.15, 0, 0.15],
      [0.2, 0.15, 0],
    ],
  },
  lab: {
    steps: 3,
    unigram: 4,
    symmetricLogits: 3,
    bigram: 2.5,
    arms: [
      { tying: 'tied', losses: [5, 4, 3.5] },
      { tying: 'untied', losses: [5, 3.5, 2.6] },
    ],
  },
  gpt: { steps: 3, tied: { outputShares: [0.6, 0.9, 0.5] }, untied: { outputShares: [0.6, 0.8, 0.4] } },
};
const drawings = makeDrawings(facts, { lineChart, smooth }) as Record<'hero' | 'training' | 'flows' | 'shares', string>;
const { hero, training, flows, shares } = drawings;

describe('drawings made at build time', () => {
  it('are named for screen readers and hold no style attribute', () => {
    for (const drawing of [hero, training, flows, shares]) {
      expect(drawing).toContain('role="img" aria-label="');
      expect(drawing).not.toContain('style=');
    }
  });

  it('ink only what is there: one cell for the text, two for its mirror image', () => {
    const [text, mirrored] = hero.split('class="panel mirrored"');
    expect(text?.match(/class="heat"/g)).toHaveLength(1);
    expect(mirrored?.match(/class="heat"/g)).toHaveLength(2);
  });

  it('outline the pair and its mirror cell in both panels', () => {
    expect(hero.match(/class="outline"/g)).toHaveLength(4);
  });

  it('draw flows as wide as their share, in both directions, and say them in words', () => {
    const widths = [...flows.matchAll(/stroke-width="([\d.]+)"/g)].map(([, width]) => Number(width));
    expect(widths).toHaveLength(12);
    expect(widths.slice(0, 2)).toEqual([13.8, 1]);
    expect(flows).toContain('With symmetric scores: New to York 15 %');
  });

  it('draw every model as a curve and every floor as a line', () => {
    expect(training.match(/class="curve /g)).toHaveLength(2);
    expect(training.match(/class="floor"/g)).toHaveLength(3);
    expect(shares.match(/class="curve /g)).toHaveLength(2);
  });
});

describe('the page’s colours', () => {
  it('are the elements’ palette, light first where light-dark() is unknown', () => {
    const css = themeCss(palette);
    expect(css).toContain(`--tied-color-tied-text: ${palette.tiedText[0]};`);
    expect(css).toContain(`--tied-color-tied-text: light-dark(${palette.tiedText[0]}, ${palette.tiedText[1]});`);
  });
});
