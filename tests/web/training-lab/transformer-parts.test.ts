import { describe, expect, it } from 'vitest';
import { TRAINING_FIELDS } from '../../../web/core/generated/fields.js';
import { commonStrings } from '../../../web/elements/shared/strings.js';
import { GrowingSeries } from '../../../web/elements/training-lab/history.js';
import type { TransformerArm } from '../../../web/elements/training-lab/transformer/arms.js';
import {
  heldOutAt,
  largestOutputShare,
  lossAt,
  numbersOf,
  outputShareAt,
  outputPercent,
} from '../../../web/elements/training-lab/transformer/drawn-values.js';
import { newestSample, SampleBook } from '../../../web/elements/training-lab/transformer/samples.js';
import {
  armKinds,
  partsOf,
  smallDevice,
  transformerConfig,
  transformerDefaults,
  transformerProblems,
  transformerTraining,
  type TransformerSettings,
} from '../../../web/elements/training-lab/transformer/settings.js';
import { trainingLabStrings as texts } from '../../../web/elements/training-lab/training-lab.strings.js';
import { transformerSummary } from '../../../web/elements/training-lab/transformer/views/summary.js';
import { plain } from '../../../web/elements/training-lab/views/phrase.js';
import { timeLeft } from '../../../web/elements/training-lab/pace.js';

/** Fractions of powers of two, which are exact in single precision. */
function arm(
  kind: TransformerArm['kind'],
  losses: number[],
  inputShares: number[],
  heldOut: TransformerArm['heldOut'] = { steps: [], losses: [] },
): TransformerArm {
  const shares = {
    matrix: GrowingSeries.of(inputShares),
    position: GrowingSeries.of(inputShares.map((share) => share / 2)),
  };
  return {
    kind,
    parameters: 1234,
    losses: GrowingSeries.of(losses),
    inputShares: shares,
    heldOut,
    untiedAt: null,
    tokensPerSecond: 12_345,
  };
}

describe('settings of small GPTs', () => {
  it('are those of the training lab, and can be run, also on a small device', () => {
    expect(transformerProblems(transformerDefaults)).toEqual([]);
    expect(transformerProblems({ ...transformerDefaults, ...smallDevice })).toEqual([]);
    expect(transformerConfig(transformerDefaults, 'tied')).toEqual({
      kind: 'transformer',
      dModel: 48,
      tying: 'tied',
      nLayers: 4,
      nHeads: 4,
      contextLength: 64,
      embeddingScale: 'none',
    });
    expect(transformerTraining(transformerDefaults)).toMatchObject({
      optimizer: 'adamw',
      learningRate: 0.006,
      beta2: 0.95,
      weightDecay: 0.1,
      warmupSteps: 50,
      decay: 'cosine',
      totalSteps: 2400,
      finalLearningRateFraction: 0.1,
      gradientClip: 1,
      batchSize: 16,
    });
  });

  it('allow as many parts of a batch as the core', () => {
    const [, most] = TRAINING_FIELDS.shards.whole;
    expect(transformerProblems({ ...transformerDefaults, shards: most })).toEqual([]);
    expect(transformerProblems({ ...transformerDefaults, shards: most + 1 })).toMatchObject([{ setting: 'shards' }]);
    expect(transformerTraining({ ...transformerDefaults, batchSize: 4, shards: most })).toMatchObject({ shards: 4 });
  });

  it.each([
    [16, 64, 2],
    [12, 32, 1],
    [1, 2, 1],
    [16, 63, 1],
    [48, 64, 4],
    [64, 64, 8],
    [256, 256, 8],
  ])(
    'cut a batch of %i sequences of %i tokens into %i parts, which the core accepts',
    (batchSize, contextLength, parts) => {
      const settings = { ...transformerDefaults, batchSize, contextLength, shards: parts };
      expect(partsOf(settings)).toBe(parts);
      expect(transformerProblems(settings)).toEqual([]);
      expect(transformerTraining(settings)).toMatchObject({ batchSize, shards: parts });
    },
  );

  it('warm up for a sixteenth of a short run', () => {
    expect(transformerTraining({ ...transformerDefaults, steps: 160 }).warmupSteps).toBe(10);
  });

  it('convert every way of tying to one that the core accepts', () => {
    const tyings = armKinds.map((kind) => transformerConfig(transformerDefaults, kind).tying);
    expect(tyings).toEqual([
      ...['tied', 'untied', 'tied-linear', 'tied-low-rank', { untieAtStep: 1600 }],
      [{ untieAtStep: 1600 }, { tieAtStep: 2000 }],
      { untieWhen: { inputShare: { below: 0.2 }, over: 10 } },
    ]);
    expect(transformerConfig(transformerDefaults, 'tied-low-rank').lowRank).toBe(8);
  });

  it.each<[Partial<TransformerSettings>, string, string]>([
    [{ nHeads: 5 }, 'nHeads', 'heads'],
    [{ dModel: 2 }, 'dModel', 'too-small'],
    [{ nLayers: 1.5 }, 'nLayers', 'not-whole'],
    [{ batchSize: Number.NaN }, 'batchSize', 'not-a-number'],
    [{ contextLength: 1000 }, 'contextLength', 'too-large'],
    [{ arms: ['tied'] }, 'arms', 'two-arms'],
    [{ arms: ['tied', 'tied'] }, 'arms', 'two-arms'],
    [{ arms: ['tied', 'tied-mlp' as never] }, 'arms', 'unknown'],
    [{ arms: ['tied', 'tied-low-rank'], lowRank: 65 }, 'lowRank', 'rank'],
    [{ arms: ['tied', 'untied-later'], untieAtStep: 2400 }, 'untieAtStep', 'late'],
    [{ arms: ['tied', 'untied-between'], untieAtStep: 600, tieAtStep: 600 }, 'tieAtStep', 'early'],
    [{ arms: ['tied', 'untied-between'], tieAtStep: 2400 }, 'tieAtStep', 'tied-late'],
    [{ embeddingScale: 'twice' as never }, 'embeddingScale', 'unknown'],
  ])('explain what is wrong with %j in a sentence', (change, setting, kind) => {
    const problems = transformerProblems({ ...transformerDefaults, ...change });
    expect(problems).toMatchObject([{ setting, kind }]);
    const [problem] = problems;
    if (problem !== undefined) expect(texts.settingProblem('name', problem)).toMatch(/^[^“]+.*\.$/);
  });

  it('need a text that is longer than a sequence', () => {
    expect(transformerProblems(transformerDefaults, 64)).toMatchObject([
      { setting: 'contextLength', kind: 'short-text' },
    ]);
    expect(transformerProblems(transformerDefaults, 65)).toEqual([]);
  });

  it('ignore a rank or a step that no model uses', () => {
    expect(transformerProblems({ ...transformerDefaults, lowRank: 65, untieAtStep: 5000, tieAtStep: 6000 })).toEqual(
      [],
    );
  });
});

describe('readings of records', () => {
  const tied = arm('tied', [6, 5, 4], [0.5, 0.125, 0.25], { steps: [0, 2], losses: [6.5, 4.5] });

  it('number the first step one', () => {
    expect(lossAt(tied, 0)).toBeNull();
    expect(lossAt(tied, 1)).toBe(6);
    expect(outputShareAt(tied, 'matrix', 2)).toBe(0.875);
    expect(outputShareAt(tied, 'position', 2)).toBe(0.9375);
    expect(outputShareAt(tied, 'matrix', 4)).toBeNull();
    expect([0, 1, 2].map((index) => outputPercent(tied.inputShares.matrix.values(), index))).toEqual([50, 87.5, 75]);
  });

  it('find the step at which the output role had its largest share so far', () => {
    expect(largestOutputShare(tied, 'matrix', 3)).toEqual({ step: 2, share: 0.875 });
    expect(largestOutputShare(tied, 'matrix', 1)).toEqual({ step: 1, share: 0.5 });
    expect(largestOutputShare(tied, 'matrix', 0)).toBeNull();
  });

  it('take the newest held-out loss that is not of a later step', () => {
    expect(heldOutAt(tied, 1)).toEqual({ step: 0, loss: 6.5 });
    expect(heldOutAt(tied, 2)).toEqual({ step: 2, loss: 4.5 });
    expect(heldOutAt(arm('tied', [], []), 2)).toBeNull();
  });

  it('follow a series that was truncated and grew again', () => {
    const growing = arm('tied', [6, 5, 4], [0.5, 0.5, 0.5]);
    expect(lossAt(growing, 3)).toBe(4);
    growing.losses.truncate(1);
    expect(lossAt(growing, 3)).toBeNull();
    growing.losses.append([3]);
    expect(lossAt(growing, 2)).toBe(3);
  });

  it('name the step of a held-out loss from another step, and give the speed to two digits', () => {
    const names = (step: number) => numbersOf(texts, tied, step).map(({ name, value }) => `${value} ${name}`);
    expect(names(2)).toEqual(['1,234 parameters', '5.000 loss', '4.500 held out', '12,000 tokens/s']);
    expect(names(3)).toContain('4.500 held out at 2');
  });
});

describe('the read-out of small GPTs', () => {
  const arms = [
    arm('tied', [6, 5, 4], [0.5, 0.125, 0.25], { steps: [0, 3], losses: [6.5, 3.5] }),
    arm('untied', [6, 4.5, 3.5], [0.5, 0.25, 0.5], { steps: [0, 3], losses: [6.5, 3.25] }),
  ];
  const options = {
    texts: { ...commonStrings, ...texts },
    arms,
    bounds: { unigram: 4, bigram: 3 },
    look: { shareBy: 'matrix' as const },
    step: 3,
    viewedStep: 3,
    viewsNewest: true,
    settings: { ...transformerDefaults, seed: 7 },
  };

  it('reports both losses, which role moves the table, and when the output role moved it most', () => {
    expect(plain(transformerSummary(options, true))).toBe(
      'After 3 steps the loss is 4.00 nats for the tied model and 3.50 for the untied model; on held-out text 3.50 and ' +
        '3.25. That is one run, with seed 7; the gap differs from seed to seed. At step 3 writing has 75% of the norms of both parts of the gradient in the tied model, 50% in the untied ' +
        'model; at step 2 it made up 88%.',
    );
    // Both models' shares have the color of the role.
    expect(transformerSummary(options, true).filter(({ role }) => role === 'output')).toHaveLength(2);
  });

  it('names the step of a held-out loss, and mentions that the reader is looking back', () => {
    const later = { ...options, arms: arms.map((one) => ({ ...one, heldOut: { steps: [0, 1], losses: [7, 6] } })) };
    expect(plain(transformerSummary({ ...later, viewedStep: 2, viewsNewest: false }, true))).toMatch(
      /on held-out text \(step 1\) 6\.00 and 6\.00\. That is one run.*Looking back from step 3\.$/,
    );
  });

  it('claims that context is used only if both models are better than a single token allows', () => {
    expect(plain(transformerSummary({ ...options, bounds: { unigram: 4, bigram: 3.4 } }, true))).not.toContain(
      'use what came before',
    );
    expect(plain(transformerSummary({ ...options, bounds: { unigram: 4, bigram: 3.75 } }, true))).toContain(
      'Both are below the bigram floor of 3.75 nats, the best that the current token alone allows: they use what came before it.',
    );
  });

  it('invites before the first step, unless models train or another sentence invites', () => {
    const first = { ...options, viewedStep: 0 };
    expect(plain(transformerSummary(first, true))).toMatch(/^Press play: both models start/);
    expect(plain(transformerSummary(first, false))).toMatch(/^Both models start/);
    expect(plain(transformerSummary({ ...first, viewsNewest: false }, false))).toMatch(
      /^Both models start.* Looking back from step 3\.$/,
    );
  });
});

describe('samples', () => {
  const sample = (step: number, text = 'x') => ({ step, prompt: 'p', temperature: 1, seed: 1, texts: [text] });

  it('are stored by step, with the newest for each', () => {
    const book = new SampleBook();
    for (const step of [0, 10, 5, 10]) book.keep(sample(step, `at ${String(book.list.length)}`));
    expect(book.list.map(({ step, texts: [text] }) => [step, text])).toEqual([
      [0, 'at 0'],
      [5, 'at 2'],
      [10, 'at 3'],
    ]);
    expect(newestSample(book.list, 7)?.step).toBe(5);
    book.forget(5);
    expect(newestSample(book.list, 100)?.step).toBe(5);
    book.forget(null);
    expect(newestSample(book.list, 100)).toBeNull();
  });

  it('grow while they are written, and never shrink', () => {
    const book = new SampleBook();
    book.begin({ step: 3, prompt: 'p' }, 2);
    book.grow(1, 'abc');
    book.grow(1, 'ab');
    expect(book.live).toEqual({ step: 3, prompt: 'p', texts: ['', 'abc'] });
    book.keep(sample(3));
    expect(book.live).toBeNull();
    book.grow(0, 'too late');
    expect(book.live).toBeNull();
  });
});

describe('the remaining time', () => {
  it('is shown in increments that do not flicker', () => {
    expect(timeLeft(texts, 0.2)).toBe('about 1 s left');
    expect(timeLeft(texts, 12)).toBe('about 15 s left');
    expect(timeLeft(texts, 47)).toBe('about 50 s left');
    expect(timeLeft(texts, 170)).toBe('about 3 min left');
  });
});
