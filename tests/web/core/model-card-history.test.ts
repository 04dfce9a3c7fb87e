// Model cards: history, coupling, and properties of every card.
import { describe, expect, test } from 'vitest';
import { written } from '../../../web/core/diagnostics/model-card/markdown.js';
import type { CardHistory, CardTraining, ModelCardOptions, Trainer, TrainingConfig } from '../../../web/index.js';
import { tinyModel } from '../../browser/llama2c-files.js';
import { ALL_TYINGS, IDS, cardOf, core, leavesOf, pathOf, trained } from './model-card-trainers.js';

describe('the history of a card', () => {
  const recordsTo = (steps: number) => trained({}, { steps: 0 }).run(steps);

  test('has all records if they are few, and is denser at the start if they are many', () => {
    const [few, many] = [recordsTo(5), recordsTo(400)];
    const trainer = trained();
    expect(cardOf(trainer).history).toEqual({ notMeasured: 'No records of the training were given.' });
    const { records, leftOut, points } = cardOf(trainer, { records: few }).history as CardHistory;
    expect([records, leftOut]).toEqual([5, 0]);
    expect(points.map(({ step, loss, inputShare }) => [step, loss.value, inputShare.value])).toEqual(
      few.map(({ step, loss, inputShare }) => [step, loss, inputShare]),
    );
    const long = cardOf(trainer, { records: many }).history as CardHistory;
    const steps = long.points.map(({ step }) => step);
    expect([steps[0], steps.at(-1), long.records, long.leftOut]).toEqual([1, 400, 400, 400 - steps.length]);
    expect(steps.length).toBeGreaterThan(9);
    steps.slice(2).forEach((step, i) => expect(step - steps[i + 1]!).toBeGreaterThanOrEqual(steps[i + 1]! - steps[i]!));
    for (const { step, inputPositionShare } of long.points) {
      expect(inputPositionShare.value).toBe(many[step - 1]!.inputPositionShare);
    }
  });
});

describe('the coupling of a card', () => {
  test('reports the values of schedules at the current step', () => {
    const training: Partial<TrainingConfig> = {
      ...{
        optimizer: 'adamw',
        weightDecay: 0.1,
        decayEmbeddings: false,
        warmupSteps: 3,
        decay: 'cosine',
        totalSteps: 50,
      },
      inputGradientScale: [
        [2, 1],
        [10, 5],
      ],
      learningRateMultipliers: {
        embedding: 2,
        unembedding: [
          [0, 0.5],
          [4, 0.1],
        ],
      },
    };
    const model = { tying: { untieAtStep: 6 }, embeddingScale: 'sqrt-d-model' } as const;
    const at = (steps: number) => cardOf(trained(model, { steps, training })).coupling;
    const [start, middle, end] = [at(1), at(6), at(12)];
    expect(start.tying).toMatchObject({ untieAtStep: 6 });
    expect([start, middle, end].map((one) => one.tyingChangedAt)).toEqual([null, 6, 6]);
    expect([start.shared, end.shared]).toEqual([[['unembedding', 'embedding']], []]);
    expect(start.embeddingScale).toBeCloseTo(Math.sqrt(8), 12);
    expect([start, middle, end].map((one) => (one.training as CardTraining).inputGradientScale.now)).toEqual([1, 3, 5]);
    expect(start.training).toEqual({
      ...{
        optimizer: 'adamw',
        warmupSteps: 3,
        decay: 'cosine',
        totalSteps: 50,
        tableWeightDecay: 0,
        seed: 3,
        initSeed: 3,
      },
      learningRates: { embedding: 0.02, unembedding: 0.005, inner: 0.01 },
      learningRateMultipliers: {
        embedding: { now: 2, schedule: [[0, 2]] },
        unembedding: {
          now: 0.4,
          schedule: [
            [0, 0.5],
            [4, 0.1],
          ],
        },
        inner: { now: 1, schedule: [[0, 1]] },
      },
      inputGradientScale: {
        now: 1,
        schedule: [
          [2, 1],
          [10, 5],
        ],
      },
    });
    const decays = cardOf(trained({}, { training: { weightDecay: 0.1 } })).coupling.training as CardTraining;
    expect([decays.tableWeightDecay, decays.totalSteps, decays.inputGradientScale]).toEqual([
      ...[0.1, null],
      { now: 1, schedule: [[0, 1]] },
    ]);
  });

  test('does not invent training for a model of another program', () => {
    const { coupling, directPath } = core
      .loadModel(tinyModel({ tied: true }), { format: 'llama2c' })
      .modelCard({ tokenIds: Uint32Array.of(1, 2, 3) }).data;
    expect(coupling.training).toEqual({ notMeasured: 'The model has no training data.' });
    expect(directPath).toMatchObject({ symmetric: true });
  });
});

describe('a card', () => {
  const kinds: [string, () => Trainer, Partial<ModelCardOptions>][] = [
    ...ALL_TYINGS.map((model): [string, () => Trainer, object] => [JSON.stringify(model), () => trained(model), {}]),
    ['with a tuned lens', () => trained(), { tunedLens: { tokenIds: IDS, steps: 3, tokensPerStep: 7 } }],
    [
      'with a history',
      () => trained(),
      { records: [1, 7].map((step) => ({ step, loss: 3.25, inputShare: 0, inputPositionShare: 1 / step })) },
    ],
    ['of two tokens', () => pathOf([[1], [2]], [[0], [1]]), { tokenIds: Uint32Array.of(0, 1) }],
    ['of a table of zeros', () => pathOf([[0], [0]]), { tokenIds: Uint32Array.of(0, 1) }],
  ];

  test.each(kinds)('is plain data, and its text contains every number: %s', (_, make, options) => {
    const { data, markdown } = make().modelCard({ tokenIds: IDS, ...options });
    expect(JSON.parse(JSON.stringify(data))).toStrictEqual(data);
    const numbers = markdown.match(/-?\d+(?:\.\d+)?(?:e[+-]\d+)?/g)!;
    for (const [path, leaf] of leavesOf(data)) {
      expect(['number', 'string', 'boolean', 'object'], path).toContain(typeof leaf);
      if (typeof leaf !== 'number') continue;
      expect(Number.isFinite(leaf), path).toBe(true);
      expect(numbers, path).toContain(written(leaf));
    }
    expect(markdown).toMatch(/^### Input and output embedding\n/);
    expect(markdown).not.toMatch(/undefined|NaN|Infinity|\[object/);
  });
});
