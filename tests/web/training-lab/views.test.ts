import { allArms, defaultSettings, directPathSettings } from '../../../web/elements/training-lab/settings.js';
import { describe, expect, it } from 'vitest';
import type { Arm } from '../../../web/elements/training-lab/direct-path-run.js';
import { failureText, NoLabError } from '../../../web/elements/training-lab/failures.js';
import { GrowingSeries } from '../../../web/elements/training-lab/history.js';
import { commonStrings } from '../../../web/elements/shared/strings.js';
import { trainingLabStrings as texts } from '../../../web/elements/training-lab/training-lab.strings.js';
import { drawnLoss } from '../../../web/elements/training-lab/views/curves.js';
import { choose, mapsLayout } from '../../../web/elements/training-lab/views/painting.js';
import { plain } from '../../../web/elements/training-lab/views/phrase.js';
import { pairInText, standing } from '../../../web/elements/training-lab/views/summary.js';
import { nearestStop } from '../../../web/elements/training-lab/views/step-chart.js';

function arm(kind: Arm['kind'], losses: number[], measured: Arm['measured'] = null): Arm {
  return { kind, losses: GrowingSeries.of(losses), measured };
}

// Powers of two are exact in single precision.
const bounds = { unigram: 4, bigram: 2, symmetricLogits: 2.25 };
const shown: Parameters<typeof standing>[0] = {
  texts: { ...commonStrings, ...texts },
  arms: [arm('tied', [4, 3, 2.5]), arm('untied', [4, 3, 2.0625])],
  bounds,
  step: 2,
  viewedStep: 2,
  viewsNewest: true,
  settings: { ...defaultSettings, dModel: 16 },
  batches: false,
};
const words = (run: typeof shown, about: Partial<Parameters<typeof standing>[1]> = {}): string =>
  plain(standing(run, { isWhole: false, vocabSize: 65, ...about }));

describe('the read-out', () => {
  it('states how far each model is above the text, and the part that no symmetric model can avoid', () => {
    expect(words(shown)).toBe(
      'After 2 steps the tied model is 0.500 nats above the bigram floor; untied 0.063. ' +
        'No symmetric model can avoid 0.250 of the tied model’s.',
    );
  });

  it('has at most 25 words at rest, whatever is trained and looked at', () => {
    const all = allArms.map((kind) => arm(kind, [4, 3, 2.5]));
    for (const viewedStep of [0, 1, 2]) {
      for (const batches of [false, true]) {
        const run = { ...shown, arms: all, step: 1000, viewedStep, viewsNewest: viewedStep === 2, batches };
        const said = standing(run, { isWhole: true, vocabSize: 65 }).filter(({ more }) => more !== true);
        expect(plain(said)).toMatch(
          /^(After|At step 0) .* untied \d\.\d{3}; tied, map \d\.\d{3}; tied, MLP \d\.\d{3}\./,
        );
        expect(plain(said).split(' ').length, plain(said)).toBeLessThanOrEqual(25);
      }
    }
    const pair = plain(pairInText(texts, 'New', 'York', { forward: 0.92, backward: 0.01, repeated: 0 }));
    expect(`${pair} ${texts.invite}`.split(' ').length).toBeLessThanOrEqual(25);
  });

  it('writes “After 1 step” and “At step 0”', () => {
    expect(words({ ...shown, viewedStep: 1, viewsNewest: false })).toMatch(
      /^After 1 step the tied model is 1\.000 .*Looking back from step 2\./,
    );
    expect(words({ ...shown, viewedStep: 0 })).toMatch(/^At step 0 the tied model is 2\.000/);
  });

  it('names the price of a Gram matrix at the end, and of few dimensions if they are few', () => {
    expect(words(shown, { isWhole: true })).toMatch(
      /The other 0\.250 is the price of having no negative eigenvalue and only 16 dimensions, plus what training/,
    );
    expect(words({ ...shown, settings: { ...shown.settings, dModel: 65 } }, { isWhole: true })).not.toContain(
      'dimensions',
    );
  });

  it('claims nothing about symmetry below the floor of symmetric logits, which a batch can reach', () => {
    const lucky = { ...shown, arms: [arm('tied', [4, 3, 2.125])] };
    expect(words(lucky)).not.toContain('symmetric');
  });

  it('prefers the measured loss of the whole text to single batches, and says if there is none', () => {
    const batches = { ...shown, batches: true };
    const measured = { ...batches, arms: [arm('tied', [9, 9, 9], { step: 2, loss: 2.5 })] };
    expect(words(measured)).toContain('the tied model is 0.500 nats');
    expect(words(batches)).toMatch(/ These are means of the batches at most 12 steps away\.$/);
  });

  it('leaves out a loss that is not a number', () => {
    expect(words({ ...shown, arms: [arm('tied', [Number.NaN, Number.NaN, Number.NaN])] })).toBe('After 2 steps.');
  });

  it('states how often each order of a pair occurs, and writes “never” for 0', () => {
    const said = (from: string, to: string, forward: number, backward: number) =>
      plain(pairInText(texts, from, to, { forward, backward, repeated: 0 }));
    expect(said('New', 'York', 0.92, 0)).toBe(
      'In this text York follows New 92% of the time, and New never follows York.',
    );
    expect(said('York', 'New', 0, 0.92)).toBe(
      'In this text New never follows York, and York follows New 92% of the time.',
    );
  });
});

describe('the curves', () => {
  it('find the stored step nearest to the pointer', () => {
    expect(nearestStop([0, 1, 5, 10], 6.9)).toBe(5);
    expect(nearestStop([0, 1, 5, 10], 99)).toBe(10);
    expect(nearestStop([], 3)).toBeNull();
  });

  it('draw the mean of 25 batches around a step, and the loss itself without batches', () => {
    const long = arm(
      'tied',
      Array.from({ length: 100 }, (_, step) => step),
    );
    expect(drawnLoss(long, 50, true)).toBe(50);
    expect(drawnLoss(long, 0, true)).toBe(6);
    expect(drawnLoss(long, 50, false)).toBe(50);
    expect(drawnLoss(long, 500, false)).toBe(99);
    expect(drawnLoss(arm('tied', []), 0, true)).toBeNull();
  });
});

describe('the maps', () => {
  it('pick rows and columns of a square matrix', () => {
    const square = Float32Array.of(0, 1, 2, 10, 11, 12, 20, 21, 22);
    expect(Array.from(choose(square, 3, [2, 0]))).toEqual([22, 20, 2, 0]);
  });

  it('form one row of equal cells if they fit, with row names only on the first', () => {
    const names = Array.from({ length: 16 }, () => 'Avenue');
    for (const width of [900, 1100, 1400]) {
      const { widths, sharedRowNames, maxCell } = mapsLayout(width, 5, names);
      expect(sharedRowNames).toBe(true);
      expect(widths).toHaveLength(5);
      expect((widths ?? []).reduce((sum, one) => sum + one, 0) + 4 * 16).toBeLessThanOrEqual(width);
      expect(new Set((widths ?? []).slice(1)).size).toBe(1);
      expect(maxCell).toBeGreaterThanOrEqual(8);
    }
  });

  it('form one column if they do not fit, each with its names', () => {
    const names = Array.from({ length: 12 }, () => 'Avenue');
    expect([900, 600, 550, 320].map((width) => mapsLayout(width, 5, names).columns)).toEqual([5, 5, 1, 1]);
    expect(mapsLayout(320, 5, names).sharedRowNames).toBe(false);
    // Two maps of a few tokens fit on a phone.
    expect(mapsLayout(358, 2, names.slice(0, 8)).columns).toBe(2);
  });
});

describe('attributes', () => {
  it('read lists of models and sizes of batches', () => {
    const { arms, batchSize } = directPathSettings;
    expect(arms.read('tied, untied  tied-mlp')).toEqual(['tied', 'untied', 'tied-mlp']);
    expect([arms.write(['tied', 'untied']), arms.initial]).toEqual(['tied untied', allArms]);
    expect([batchSize.read('whole-table'), batchSize.read('64'), batchSize.initial]).toEqual([
      'whole-table',
      64,
      'whole-table',
    ]);
    expect(batchSize.problem(batchSize.read('many'), {})).toEqual({ kind: 'not-a-number' });
  });
});

describe('failures', () => {
  it('say what to do, exactly once', () => {
    expect(failureText(Object.assign(new Error('x'), { code: 'cancelled' }), texts)).toBeNull();
    expect(failureText(new NoLabError(), texts)).toBeNull();
    expect(failureText(new Error('vocabSize is 1'), texts)).toBe('That did not work: vocabSize is 1');
  });
});

it('say what to do about a file that is not text', () => {
  expect(texts.problems.files.binary('a.png')).toMatch(/^a\.png does not look like plain text\. Save/);
});

it('name the ways to split a text in the readers’ words', () => {
  expect(texts.tokenizers).toEqual({ character: 'Characters', word: 'Words', bpe: 'Byte pairs' });
});
