import { beforeAll, describe, expect, test } from 'vitest';
import {
  loadCore,
  type Core,
  type DirectPathConfig,
  type StepRecord,
  type Trainer,
  type TrainingConfig,
  type Tying,
} from '../../../web/index.js';
import { hashOf } from '../seed-bits.js';
import { errorOf, EXPLORER, matrixOf, rowsOf, TOY_COUNTS } from './support.js';

let core: Core;
let tokenIds: Uint32Array;
beforeAll(async () => {
  core = await loadCore();
  const transition = core.randomMarkovChain({ states: 8, seed: 5 });
  tokenIds = core.sampleMarkovChain({ transition, length: 4000, seed: 6 });
});

const TYINGS: readonly Tying[] = ['tied', 'untied', 'tied-linear', 'tied-mlp'];

function model(tying: Tying, more: Partial<DirectPathConfig> = {}): DirectPathConfig {
  return { kind: 'direct-path', vocabSize: 8, dModel: 4, tying, ...more };
}

const TRAINING: TrainingConfig = { learningRate: 0.02, batchSize: 32, seed: 7 };

function onPairs(tying: Tying, training: Partial<TrainingConfig> = {}): Trainer {
  return core.createTrainer({ model: model(tying), training: { ...TRAINING, ...training }, tokenIds });
}

function bitsOf(trainer: Trainer): string {
  return hashOf(trainer.parameters().map(({ name }) => trainer.matrix(name).data));
}

/** Everything that a step determines, so not the time. */
function timeless(records: readonly StepRecord[]): Omit<StepRecord, 'tokensPerSecond'>[] {
  return records.map(({ tokensPerSecond: _, ...record }) => record);
}

describe('the toy chain', () => {
  // Golden losses of the best fits, from another program (L-BFGS). For tied models these lie at infinity (one common vector
  // that grows without bound, which leaves the tokens' own frequencies), and are approached like 1 / norm^2.
  const cases: [Tying, number, number, number][] = [
    ['tied', 1, 1.0627815576, 5e-4],
    ['tied', 3, 1.0627815576, 5e-4],
    ['untied', 1, 0.808287, 1e-4],
    ['untied', 2, 0.777221739, 1e-4],
    ['tied-linear', 2, 0.777221739, 1e-4],
  ];
  test.each(cases)('trained with tying %s at width %i ends at %f nats', (tying, dModel, loss, tolerance) => {
    const steps = 30_000;
    const trainer = core.createTrainer({
      model: { kind: 'direct-path', vocabSize: 3, dModel, tying, initStd: 0.5 },
      training: { learningRate: 0.05, decay: 'cosine', totalSteps: steps, seed: 1 },
      bigramCounts: TOY_COUNTS,
    });
    const records = trainer.run(steps, { recordEvery: steps });
    expect(records).toHaveLength(1);
    const evaluation = trainer.evaluate();
    expect(evaluation.loss).toBeGreaterThan(loss - 1e-6);
    expect(evaluation.loss).toBeLessThan(loss + tolerance);
  });
});

describe('a run', () => {
  test('returns a record of every step, and reports progress', () => {
    const trainer = onPairs('tied');
    const records = trainer.run(20);
    expect(records.map(({ step }) => step)).toEqual(Array.from({ length: 20 }, (_, i) => i + 1));
    expect(trainer.step).toBe(20);
    for (const record of records) {
      expect(record.inputShare).toBeCloseTo(
        record.inputGradientNorm / (record.inputGradientNorm + record.outputGradientNorm),
        12,
      );
      expect(record.unembeddingDrift).toBe(record.embeddingDrift);
      expect(record.tokensPerSecond).toBeGreaterThan(0);
    }
    // Weights start near zero, so the first loss is that of equal probabilities.
    expect(records[0]!.loss).toBeCloseTo(Math.log(8), 2);
  });

  test('records every n-th step, counted from the start, and the last step', () => {
    const trainer = onPairs('untied');
    expect(trainer.run(10, { recordEvery: 4 }).map(({ step }) => step)).toEqual([4, 8, 10]);
    expect(trainer.run(3, { recordEvery: 4 }).map(({ step }) => step)).toEqual([12, 13]);
    expect(trainer.run(0)).toEqual([]);
  });

  test('returns the same records as columns on request', () => {
    const [one, other] = [onPairs('untied'), onPairs('untied')];
    const records = one.run(10, { recordEvery: 4 });
    const columns = other.run(10, { recordEvery: 4, columns: true });
    expect(Object.keys(columns)).toEqual(Object.keys(records[0]!));
    expect([...columns.step]).toEqual([4, 8, 10]);
    for (const name of ['loss', 'inputShare', 'gradientCosine', 'unembeddingDrift'] as const) {
      expect([...columns[name]]).toEqual(records.map((record) => record[name]));
    }
    expect(other.run(0, { columns: true }).loss).toHaveLength(0);
  });

  test('lowers the loss of every kind of model', () => {
    for (const tying of TYINGS) {
      const trainer = onPairs(tying);
      const before = trainer.evaluate();
      trainer.run(300);
      const after = trainer.evaluate();
      expect(after.loss).toBeLessThan(before.loss - 0.05);
      expect(after.perplexity).toBeCloseTo(Math.exp(after.loss), 6);
      expect(after.tokens).toBe(tokenIds.length - 1);
    }
  });

  test('is the same in one call or many, with or without a listener', () => {
    const whole = onPairs('tied-mlp');
    const parts = onPairs('tied-mlp');
    const listened = onPairs('tied-mlp');
    const records = timeless(whole.run(30));
    expect(timeless([...parts.run(1), ...parts.run(12), ...parts.run(17)])).toEqual(records);
    expect(timeless(listened.run(30, { onProgress: () => {} }))).toEqual(records);
    expect(bitsOf(parts)).toBe(bitsOf(whole));
    expect(bitsOf(listened)).toBe(bitsOf(whole));
  });

  test('reports progress to the end', () => {
    const fractions: number[] = [];
    const steps: number[] = [];
    onPairs('tied').run(8, {
      recordEvery: 2,
      onProgress: (fraction, record) => {
        fractions.push(fraction);
        steps.push(record.step);
      },
    });
    expect(fractions).toEqual([0.25, 0.5, 0.75, 1]);
    expect(steps).toEqual([2, 4, 6, 8]);
  });

  test('stops within one step of a cancellation, and finished steps remain', () => {
    const trainer = onPairs('tied');
    const controller = new AbortController();
    const error = errorOf(() =>
      trainer.run(100, {
        signal: controller.signal,
        onProgress: (_, record) => {
          if (record.step === 5) controller.abort();
        },
      }),
    );
    expect(error.code).toBe('cancelled');
    expect(error.message).toMatch(/5 of 100 steps/);
    expect(trainer.step).toBe(5);
    expect(errorOf(() => trainer.run(1, { signal: controller.signal })).code).toBe('cancelled');
    expect(trainer.run(1)[0]!.step).toBe(6);
  });

  test('on a table needs no batch, and learns from the whole table at each step', () => {
    const { counts } = core.bigrams(tokenIds, 8);
    const trainer = core.createTrainer({
      model: model('untied'),
      training: { learningRate: 0.05, seed: 1 },
      bigramCounts: counts,
    });
    const [first] = trainer.run(1);
    expect(trainer.training.batchSize).toBeUndefined();
    expect(first!.loss).toBeCloseTo(Math.log(8), 2);
    trainer.run(2000, { recordEvery: 1000 });
    const { bigram } = core.bigramBounds(counts);
    // Width 4 of 8 leaves a small gap. Only rounding can take a model below the entropy.
    expect(trainer.evaluate().loss).toBeGreaterThan(bigram - 1e-5);
    expect(trainer.evaluate().loss).toBeLessThan(bigram + 0.2);
  });

  test('evaluates on other tokens', () => {
    const trainer = onPairs('untied');
    trainer.setMatrix('embedding', { rows: 8, cols: 4, data: new Float32Array(32) });
    // Logits of zero: equal probabilities, whatever the tokens.
    const evaluation = trainer.evaluate(Uint32Array.of(0, 3, 7));
    expect(evaluation.loss).toBeCloseTo(Math.log(8), 6);
    expect(evaluation.tokens).toBe(2);
  });
});

describe('parameters', () => {
  test('report which of them share storage, and count it once', () => {
    expect(onPairs('tied').parameters()).toEqual([
      { name: 'embedding', shape: [8, 4], tiedTo: null, count: 32 },
      { name: 'unembedding', shape: [8, 4], tiedTo: 'embedding', count: 0 },
    ]);
    const names = onPairs('tied-mlp')
      .parameters()
      .map(({ name, shape }) => [name, shape]);
    expect(names).toContainEqual(['mlp.up.weight', [16, 4]]);
    expect(names).toContainEqual(['mlp.up.bias', [16]]);
  });

  test('can be read and set, by either name of a tied matrix', () => {
    const trainer = core.createTrainer({
      model: { kind: 'direct-path', vocabSize: 3, dModel: 2, tying: 'tied' },
      training: TRAINING,
      tokenIds: Uint32Array.of(0, 1, 2, 0),
    });
    trainer.setMatrix('unembedding', EXPLORER);
    expect(trainer.matrix('embedding')).toEqual(EXPLORER);
    const from = Uint32Array.of(0, 1, 2);
    expect(trainer.nextTokenLogits({ from })).toEqual(core.directPath({ embedding: EXPLORER }));
    // Golden rows, to four decimals.
    const expected = [
      [0.3697, 0.3697, 0.2605],
      [0.3036, 0.3708, 0.3256],
      [0.2273, 0.3459, 0.4268],
    ];
    const rows = rowsOf(trainer.nextTokenProbabilities({ from }));
    rows.forEach((row, i) => row.forEach((p, j) => expect(p).toBeCloseTo(expected[i]![j]!, 4)));
    const some = trainer.nextTokenProbabilities({ from: Uint32Array.of(2), to: Uint32Array.of(1, 0) });
    expect(rowsOf(some)).toEqual([[rows[2]![1], rows[2]![0]]]);
  });

  test('are copies', () => {
    const trainer = onPairs('tied');
    const before = bitsOf(trainer);
    trainer.matrix('embedding').data.fill(9);
    expect(bitsOf(trainer)).toBe(before);
  });

  test('start from their own seed, and every kind starts with the same embedding', () => {
    const starts = TYINGS.map((tying) => hashOf([onPairs(tying).matrix('embedding').data]));
    expect(new Set(starts).size).toBe(1);
    expect(hashOf([onPairs('tied', { initSeed: 8 }).matrix('embedding').data])).not.toBe(starts[0]);
    expect(hashOf([onPairs('tied', { seed: 8, initSeed: 7 }).matrix('embedding').data])).toBe(starts[0]);
  });
});

describe('the gradient ledger', () => {
  test('for a tied matrix adds up, with the input part scaled', () => {
    const trainer = onPairs('tied', { inputGradientScale: 5 });
    trainer.run(10);
    const { input, output, total, inputRows, outputRows } = trainer.gradient();
    expect(outputRows).toBe(8);
    expect(inputRows).toBeLessThanOrEqual(8);
    total.data.forEach((sum, i) => expect(sum).toBeCloseTo(5 * input.data[i]! + output.data[i]!, 6));
  });

  test('has input parts only in rows that were read, and changes no weights', () => {
    const trainer = onPairs('untied');
    const before = bitsOf(trainer);
    const { input, inputRows } = trainer.gradient({
      inputs: Uint32Array.of(2, 5, 2),
      targets: Uint32Array.of(1, 1, 3),
    });
    expect(inputRows).toBe(2);
    const touched = rowsOf(input).flatMap((row, i) => (row.some((x) => x !== 0) ? [i] : []));
    expect(touched).toEqual([2, 5]);
    expect(bitsOf(trainer)).toBe(before);
    expect(trainer.step).toBe(0);
  });

  test('agrees with the record of the next step', () => {
    const trainer = onPairs('tied');
    trainer.run(3);
    const { input, output } = trainer.gradient();
    const [record] = trainer.run(1);
    const norm = (data: Float32Array): number => Math.sqrt(data.reduce((sum, x) => sum + x * x, 0));
    expect(record!.inputGradientNorm).toBeCloseTo(norm(input.data), 6);
    expect(record!.outputGradientNorm).toBeCloseTo(norm(output.data), 6);
  });
});

describe('states', () => {
  test('continue bit for bit after saving and loading, with the same options', () => {
    for (const tying of TYINGS) {
      const trainer = onPairs(tying, { warmupSteps: 10, weightDecay: 0.1 });
      trainer.run(25);
      const loaded = core.loadTrainer(trainer.save());
      expect(loaded.step).toBe(25);
      expect(loaded.model).toEqual(trainer.model);
      expect(loaded.training).toEqual(trainer.training);
      expect(timeless(loaded.run(15))).toEqual(timeless(trainer.run(15)));
      expect(bitsOf(loaded)).toBe(bitsOf(trainer));
    }
  });

  test('are restored by rewinding to any step, any number of times', () => {
    const trainer = onPairs('tied-linear', { optimizer: 'sgd', learningRate: 0.1, momentum: 0.9 });
    const bits = [bitsOf(trainer)];
    for (let step = 1; step <= 40; step++) {
      trainer.run(1);
      bits.push(bitsOf(trainer));
    }
    for (const step of [40, 17, 0, 33]) {
      trainer.rewind(step);
      expect(trainer.step).toBe(step);
      expect(bitsOf(trainer)).toBe(bits[step]);
    }
    trainer.rewind();
    trainer.run(40);
    expect(bitsOf(trainer)).toBe(bits[40]);
  });

  test('return complete options, which can be passed again', () => {
    const trainer = onPairs('tied-mlp', { gradientClip: 2, decay: 'cosine', totalSteps: 9 });
    expect(trainer.model).toEqual({
      ...model('tied-mlp'),
      dFeedForward: 16,
      embeddingScale: 'none',
      outputBias: false,
      initStd: 0.02,
    });
    expect(trainer.training).toEqual({
      optimizer: 'adamw',
      learningRate: 0.02,
      warmupSteps: 0,
      decay: 'cosine',
      totalSteps: 9,
      finalLearningRateFraction: 0,
      weightDecay: 0,
      gradientClip: 2,
      beta1: 0.9,
      beta2: 0.999,
      epsilon: 1e-8,
      batchSize: 32,
      gradientAccumulation: 1,
      inputGradientScale: 1,
      learningRateMultipliers: { embedding: 1, unembedding: 1, inner: 1 },
      decayEmbeddings: true,
      seed: 7,
      initSeed: 7,
    });
    const again = core.createTrainer({ model: trainer.model, training: trainer.training, tokenIds });
    expect(again.training).toEqual(trainer.training);
    expect(bitsOf(again)).toBe(bitsOf(trainer));
  });
});

describe('estimateMemory', () => {
  test('adds up, and grows with the model', () => {
    const small = core.estimateMemory(model('tied'), TRAINING);
    expect(small.bytes).toBe(small.parts.reduce((sum, { bytes }) => sum + bytes, 0));
    const large = core.estimateMemory(model('untied', { vocabSize: 50_000, dModel: 64 }), TRAINING);
    // Two matrices of floats, with gradients, two moments and the start: at least ten times one matrix.
    expect(large.bytes).toBeGreaterThan(10 * 50_000 * 64 * 4);
    expect(large.bytes).toBeLessThan(400e6);
  });
});

test('matrices of one row or column need no special treatment', () => {
  const trainer = core.createTrainer({
    model: { kind: 'direct-path', vocabSize: 2, dModel: 1, tying: 'tied' },
    training: { learningRate: 0.1, seed: 1 },
    bigramCounts: matrixOf([
      [1, 2],
      [3, 4],
    ]),
  });
  trainer.run(5);
  expect(trainer.matrix('embedding')).toMatchObject({ rows: 2, cols: 1 });
});
