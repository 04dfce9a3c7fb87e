/** AdamW with second moments shared by the rows of a table, against its formula in double precision. */
import { beforeAll, expect, test } from 'vitest';
import { loadCore, type Core, type Trainer } from '../../../web/index.js';

const tokenIds = Uint32Array.from({ length: 400 }, (_, i) => (i * i + (i >> 2)) % 7);
const [vocabSize, dModel] = [7, 3];
const rates = { learningRate: 0.01, weightDecay: 0.1, beta1: 0.9, beta2: 0.95, epsilon: 1e-8 } as const;

let core: Core;
beforeAll(async () => {
  core = await loadCore({ modules: [] });
});

const make = (tying: 'tied' | 'untied', optimizer: 'adamw' | 'coupled-adamw' = 'coupled-adamw'): Trainer =>
  core.createTrainer({
    model: { kind: 'direct-path', vocabSize, dModel, tying, initStd: 0.5 },
    training: { ...rates, optimizer, batchSize: 16, seed: 5 },
    tokenIds,
  });

test('coupled AdamW moves a shared table by its own first moments, divided by the second moments of the column', () => {
  const trainer = make('tied');
  const size = vocabSize * dModel;
  const weights = Float64Array.from(trainer.matrix('embedding').data);
  const first = new Float64Array(size);
  const second = new Float64Array(dModel);
  for (let step = 1; step <= 5; step++) {
    const { data: gradient } = trainer.gradient().total;
    for (let col = 0; col < dModel; col++) {
      let mean = 0;
      for (let row = 0; row < vocabSize; row++) mean += gradient[row * dModel + col]! ** 2 / vocabSize;
      second[col] = rates.beta2 * second[col]! + (1 - rates.beta2) * mean;
    }
    for (let i = 0; i < size; i++) {
      first[i] = rates.beta1 * first[i]! + (1 - rates.beta1) * gradient[i]!;
      const moved = first[i]! / (1 - rates.beta1 ** step);
      const scale = Math.sqrt(second[i % dModel]! / (1 - rates.beta2 ** step)) + rates.epsilon;
      weights[i] = weights[i]! * (1 - rates.learningRate * rates.weightDecay) - (rates.learningRate * moved) / scale;
    }
    trainer.run(1);
    // Five steps of at most a few hundredths, in single precision.
    for (const [i, value] of trainer.matrix('embedding').data.entries())
      expect(Math.abs(value - weights[i]!)).toBeLessThan(1e-6);
  }
});

test('coupled AdamW moves rows by the size of their gradients, while AdamW moves each by the rate', () => {
  const moved = (optimizer: 'adamw' | 'coupled-adamw'): number[] => {
    const trainer = core.createTrainer({
      model: { kind: 'direct-path', vocabSize: 3, dModel: 1, tying: 'untied' },
      training: { learningRate: 0.01, optimizer, batchSize: 64, seed: 1 },
      // The last token is rare.
      tokenIds: Uint32Array.from({ length: 5000 }, (_, i) => (i % 1000 === 999 ? 2 : i % 2)),
    });
    const before = trainer.matrix('embedding').data;
    const { data: gradient } = trainer.gradient().input;
    trainer.run(1);
    return [...trainer.matrix('embedding').data].flatMap((value, i) =>
      gradient[i] === 0 ? [] : [Math.abs(value - before[i]!)],
    );
  };
  const [largest, smallest] = [Math.max, Math.min].map((of) => (values: number[]) => of(...values)) as [
    (values: number[]) => number,
    (values: number[]) => number,
  ];
  const plain = moved('adamw');
  // The first step of AdamW has the size of the rate, whatever the size of the gradient.
  for (const distance of plain) expect(distance).toBeCloseTo(0.01, 4);
  const coupled = moved('coupled-adamw');
  expect(largest(coupled)).toBeGreaterThan(0.01);
  expect(smallest(coupled)).toBeLessThan(largest(coupled));
});

test('coupled AdamW continues from a file with the option and the same bits', () => {
  for (const tying of ['tied', 'untied'] as const) {
    const trainer = make(tying);
    trainer.run(7);
    const again = core.loadTrainer(trainer.save());
    expect(again.training.optimizer).toBe('coupled-adamw');
    trainer.run(7);
    again.run(7);
    expect(again.matrix('embedding').data).toEqual(trainer.matrix('embedding').data);
    const plain = make(tying, 'adamw');
    plain.run(14);
    expect(plain.matrix('embedding').data).not.toEqual(trainer.matrix('embedding').data);
  }
});

test('coupled AdamW takes as much memory as AdamW, and refuses the momentum of SGD', () => {
  const model = { kind: 'direct-path', vocabSize, dModel, tying: 'tied' } as const;
  const training = { ...rates, batchSize: 16, seed: 5 } as const;
  expect(core.estimateMemory(model, { ...training, optimizer: 'coupled-adamw' })).toEqual(
    core.estimateMemory(model, training),
  );
  expect(() =>
    core.createTrainer({ model, training: { ...training, optimizer: 'coupled-adamw', momentum: 0.9 }, tokenIds }),
  ).toThrow("training.momentum is 0.9; expected it to be absent; only optimizer 'sgd' or 'muon' has it");
});
