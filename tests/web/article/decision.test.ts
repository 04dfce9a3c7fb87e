import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../../../tools/lib/root.mjs';
import { decisionRun, widthFacts } from '../../../web/article/build/width-facts.mjs';
import {
  chosenVocabularies,
  chosenWidths,
  decisionSentence,
  guessSentence,
  guessedOf,
  ownSentence,
  placeOf,
  revealSentence,
  savedShare,
  type DecisionRun,
} from '../../../web/article/figures/decision/facts.js';
import { layoutOf, widthIndexAt } from '../../../web/article/figures/decision/drawing.js';
import { ownRunOf } from '../../../web/article/figures/decision/own-runs.js';
import { loadCore } from '../../../web/index.js';

const read = (name: string): string => readFileSync(join(root, 'docs/experiments', name), 'utf8');
const [widths, defaults] = [read('widths.tsv'), read('tiny-shakespeare.tsv')];
const recorded = decisionRun(widthFacts(widths, defaults)) as DecisionRun;

/** The loss of each seed, read from the files in another way. */
function losses(tying: string, width: number): Map<number, number> {
  const found = new Map<number, number>();
  for (const line of `${widths}\n${defaults}`.split('\n')) {
    const [vocabulary, variant, seed, quantity, value] = line.split('\t');
    const isIt = variant === `${tying}-${String(width)}` || (width === 64 && variant === tying);
    if (vocabulary === 'reference' && isIt && quantity === 'validation loss') found.set(Number(seed), Number(value));
  }
  return found;
}

describe('the recorded costs', () => {
  it('are tied minus untied of every seed in the files, with Student’s t in closed form', () => {
    expect(recorded.widths.map(({ width }) => width)).toEqual(expect.arrayContaining([16, 32, 64, 128]));
    for (const { width, costs, mean, halfWidth } of recorded.widths) {
      const untied = losses('untied', width);
      const expected = [...losses('tied', width)]
        .filter(([seed]) => untied.has(seed))
        .sort(([a], [b]) => a - b)
        .map(([seed, loss]) => loss - untied.get(seed)!);
      expect(costs).toHaveLength(expected.length);
      costs.forEach((cost, at) => expect(cost).toBeCloseTo(expected[at]!, 5));
      const n = expected.length;
      const middle = expected.reduce((sum, cost) => sum + cost, 0) / n;
      expect(mean).toBeCloseTo(middle, 5);
      if (n < 3) {
        expect(halfWidth, `no interval from ${String(n)} runs`).toBeNull();
        continue;
      }
      const deviation = Math.sqrt(expected.reduce((sum, cost) => sum + (cost - middle) ** 2, 0) / (n - 1));
      // Quantiles with 2 and 4 degrees of freedom have a closed form (W. T. Shaw, 2006).
      const a = 4 * 0.975 * 0.025;
      const four = 2 * Math.sqrt(Math.cos(Math.acos(Math.sqrt(a)) / 3) / Math.sqrt(a) - 1);
      const quantile = { 3: 0.95 * Math.sqrt(2 / a), 5: four }[n]!;
      expect(halfWidth).toBeCloseTo((quantile * deviation) / Math.sqrt(n), 5);
    }
  });

  it('leave out a seed that only one of the models has, and have no interval for two', () => {
    const without = widths.replace(/^reference\tuntied-256\t[2-9]\tvalidation loss.*\n/gm, '');
    const cut = decisionRun(widthFacts(without, defaults)) as DecisionRun;
    const at = cut.widths.find(({ width }) => width === 256)!;
    expect([at.costs.length, at.halfWidth]).toEqual([2, null]);
    expect(guessedOf(cut)[1].width).toBe(128);
    expect(decisionSentence(cut, { vocabSize: 512, dModel: 256, nLayers: 4 }).claim).toMatch(
      /2 pairs of runs cost .* too few for an interval/,
    );
  });
});

it('what tying saves is what the core counts', async () => {
  const core = await loadCore({ modules: ['accounting'] });
  for (const vocabSize of [256, 512, 32_768]) {
    for (const dModel of [16, 64, 768]) {
      for (const nLayers of [1, 4, 12]) {
        const { savedOfUntied } = core.countParameters(
          { family: 'tied-embeddings', vocabSize, dModel, nLayers },
          'tied',
        );
        expect(savedShare({ vocabSize, dModel, nLayers })).toBeCloseTo(savedOfUntied, 12);
      }
    }
  }
  core.dispose();
  expect(chosenWidths).toContain(768);
  expect(chosenVocabularies).toContain(32_768);
});

describe('the sentence', () => {
  const run: DecisionRun = {
    vocabSize: 512,
    nLayers: 4,
    widths: [
      { width: 16, costs: [0.22, 0.23, 0.24], mean: 0.23, halfWidth: 0.025, untied: 4.1 },
      { width: 32, costs: [0.005, -0.005, 0.01], mean: 0.0033, halfWidth: 0.019, untied: 3.9 },
      { width: 64, costs: [-0.03, -0.031, -0.032], mean: -0.031, halfWidth: 0.0025, untied: 3.8 },
      { width: 128, costs: [0.01], mean: 0.01, halfWidth: null, untied: 3.65 },
    ],
  };
  const at = (dModel: number, more = {}): string => {
    const { claim, rest } = decisionSentence(run, { vocabSize: 512, nLayers: 4, dModel, ...more });
    return `${claim} ${rest}`.trim();
  };

  it('tells what was measured, with its interval', () => {
    expect(at(16)).toBe('At width 16 one table saves 27% and cost 0.23 ± 0.03 nats. Measured in 3 pairs of runs.');
    expect(at(32)).toContain('its cost, 0.00 ± 0.02 nats, cannot be told from zero.');
    expect(at(64)).toContain('and even gained 0.031 ± 0.003 nats.');
    expect(at(128)).toContain('one pair of runs cost 0.01 nats, too few for an interval.');
  });

  it('tells no cost between and beyond the measured widths', () => {
    expect(at(20)).toBe(
      'At width 20 one table saves 25%; its cost was not measured. Measured: 0.23 nats at 16, 0.00 at 32.',
    );
    expect(at(256)).toBe('At width 256 one table saves 3.8%. No measurement beyond 128.');
    expect(placeOf(run, 4096).kind).toBe('outside');
    expect(placeOf(run, 8)).toEqual({ kind: 'outside', nearest: run.widths[0] });
  });

  it('names the measured models where the reader’s differ', () => {
    const models = 'Measured with 512 tokens, 4 layers.';
    expect(at(16, { vocabSize: 32_768 })).toContain(models);
    expect(at(16, { nLayers: 12 })).toContain(models);
    expect(at(20, { nLayers: 12 })).toContain('With 512 tokens, 4 layers: 0.23 nats at 16, 0.00 at 32.');
    expect(at(256, { nLayers: 12 })).toContain(models);
    expect(at(16)).not.toContain('512');
  });

  it('has at most 25 words, wherever the reader is', () => {
    const sentences = chosenWidths.flatMap((dModel) => [at(dModel), at(dModel, { vocabSize: 262_144 })]);
    const reveal = revealSentence(recorded, [0.1, 0.2]);
    for (const sentence of [...sentences, `${reveal.claim} ${reveal.rest}`, ownSentence({ width: 64, cost: 0.1 })]) {
      expect(sentence.split(' ').filter((word) => word !== '±').length, sentence).toBeLessThanOrEqual(25);
    }
  });

  it('compares the guesses with the runs, and only if there are any', () => {
    expect(revealSentence(run, [0.15, 0.1]).rest).toBe('You said 0.15 and 0.10.');
    expect(revealSentence(run, null).rest).toBe('');
    expect(guessSentence(run, [0.15, 0.1])).toEqual({
      claim: 'Your guess: 0.15 nats at width 16, 0.10 at 64.',
      rest: 'For scale: with two tables, width 128 is 0.15 nats better than width 64.',
    });
  });
});

it('a place in the drawing is the nearest width, also at its ends', () => {
  for (const width of [272, 984]) {
    const layout = layoutOf(width, null);
    chosenWidths.forEach((one, at) => expect(widthIndexAt(layout, layout.x(one))).toBe(at));
    expect(widthIndexAt(layout, 0)).toBe(0);
    expect(widthIndexAt(layout, width)).toBe(chosenWidths.length - 1);
  }
  // A run of the reader's that is dearer than all of ours is inside, too.
  const dear = layoutOf(640, { width: 64, cost: 0.9 });
  expect(dear.costY(0.9)).toBeGreaterThan(dear.cost[0]);
});

it('all intervals are inside the drawing of the costs', () => {
  const { costY, cost } = layoutOf(984, null);
  for (const { mean, halfWidth } of recorded.widths) {
    expect(costY(mean + (halfWidth ?? 0))).toBeGreaterThanOrEqual(cost[0]);
    expect(costY(mean - (halfWidth ?? 0))).toBeLessThanOrEqual(cost[1]);
  }
});

describe('a run of the reader’s', () => {
  const lab = { steps: 20, dModel: 32 };
  it('counts once it is complete, with one table and with two', () => {
    expect(ownRunOf({ step: 20, losses: {}, heldOut: { tied: 4.5, untied: 4.25 } }, lab)).toEqual({
      width: 32,
      cost: 0.25,
    });
  });
  it('does not count before its end, without held-out text, or with other models', () => {
    expect(ownRunOf({ step: 19, losses: {}, heldOut: { tied: 4.5, untied: 4.25 } }, lab)).toBeNull();
    expect(ownRunOf({ step: 20, losses: { tied: 4.5, untied: 4.25 } }, lab)).toBeNull();
    expect(ownRunOf({ step: 20, losses: {}, heldOut: { tied: 4.5, 'tied-linear': 4.25 } }, lab)).toBeNull();
    expect(ownRunOf({ step: 20, losses: {}, heldOut: { tied: NaN, untied: 4.25 } }, lab)).toBeNull();
  });
});
