import { expect, test } from 'vitest';
import { rounded } from '../../../web/article/build/rounded.mjs';
import { readRecord } from '../../../tools/build/site.mjs';
import { heroRun } from '../../../web/article/build/hero-run.mjs';
import { trainAgain } from '../../../web/article/hero/live.js';
import { momentAt, percent, sentenceOf, shareOf, type HeroRun } from '../../../web/article/hero/run.js';
import { defaultSettings } from '../../../web/elements/training-lab/settings.js';
import { createLab } from '../../../web/index.js';

const small: HeroRun = {
  words: ['New', 'York'],
  steps: [0, 10, 30],
  story: [0, 0.98, 0, 0],
  tied: [
    [0.5, 0.5, 0.5, 0.5],
    [0.4, 0.2, 0.2, 0.6],
    [0.3, 0.24, 0.24, 0.0004],
  ],
  untied: [
    [0.5, 0.5, 0.5, 0.5],
    [0, 0.7, 0, 0.1],
    [0, 0.98, 0, 0],
  ],
};
const newYork = { from: 0, to: 1 };

test('a moment is the recorded one at its step, between two in between, and never beyond the ends', () => {
  expect(momentAt(small, 1)).toEqual({ step: 10, tied: small.tied[1], untied: small.untied[1] });
  const half = momentAt(small, 1.5);
  expect(half.step).toBe(20);
  expect(half.tied[1]).toBeCloseTo(0.22, 12);
  expect(half.untied[1]).toBeCloseTo(0.84, 12);
  expect(momentAt(small, 9)).toEqual({ step: 30, tied: small.tied[2], untied: small.untied[2] });
  expect(momentAt(small, -1).step).toBe(0);
});

test('shares are read by row, and a small one is not called impossible', () => {
  expect(shareOf(small.story, newYork)).toBe(0.98);
  expect(shareOf(small.story, { from: 1, to: 0 })).toBe(0);
  expect([0, 0.0004, 0.012, 0.098, 0.0996, 0.24, 1].map(percent)).toEqual([
    '0%',
    '< 0.1%',
    '1.2%',
    '9.8%',
    '10%',
    '24%',
    '100%',
  ]);
});

test('the sentence compares the guess with one table, and has the law for the pair', () => {
  const moment = momentAt(small, 2);
  expect(sentenceOf(small, moment, newYork, 60)).toBe(
    'One table says 24%, and your guess was 60%. With one table, York after New always has the same score as New after York.',
  );
  expect(sentenceOf(small, moment, { from: 0, to: 0 }, 5)).toMatch(
    /score of New after itself is the length of its vector squared/,
  );
});

test('the page’s run ends with the numbers of the page, holds no impossible pair of a model, and is the law’s', () => {
  const { hero } = readRecord() as { hero: { shared: number[][]; text: number[][]; frames: { tied: number[][] } } };
  const run = heroRun(hero as never) as HeroRun;
  const size = run.words.length;
  expect(run.steps[0]).toBe(0);
  expect(run.steps.at(-1)).toBe(500);
  for (const shares of [...run.tied, ...run.untied]) {
    expect(shares).toHaveLength(size * size);
    for (const share of shares) expect(share).toBeGreaterThan(0);
  }
  const last = run.tied.at(-1)!;
  hero.shared.flat().forEach((share, i) => expect(percent(last[i]!)).toBe(percent(share)));
  // With equal scores both ways, what each row is divided by cancels in a product around three words: it is the same in both directions.
  // To three digits, of which the page gets those that it shows.
  const recorded = hero.frames.tied.at(-1)!;
  const at = (from: number, to: number): number => recorded[from * size + to]!;
  for (let a = 0; a < size; a++) {
    for (let b = a + 1; b < size; b++) {
      for (let c = b + 1; c < size; c++) {
        const ratio = (at(a, b) * at(b, c) * at(c, a)) / (at(b, a) * at(c, b) * at(a, c));
        // Three digits in each of six factors.
        expect(Math.abs(ratio - 1), `${a} ${b} ${c}`).toBeLessThan(0.035);
      }
    }
  }
});

test('what is trained in the page is what was recorded: the same start gives the same shares', async () => {
  const { hero } = readRecord();
  const run = heroRun(hero as never) as HeroRun;
  const lab = await createLab();
  try {
    const moments = [];
    for await (const moment of trainAgain(lab, run, defaultSettings.seed)) moments.push(moment);
    expect(moments.map(({ step }) => step)).toEqual(run.steps);
    const frames = {
      tied: moments.map(({ tied }) => rounded(tied, 3)),
      untied: moments.map(({ untied }) => rounded(untied, 3)),
    };
    const live = heroRun({ ...hero, frames } as never) as HeroRun;
    expect(live.tied).toEqual(run.tied);
    expect(live.untied).toEqual(run.untied);
  } finally {
    lab.dispose();
  }
});
