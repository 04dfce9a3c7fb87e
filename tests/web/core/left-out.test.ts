// What each verb of a trainer leaves out of a text: tokens without a loss, and tokens that a tuned lens was not trained on.
import { beforeAll, describe, expect, test } from 'vitest';
import { loadCore, type Core, type Trainer } from '../../../web/index.js';

let core: Core;
beforeAll(async () => {
  core = await loadCore({ modules: ['readout'] });
});

const VOCAB = 12;
const CONTEXT = 16;
const IDS = Uint32Array.from({ length: 120 }, (_, i) => (i * i + 3 * (i % 7)) % VOCAB);
const TRAINING = { learningRate: 0.01, batchSize: 4, seed: 3 };

const transformer = (contextLength = CONTEXT): Trainer =>
  core.createTrainer({
    model: {
      ...{ kind: 'transformer', vocabSize: VOCAB, dModel: 8, tying: 'untied' },
      ...{ nLayers: 2, nHeads: 2, contextLength, initStd: 0.3 },
    },
    training: TRAINING,
    tokenIds: IDS,
  });

const directPath = (): Trainer =>
  core.createTrainer({
    model: { kind: 'direct-path', vocabSize: VOCAB, dModel: 4, tying: 'tied' },
    training: TRAINING,
    tokenIds: IDS,
  });

/** Measured predictions, and tokens left out. */
type Counts = [predictions: number, leftOut: number];

const VERBS: Record<string, (trainer: Trainer, ids: Uint32Array) => Counts> = {
  gradientReport(trainer, ids) {
    const { tokens, leftOut } = trainer.gradientReport(ids);
    return [tokens, leftOut];
  },
  lossByFrequency(trainer, ids) {
    const { bands, leftOut } = trainer.lossByFrequency(ids);
    return [bands.reduce((sum, { tokens }) => sum + tokens, 0), leftOut];
  },
  selfTransitions(trainer, ids) {
    const { tokens, leftOut } = trainer.selfTransitions(ids);
    return [tokens, leftOut];
  },
  calibration(trainer, ids) {
    const { bins, leftOut } = trainer.calibration(ids);
    return [bins.reduce((sum, { tokens }) => sum + tokens, 0), leftOut];
  },
  ablateLayers(trainer, ids) {
    const { tokens, leftOut } = trainer.ablateLayers(ids);
    return [tokens, leftOut];
  },
  directPathReport(trainer, ids) {
    const { tokens, leftOut } = trainer.directPathReport(ids);
    return [tokens, leftOut];
  },
};

// A single prediction; a sequence minus one token, a full one, one plus a token, and two; a context that does not divide the text.
const LENGTHS = [2, 3, 15, 16, 17, 18, 32, 33, 34, 50, 120];

describe.each(Object.entries(VERBS))('%s', (_, count) => {
  test.each(LENGTHS)('measures all but one of %i tokens', (length) => {
    expect(count(transformer(), IDS.slice(0, length))).toEqual([length - 1, 1]);
  });

  test('predicts across the ends of sequences, however short', () => {
    expect(count(transformer(1), IDS.slice(0, 7))).toEqual([6, 1]);
    expect(count(transformer(5), IDS.slice(0, 7))).toEqual([6, 1]);
  });
});

test('lossByFrequency of a direct path leaves out the first token, and none because of its count', () => {
  const counts = new Uint32Array(VOCAB);
  const { tokens, leftOut } = directPath().lossByFrequency(IDS.slice(0, 100), { counts });
  expect([tokens, leftOut]).toEqual([99, 1]);
});

test.each([1, ...LENGTHS])('logitLens has no loss for one of %i tokens, but its divergence is measured', (length) => {
  const { layers, leftOut } = transformer().logitLens(IDS.slice(0, length));
  expect(leftOut).toBe(1);
  for (const { perToken, loss } of layers) {
    expect(perToken).toHaveLength(length);
    expect(loss === null).toBe(length === 1);
  }
});

describe('trainTunedLens', () => {
  const leftOutOf = (length: number, steps: number, tokensPerStep: number, contextLength = 4): number =>
    transformer(contextLength).trainTunedLens({ tokenIds: IDS.slice(0, length), steps, tokensPerStep }).leftOut;

  test('counts the tokens that no step drew', () => {
    // Sequences of 4 of 20 tokens begin at 10, 4, 14 and 8; the last has two tokens that are not in the others.
    expect([1, 2, 3, 4].map((steps) => leftOutOf(20, steps, 4))).toEqual([16, 12, 8, 6]);
    // The same sequences in steps of two.
    expect([1, 2].map((steps) => leftOutOf(20, steps, 8))).toEqual([12, 6]);
  });

  test('draws all of a text that is shorter than the context, and all of any text with enough steps', () => {
    expect(leftOutOf(1, 1, 1)).toBe(0);
    expect(leftOutOf(3, 1, 1)).toBe(0);
    expect(leftOutOf(20, 20, 40)).toBe(0);
    expect(leftOutOf(20, 1, 4, 64)).toBe(0);
  });
});

test('model cards report the same as the verbs', async () => {
  const whole = await loadCore({ modules: ['readout', 'diagnostics'] });
  const trainer = whole.createTrainer({
    model: { kind: 'transformer', vocabSize: VOCAB, dModel: 8, tying: 'tied', nLayers: 1, nHeads: 2, contextLength: 4 },
    training: TRAINING,
    tokenIds: IDS,
  });
  const tokenIds = IDS.slice(0, 20);
  const { data, markdown } = trainer.modelCard({ tokenIds, tunedLens: { tokenIds, steps: 3, tokensPerStep: 4 } });
  const { layers, gradient, loss } = data;
  if ('notMeasured' in layers) throw new Error(layers.notMeasured);
  expect([layers.leftOut, gradient.leftOut, loss.leftOut]).toEqual([1, 1, 1]);
  expect(layers.lens).toMatchObject({ tokens: 20, leftOut: 8 });
  expect(markdown).toContain('learned from a text of 20 tokens (left out: 8 tokens): 3 steps');
});
