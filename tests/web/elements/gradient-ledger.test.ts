// How <tied-gradient-ledger> presents its measurements. Its training and use are tested in tests/browser/gradient-ledger.test.ts.
import { describe, expect, it } from 'vitest';
import type { GradientBand, LossBand } from '../../../web/core/types.js';
import { bandName, norm } from '../../../web/elements/gradient-ledger/band-bars.js';
import { gradientLedgerStrings as texts } from '../../../web/elements/gradient-ledger/gradient-ledger.strings.js';
import { gainWords } from '../../../web/elements/gradient-ledger/loss-plot.js';
import {
  furthestAhead,
  measureLedgers,
  shownSteps,
  writingShare,
  type LedgerReport,
  type Measured,
} from '../../../web/elements/gradient-ledger/measure.js';
import { gradientLedgerStyles } from '../../../web/elements/gradient-ledger/gradient-ledger.styles.js';
import type { View } from '../../../web/elements/gradient-ledger/view.js';
import { createLab } from '../../../web/worker/lab.js';

const report = (inputShare: number, inputPositionShare: number) =>
  ({ inputShare, inputPositionShare }) as unknown as LedgerReport;
const measured: Measured = {
  seed: 1,
  reports: {
    tied: [0.5, 0.2, 0.1, 0.3, 0.4, 0.6].map((share, step) => report(share, step === 3 ? 0.01 : 0.5)),
    untied: shownSteps.map(() => report(0, 0)),
  },
};

it('draws reading and writing in the colors that they have in all figures', () => {
  const styles = gradientLedgerStyles.cssText;
  expect(styles).toContain('.input { fill: var(--t-input); }');
  expect(styles).toContain('.pull { fill: var(--t-output); }');
});

it('tells a gradient of exactly 0 from a small one', () => {
  expect([0, 0.0004, 0.0005, 0.0526].map(norm)).toEqual(['0', '<\u00a00.001', '0.001', '0.053']);
});

describe('the shares', () => {
  it('belong to the output role, in either definition', () => {
    expect(writingShare(report(0.25, 0.1), 'token')).toBe(0.75);
    expect(writingShare(report(0.25, 0.1), 'position')).toBe(0.9);
    expect(furthestAhead(measured, 'token')).toBe(2);
    expect(furthestAhead(measured, 'position')).toBe(3);
  });
});

describe('losses by frequency of tokens', () => {
  const band = (loss: number, tokens = 7) =>
    ({ from: 1, to: 3, tokens, loss, chance: 5, standardError: 0.1 }) as LossBand;
  const words = (tied: number[], untied: number[]) => {
    const reports = ([tied, untied] as const).map((losses) => [
      { losses: { bands: losses.map((loss) => band(loss)) } } as unknown as LedgerReport,
    ]) as [LedgerReport[], LedgerReport[]];
    return gainWords({
      texts,
      at: 0,
      measured: { reports: { tied: reports[0], untied: reports[1] } },
    } as unknown as View);
  };
  it('are compared at both ends, whichever model is better', () => {
    expect(words([5, 4, 2], [4.5, 3, 2.25])).toBe(
      'The untied model’s loss is 0.25 nats higher on the most frequent tokens, and 0.50 nats lower on the 7 predictions of the rarest.',
    );
  });
  it('are not compared if all predicted tokens are in one band', () => {
    expect(words([5], [4])).toBe('');
  });
});

it('are in bands named by the frequency of their tokens', () => {
  const named = (from: number, to: number) => bandName(texts, { from, to } as GradientBand);
  expect([named(0, 0), named(1, 3), named(3_162_277_661, 4_294_967_295)]).toEqual([
    '0',
    '1 to 3',
    '3,162,277,661 and more',
  ]);
});

it('a measurement that is cancelled during training leaves the lab as before', async () => {
  const lab = await createLab();
  const cancel = new AbortController();
  const told: number[] = [];
  const listening = {
    signal: cancel.signal,
    onProgress: (fraction: number) => {
      told.push(fraction);
      cancel.abort();
    },
  };
  await expect(measureLedgers(lab, 1, listening)).rejects.toMatchObject({ code: 'cancelled' });
  expect(told.every((fraction) => fraction > 0 && fraction < 0.5)).toBe(true);
  expect((await lab.writeStories({ seed: 1, length: 100 })).length).toBeGreaterThanOrEqual(100);
  lab.dispose();
});
