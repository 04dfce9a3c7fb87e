import { describe, expect, it } from 'vitest';
import { finishedRun } from '../../../web/article/build/finished-run.mjs';
import { builtInTexts } from '../../../web/texts/index.js';
import { isRunOf, type FinishedRun } from '../../../web/elements/training-lab/finished-run.js';
import { defaultSettings } from '../../../web/elements/training-lab/settings.js';

const settings = { ...defaultSettings, steps: 2, arms: ['tied', 'untied'] as const };
const lab = {
  unigram: 4,
  bigram: 2,
  symmetricLogits: 3,
  shownTokens: ['New', 'York'],
  arms: settings.arms.map((tying) => ({
    tying,
    losses: [6.123456789, 5],
    loss: 4,
    probabilities: [0.00001, 0.25, 0.5, 1],
  })),
};

describe('the finished run that the page gives to its lab', () => {
  const run = JSON.parse(JSON.stringify(finishedRun(lab, { builtInTexts, defaultSettings: settings }))) as FinishedRun;

  it('has the first text and the default settings, also after a round trip through JSON', () => {
    expect(isRunOf(run, builtInTexts[0]?.id ?? '', settings)).toBe(true);
  });

  it('has the loss before every step and after the last, without invisible digits', () => {
    expect(run.arms[1]).toEqual({ tying: 'untied', losses: [6.12346, 5, 4], probabilities: [0, 0.25, 0.5, 1] });
    expect(run.tokens).toEqual(['New', 'York']);
    expect(run.bounds).toEqual({ unigram: 4, bigram: 2, symmetricLogits: 3 });
  });
});
