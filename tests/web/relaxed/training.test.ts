/** What the two builds have in common: everything except the last bits. */
import { beforeAll, expect, test } from 'vitest';
import { loadCore, type Core, type Matrix, type ModelConfig, type Trainer } from '../../../web/index.js';
import { hashOf } from '../seed-bits.js';

/**
 * By how much losses of the same steps may differ between the builds, relative to the loss. A rounding that is left out changes a
 * product by 6e-8 of itself at most; over some tens of steps the sums of such changes grow to 1e-6 or so of a loss. A
 * kernel that is wrong in the relaxed build is wrong by much more.
 */
const TOLERANCE = 1e-4;

const TOKENS = Uint32Array.from({ length: 3000 }, (_, i) => (i * i + (i >> 3)) % 23);
const TRAINING = { learningRate: 0.01, warmupSteps: 5, weightDecay: 0.1, gradientClip: 1, batchSize: 4, seed: 14 };
const SMALL = { vocabSize: 23, tying: 'tied', outputBias: true } as const;
const TRANSFORMER = { ...SMALL, kind: 'transformer', dModel: 12, nLayers: 2, nHeads: 2, contextLength: 8 } as const;
const MODELS: Record<string, ModelConfig> = {
  'a tied direct path': { ...SMALL, kind: 'direct-path', dModel: 9 },
  'an untied direct path': { ...SMALL, kind: 'direct-path', dModel: 9, tying: 'untied' },
  'a tied transformer': TRANSFORMER,
  'a transformer like llama2.c': { ...TRANSFORMER, positions: 'rotary', feedForward: 'swiglu', biases: 'none' },
  'a transformer that reads n-grams': { ...TRANSFORMER, ngrams: { order: 3, rows: 40 } },
};

const MODULES = ['models', 'stories'] as const;
let baseline: Core;
let relaxed: Core;
beforeAll(async () => {
  [baseline, relaxed] = await Promise.all([
    loadCore({ modules: MODULES }),
    loadCore({ simd: 'relaxed', modules: MODULES }),
  ]);
});

const make = (core: Core, model: ModelConfig): Trainer =>
  core.createTrainer({ model, training: TRAINING, tokenIds: TOKENS });
const matrices = (trainer: Trainer): Matrix[] => trainer.parameters().map(({ name }) => trainer.matrix(name));
const bits = (trainer: Trainer): string => hashOf(matrices(trainer).map(({ data }) => data));
const losses = (trainer: Trainer, steps: number): number[] =>
  trainer.run(steps, { recordEvery: 1 }).map(({ loss }) => loss);

function expectNear(actual: number[], expected: number[]): void {
  expect(actual).toHaveLength(expected.length);
  actual.forEach((loss, i) => expect(Math.abs(loss / expected[i]! - 1), `step ${i}`).toBeLessThan(TOLERANCE));
}

test.each(Object.entries(MODELS))('%s starts and learns the same in both builds', (_, model) => {
  const [usual, faster] = [make(baseline, model), make(relaxed, model)];
  expect(bits(faster)).toBe(bits(usual));
  const expected = losses(usual, 40);
  expectNear(losses(faster, 40), expected);
  expect(expected.at(-1)).toBeLessThan(expected[0]!);
});

test('on one machine, the relaxed build gives the same bits for a seed each time', async () => {
  const other = await loadCore({ simd: 'relaxed' });
  const [first, second] = [make(relaxed, TRANSFORMER), make(other, TRANSFORMER)];
  first.run(20);
  second.run(20);
  expect(bits(second)).toBe(bits(first));
  first.rewind();
  first.run(20);
  expect(bits(first)).toBe(bits(second));
});

test('a trainer saved by one build continues in the other, and its file does not name the build', () => {
  for (const [from, to] of [
    [baseline, relaxed],
    [relaxed, baseline],
  ] as const) {
    expect(make(from, TRANSFORMER).save()).toEqual(make(to, TRANSFORMER).save());
    const trainer = make(from, TRANSFORMER);
    trainer.run(20);
    const file = trainer.save();
    const loaded = to.loadTrainer(file);
    expect(loaded.step).toBe(20);
    expect(bits(loaded)).toBe(bits(trainer));
    // Saving it again writes the same bytes.
    expect(loaded.save()).toEqual(file);
    expectNear(losses(loaded, 20), losses(trainer, 20));
  }
});

test('a trainer of the other build can be rewound, at least to its start', () => {
  const start = bits(make(baseline, TRANSFORMER));
  const trainer = make(baseline, TRANSFORMER);
  trainer.run(20);
  const loaded = relaxed.loadTrainer(trainer.save());
  loaded.rewind();
  expect(bits(loaded)).toBe(start);
});

test('both builds take the same memory', () => {
  for (const model of Object.values(MODELS)) {
    expect(relaxed.estimateMemory(model, TRAINING)).toEqual(baseline.estimateMemory(model, TRAINING));
  }
});

test('the relaxed build is consistent with itself: symmetric to the bit, and writing what it computes', () => {
  // 61 rows and 37 columns: not multiples of a tile.
  const data = Float32Array.from({ length: 61 * 37 }, (_, i) => Math.sin(i * 1.7));
  const path = relaxed.directPath({ embedding: { rows: 61, cols: 37, data } });
  expect(relaxed.symmetry(path)).toMatchObject({ symmetric: true, maxDifference: 0 });

  const trainer = make(relaxed, TRANSFORMER);
  trainer.run(20);
  const { tokenIds } = trainer.generate({ prompt: TOKENS.subarray(0, 3), tokens: 5, temperature: 0 });
  const read = [...TOKENS.subarray(0, 3), ...tokenIds];
  const { cols, data: logits } = trainer.logits(Uint32Array.from(read));
  for (let at = 2; at + 1 < read.length; at++) {
    const row = logits.subarray(at * cols, (at + 1) * cols);
    expect(read[at + 1]).toBe(row.indexOf(Math.max(...row)));
  }
});

test('losses of the two builds are also close if each build has its own text, tokenizer and floors', () => {
  const floors = [baseline, relaxed].map((core) => {
    const text = core.writeStories({ seed: 3, length: 20_000 });
    const tokenizer = core.trainTokenizer(text, { kind: 'word', vocabSize: 200 });
    const { counts } = core.bigrams(tokenizer.encode(text), tokenizer.vocabSize);
    const bounds = core.bigramBounds(counts);
    return [bounds.unigram, bounds.bigram, bounds.symmetricLogits];
  });
  expectNear(floors[1]!, floors[0]!);
});

test('a layer that adds nothing does not change the loss, although modules on demand have no relaxed build', async () => {
  const core = await loadCore({ simd: 'relaxed', modules: ['readout'] });
  const trainer = make(core, TRANSFORMER);
  trainer.run(20);
  for (const { name } of trainer.parameters()) {
    if (!/^layers\.0\.(attention\.output|feed_forward\.down)/.test(name)) continue;
    const matrix = trainer.matrix(name);
    trainer.setMatrix(name, { ...matrix, data: new Float32Array(matrix.data.length) });
  }
  expect(trainer.ablateLayers(TOKENS.slice(0, 300)).layers[0]).toMatchObject({ increase: 0, standardError: 0 });
  core.dispose();
});
