// The chance level of a lens, `chance` of `logitLens`: the best result of a translator that ignores its state, and what a lens learns
// from uninformative states.
import { beforeAll, expect, test } from 'vitest';
import { loadCore, type Core, type Trainer } from '../../../web/index.js';
import { rowsOf } from './support.js';

let core: Core;
beforeAll(async () => {
  core = await loadCore({ modules: ['readout'] });
});

function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Sets a parameter's elements: pairs of index and value, all others 0. */
function set(trainer: Trainer, name: string, entries: [row: number, col: number, value: number][]): void {
  const { rows, cols } = trainer.matrix(name);
  const data = new Float32Array(rows * cols);
  for (const [row, col, value] of entries) data[row * cols + col] = value;
  trainer.setMatrix(name, { rows, cols, data });
}

const identity = (size: number, value: number): [number, number, number][] =>
  Array.from({ length: size }, (_, i) => [i, i, value]);

test('no translator that ignores its state beats chance, and the best one equals it', () => {
  const [vocabSize, contextLength] = [4, 8];
  const ids = Uint32Array.from({ length: 40 }, (_, i) => (i * i + (i % 3)) % vocabSize);
  const trainer = core.createTrainer({
    model: {
      ...{ kind: 'transformer', vocabSize, dModel: vocabSize, tying: 'untied', finalNorm: false },
      ...{ nLayers: 1, nHeads: 1, contextLength, initStd: 0.5 },
    },
    training: { learningRate: 0.01, batchSize: 4, seed: 3 },
    tokenIds: ids,
  });
  // The elements of a state are its logits, so a bias can give any prediction.
  set(trainer, 'unembedding', identity(vocabSize, 1));
  const { chance } = trainer.logitLens(ids);
  expect(chance).toBeGreaterThan(0.01);

  /** The divergence of the first layer with h - h + b. */
  const ignoring = (bias: number[]): number => {
    const weight = { rows: vocabSize, cols: vocabSize, data: new Float32Array(vocabSize ** 2) };
    for (let i = 0; i < vocabSize; i++) weight.data[i * (vocabSize + 1)] = -1;
    return trainer.logitLens(ids, { lens: { layers: [{ weight, bias: Float32Array.from(bias) }] } }).layers[0]!
      .divergence;
  };
  const mean = new Array<number>(vocabSize).fill(0);
  for (let first = 0; first < ids.length; first += contextLength) {
    for (const logits of rowsOf(trainer.logits(ids.slice(first, first + contextLength)))) {
      const powers = [...logits].map(Math.exp);
      const total = powers.reduce((sum, power) => sum + power, 0);
      powers.forEach((power, token) => (mean[token]! += power / total / ids.length));
    }
  }
  expect(ignoring(mean.map(Math.log))).toBeCloseTo(chance, 5);
  const next = generator(1);
  for (let i = 0; i < 50; i++) {
    const moved = mean.map((share) => Math.log(share) + (next() - 0.5) / (1 + i));
    expect(ignoring(moved)).toBeGreaterThan(chance - 1e-6);
  }
});

test('a lens trained on uninformative states ends at chance, while the logit lens is worse', () => {
  const [vocabSize, dModel, contextLength] = [8, 24, 16];
  const next = generator(7);
  // Independent tokens, most of them 0.
  const text = (tokens: number): Uint32Array =>
    Uint32Array.from({ length: tokens }, () => (next() < 0.6 ? 0 : Math.floor(next() * vocabSize)));
  const [learned, read] = [text(8192), text(4096)];
  const trainer = core.createTrainer({
    model: {
      ...{ kind: 'transformer', vocabSize, dModel, tying: 'untied', finalNorm: false, biases: 'none' },
      ...{ nLayers: 1, nHeads: 1, contextLength },
    },
    training: { learningRate: 0.01, batchSize: 4, seed: 3 },
    tokenIds: learned,
  });
  // Every position attends to the first one and predicts its token, so the state of a later position is that of an
  // independent token. Elements 0 to 7 are the token, 8 to 15 what attention reads, 16 marks the first position, 17 is 1.
  const [reads, marks, one] = [8, 16, 17];
  set(
    trainer,
    'embedding',
    Array.from({ length: vocabSize }, (_, token) => [
      [token, token, 1] as [number, number, number],
      [token, one, 1] as [number, number, number],
    ]).flat(),
  );
  set(trainer, 'positions', [[0, marks, 4]]);
  set(trainer, 'layers.0.attention.query_key_value.weight', [
    [0, one, 10],
    [dModel, marks, 1],
    ...Array.from({ length: vocabSize }, (_, i): [number, number, number] => [2 * dModel + reads + i, i, 1]),
  ]);
  set(trainer, 'layers.0.attention.output.weight', identity(dModel, 1));
  set(trainer, 'layers.0.feed_forward.down.weight', []);
  set(
    trainer,
    'unembedding',
    Array.from({ length: vocabSize }, (_, i) => [i, reads + i, 3]),
  );
  const lens = trainer.trainTunedLens({ tokenIds: learned, steps: 100, tokensPerStep: 512, learningRate: 0.03 });
  const plain = trainer.logitLens(read);
  const { chance } = plain;
  const [tuned, logit] = [trainer.logitLens(read, { lens }).layers[0]!.divergence, plain.layers[0]!.divergence];
  expect(chance).toBeGreaterThan(0.5);
  expect(logit).toBeGreaterThan(1.2 * chance);
  // One position of sixteen is the first one, and its state determines the prediction.
  expect(tuned).toBeGreaterThan((1 - 1 / contextLength) * chance - 0.02);
  expect(tuned).toBeLessThan(1.05 * chance);
});
