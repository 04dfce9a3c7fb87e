import { describe, expect, it } from 'vitest';
import {
  finishedArms,
  finishedSnapshot,
  finishedText,
  finishedValues,
  isRunOf,
  knowsTokens,
  restingText,
  type FinishedRun,
} from '../../../web/elements/training-lab/finished-run.js';
import type { MappedText } from '../../../web/elements/training-lab/direct-path-run.js';
import { defaultSettings, type LabSettings } from '../../../web/elements/training-lab/settings.js';

const settings: LabSettings = { ...defaultSettings, arms: ['tied'], steps: 2 };
const run: FinishedRun = {
  textSource: 'a-year-in-new-york',
  settings,
  bounds: { unigram: 4, bigram: 2, symmetricLogits: 2.5 },
  tokens: ['New', 'York'],
  arms: [{ tying: 'tied', losses: [4, 3, 2.5], probabilities: [0.125, 0.25, 0.5, 0.0625] }],
};

// Only a snapshot of three tokens, in an order other than that of the run.
const text = { tokens: ['the', 'New', 'York'], mapIds: Uint32Array.of(2, 0, 1) } as unknown as MappedText;

describe('a finished run', () => {
  it('belongs only to its own text and settings', () => {
    expect(isRunOf(run, 'a-year-in-new-york', { ...settings, arms: ['tied'] })).toBe(true);
    expect(isRunOf(run, 'stories', settings)).toBe(false);
    const others: Partial<LabSettings>[] = [{ seed: 2 }, { arms: ['untied'] }, { batchSize: 64 }, { outputBias: true }];
    for (const other of others) expect(isRunOf(run, run.textSource, { ...settings, ...other })).toBe(false);
  });

  it('is not shown if losses or probabilities are missing', () => {
    const [arm] = run.arms;
    if (arm === undefined) throw new Error('no arm');
    const changed = (change: object): FinishedRun => ({ ...run, arms: [{ ...arm, ...change }] });
    expect(isRunOf(changed({ losses: [4, 3] }), run.textSource, settings)).toBe(false);
    expect(isRunOf(changed({ probabilities: [1] }), run.textSource, settings)).toBe(false);
    expect(isRunOf({ ...run, arms: [] }, run.textSource, settings)).toBe(false);
  });

  it('has the same read-out at its end as a run of the lab', () => {
    const [arm] = finishedArms(run);
    expect(Array.from(arm?.losses.values() ?? [])).toEqual([4, 3, 2.5]);
    expect(arm?.measured).toEqual({ step: 2, loss: 2.5 });
  });

  it('finds its tokens by name, whatever ids the text gives them', () => {
    expect(finishedValues(run, text.tokens, { from: 1, to: 2 })).toEqual([
      { forward: 0.25, backward: 0.5, repeated: 0.125 },
    ]);
    expect(finishedValues(run, text.tokens, { from: 0, to: 2 })).toBeNull();
    expect(knowsTokens(run, text, [0, 2])).toBe(true);
    expect(knowsTokens(run, text, [0, 1])).toBe(false);
    const snapshot = finishedSnapshot(run, text);
    // Rows and columns York, the, New.
    expect(Array.from(snapshot.arms[0]?.probabilities ?? [])).toEqual([0.0625, 0, 0.5, 0, 0, 0, 0.25, 0, 0.125]);
    expect(finishedSnapshot(run, text)).toBe(snapshot);
  });

  it('keeps its text as it is drawn, with the pair that is asked for if the text has it', () => {
    const whole: MappedText = {
      corpus: { characters: 17, tokens: 9, vocabSize: 3 } as MappedText['corpus'],
      name: 'A text',
      tokens: ['the', 'New', 'York'],
      bounds: { ...run.bounds, symmetricLogitsGap: 0 },
      chainBounds: null,
      opening: '',
      mapIds: Uint32Array.of(2, 0),
      orders: { 'one-way': [1, 0], frequency: [0, 1] },
      probabilities: Float32Array.of(0, 0.25, 0.125, 0),
      pair: { from: 0, to: 2 },
    };
    const kept = { ...run, text: JSON.parse(JSON.stringify(finishedText(whole))) as ReturnType<typeof finishedText> };
    expect(kept.text.probabilities).toEqual([
      [1, 0.25],
      [0, 0.125],
    ]);
    expect(restingText(kept, {})).toEqual(whole);
    expect(restingText(kept, { to: 'New' })?.pair).toEqual({ from: 0, to: 1 });
    expect(restingText(kept, { from: 'Boston' })?.pair).toEqual(whole.pair);
    expect(restingText(run, {})).toBeNull();
  });
});
