// Lenses, the gradient by role and frequency, and the loss by frequency. Finite differences are in tests/cpp/diagnostics.
import { beforeAll, describe, expect, test } from 'vitest';
import { gradientReport, reportGradient } from '../../../web/core/diagnostics/gradient-report.js';
import { startVerb } from '../../../web/core/runtime/verb.js';
import { atOnce } from '../../../web/core/runtime/work.js';
import type { CoreTrainer } from '../../../web/core/training/trainer.js';
import { placeOf } from '../../../web/core/diagnostics/tuned-lens.js';
import { loadCore, type Core, type ModelConfig, type Trainer } from '../../../web/index.js';
import { expectError, rowsOf } from './support.js';

let core: Core;
beforeAll(async () => {
  core = await loadCore({ modules: ['readout'] });
});

const VOCAB = 12;
const IDS = Uint32Array.from({ length: 120 }, (_, i) => (i * i + 3 * (i % 7)) % VOCAB);
const BASE = {
  ...{ kind: 'transformer', vocabSize: VOCAB, dModel: 8, tying: 'untied' },
  ...{ nLayers: 2, nHeads: 2, contextLength: 16, initStd: 0.3 },
} as const;
const TRAINING = { learningRate: 0.01, batchSize: 4, seed: 3 };

const trained = (model: Partial<ModelConfig> = {}, steps = 20): Trainer => {
  const trainer = core.createTrainer({
    model: { ...BASE, ...model } as ModelConfig,
    training: TRAINING,
    tokenIds: IDS,
  });
  trainer.run(steps);
  return trainer;
};

/** Every kind of head. */
const HEADS: Partial<ModelConfig>[] = [
  { tying: 'tied' },
  { tying: 'untied', norm: 'layer-norm', biases: 'all', outputBias: true },
  { tying: 'tied-linear', finalNorm: false },
  { tying: 'tied-low-rank', lowRank: 2 } as Partial<ModelConfig>,
];

describe('logitLens', () => {
  test.each(HEADS)('reads the last layer like the model itself: %j', (head) => {
    const trainer = trained(head);
    const reading = trainer.logitLens(IDS);
    expect(reading.layers).toHaveLength(3);
    const last = reading.layers.at(-1)!;
    expect(last.divergence).toBe(0);
    expect(last.loss).toBeCloseTo(trainer.evaluate(IDS).loss, 5);
    rowsOf(trainer.logits(IDS.slice(16, 32))).forEach((logits, i) => {
      const best = last.predicted[16 + i]!;
      expect(logits[best]).toBe(Math.max(...logits));
      const sum = logits.reduce((total, logit) => total + Math.exp(logit - logits[best]!), 0);
      expect(last.probability[16 + i]).toBeCloseTo(1 / sum, 5);
    });
    for (const { divergence, perToken } of reading.layers.slice(0, 2)) {
      expect(divergence).toBeGreaterThan(0);
      expect(perToken).toHaveLength(IDS.length);
      expect(perToken.every((bits) => bits > -1e-5)).toBe(true);
    }
  });

  test('reports the best result of a layer that predicts the same after each token', () => {
    const trainer = trained();
    const ids = IDS.slice(0, 37);
    const { chance, layers } = trainer.logitLens(ids);
    // Sequences as long as the context, as the lens reads them.
    const said = [ids.slice(0, 16), ids.slice(16, 32), ids.slice(32)].flatMap((part) =>
      rowsOf(trainer.logits(part)).map((logits) => {
        const largest = Math.max(...logits);
        const all = Array.from(logits, (logit) => Math.exp(logit - largest));
        const sum = all.reduce((total, one) => total + one, 0);
        return all.map((one) => one / sum);
      }),
    );
    const mean = said[0]!.map((_, token) => said.reduce((sum, one) => sum + one[token]!, 0) / said.length);
    const divergences = said.map((one) => one.reduce((sum, p, token) => sum + p * Math.log2(p / mean[token]!), 0));
    expect(chance).toBeCloseTo(divergences.reduce((sum, one) => sum + one, 0) / said.length, 5);
    expect(layers.at(-1)!.divergence).toBeLessThan(chance);
    // In a text of one token there is nothing to distinguish.
    expect(trainer.logitLens(ids.slice(0, 1)).chance).toBeCloseTo(0, 5);
  });

  test('reads a text of any length, and has no loss for a single token', () => {
    const trainer = trained();
    const whole = trainer.logitLens(IDS.slice(0, 33));
    const part = trainer.logitLens(IDS.slice(0, 16));
    expect(whole.layers[0]!.perToken.subarray(0, 16)).toEqual(part.layers[0]!.perToken);
    const one = trainer.logitLens(Uint32Array.of(5));
    expect(one.layers.map(({ loss }) => loss)).toEqual([null, null, null]);
  });

  test('refuses direct paths, ids of another vocabulary, and the lens of another model', () => {
    const path = core.createTrainer({
      model: { kind: 'direct-path', vocabSize: 3, dModel: 2, tying: 'tied' },
      training: { learningRate: 0.1, seed: 1 },
      bigramCounts: core.bigrams(Uint32Array.of(0, 1, 2), 3).counts,
    });
    expectError(
      () => path.logitLens(IDS.slice(0, 1)),
      'unsupported',
      /^the model is of kind 'direct-path'; expected 'transformer': logitLens reads layers$/,
    );
    expectError(() => path.gradientReport(Uint32Array.of(0, 1)), 'unsupported', /: gradientReport reads/);
    expectError(() => path.trainTunedLens({ tokenIds: IDS }), 'unsupported', /: trainTunedLens reads/);
    const trainer = trained({}, 0);
    expectError(() => trainer.logitLens(Uint32Array.of(0, 12)), 'invalid-argument', /^tokenIds\[1\] is 12/);
    const lens = trained({ nLayers: 1 }, 0).trainTunedLens({ tokenIds: IDS, steps: 1 });
    expectError(
      () => trainer.logitLens(IDS, { lens }),
      'shape-mismatch',
      /^options\.lens is '1 x 8'; expected that of a model of 2 layers and width 8$/,
    );
    const [first] = lens.layers;
    const spoilt = { ...lens, layers: [first!, { ...first!, bias: new Float32Array(3) }] };
    expectError(() => trainer.logitLens(IDS, { lens: spoilt }), 'shape-mismatch', /^options\.lens\.layers\[1\]\.bias/);
    const broken = { ...lens, layers: [first!, { ...first!, bias: new Float32Array(8).fill(NaN) }] };
    expectError(() => trainer.logitLens(IDS, { lens: broken }), 'not-finite', /^options\.lens\.layers.* is NaN/);
    expectError(() => trainer.logitLens(IDS, { lens: {} as never }), 'invalid-argument', /^options\.lens\.layers is/);
    expect(trainer.logitLens(IDS).layers).toHaveLength(3);
  });
});

describe('trainTunedLens', () => {
  test.each(HEADS)('brings every layer closer to the last without changing the model: %j', (head) => {
    const trainer = trained(head);
    const before = trainer.save();
    const shares: number[] = [];
    const lens = trainer.trainTunedLens({
      ...{ tokenIds: IDS, steps: 80, tokensPerStep: 64 },
      onProgress: (share) => shares.push(share),
    });
    expect(trainer.save()).toEqual(before);
    expect(shares.at(-1)).toBe(1);
    const [tuned, plain] = [trainer.logitLens(IDS, { lens }), trainer.logitLens(IDS)];
    for (const layer of [0, 1]) {
      expect(tuned.layers[layer]!.divergence).toBeLessThan(0.8 * plain.layers[layer]!.divergence);
    }
    expect(tuned.layers[2]!.divergence).toBe(0);
    const history = rowsOf(lens.history);
    expect(history).toHaveLength(80);
    expect(history.at(-1)![0]).toBeLessThan(history[0]![0]!);
  });

  test('begins as the logit lens, with the same bits for the same options', () => {
    const trainer = trained();
    const options = { tokenIds: IDS.slice(0, 16), steps: 3, tokensPerStep: 16, seed: 5 };
    const [one, two] = [trainer.trainTunedLens(options), trainer.trainTunedLens(options)];
    expect(one).toEqual(two);
    const plain = trainer.logitLens(IDS.slice(0, 16)).layers.map(({ divergence }) => divergence);
    // Only one position where a sequence can begin, so the first step reads the whole text.
    rowsOf(one.history)[0]!.forEach((bits, layer) => expect(bits).toBeCloseTo(plain[layer]!, 5));
  });

  test('draws sequences from all over the text', () => {
    const places = Array.from({ length: 64 }, (_, i) => placeOf(i, 7, 1000));
    expect(Math.min(...places)).toBeLessThan(30);
    expect(Math.max(...places)).toBeGreaterThan(970);
    const sorted = [...places].sort((a, b) => a - b);
    const gaps = sorted.slice(1).map((place, i) => place - sorted[i]!);
    expect(Math.max(...gaps)).toBeLessThan(30);
    expect(places.every((place) => Number.isInteger(place) && place >= 0 && place < 1000)).toBe(true);
  });

  test('can be cancelled between steps', () => {
    const cancel = new AbortController();
    const options = { tokenIds: IDS, steps: 100_000, onProgress: () => cancel.abort(), signal: cancel.signal };
    expectError(() => trained().trainTunedLens(options), 'cancelled', /^the training of the lens was cancelled after/);
  });
});

describe('gradientReport', () => {
  test('works in parts from the start for a large table, so it can be cancelled', () => {
    const trainer = trained({ vocabSize: 3000, dModel: 64 }, 0) as CoreTrainer;
    const run = startVerb(gradientReport, trainer, [IDS.slice(0, 9)], true);
    run.takeFor(0);
    // Three parts of the products of 3,000 x 64 elements, one sequence, and three of the products of the gradient.
    expect(run.news()).toEqual([1 / 7]);
    run.end();
  });

  test.each(HEADS)('adds up to the gradient of the backward pass: %j', (head) => {
    const trainer = trained(head);
    const ids = IDS.slice(0, 33);
    const report = trainer.gradientReport(ids);
    const whole = trainer.gradient({ inputs: ids.slice(0, 32), targets: ids.slice(1), sequenceLength: 16 });
    const norm = (data: Float32Array): number => Math.hypot(...data);
    expect(report.input).toBeCloseTo(norm(whole.input.data), 5);
    expect(report.output).toBeCloseTo(norm(whole.output.data), 5);
    expect(report.inputPositionNorm).toBeCloseTo(whole.inputPositionNorm, 5);
    expect(report.inputShare).toBeCloseTo(report.input / (report.input + report.output), 12);
    const squares = report.bands.reduce((sum, band) => sum + band.output ** 2, 0);
    expect(Math.sqrt(squares)).toBeCloseTo(report.output, 5);
    expect(report.bands.reduce((sum, band) => sum + band.count, 0)).toBe(VOCAB);
    expect(report.reach.chance).toBeCloseTo(Math.sqrt(8 / 12), 12);
    expect(report.reach.share).toBeGreaterThan(0);
    expect(report.reach.share).toBeLessThanOrEqual(1);
    const runtime = (trainer as CoreTrainer).modules.get('readout');
    const mismatches: number[] = [];
    const counts = new Uint32Array(VOCAB);
    atOnce(reportGradient(runtime, trainer as CoreTrainer, ids, counts, (found) => mismatches.push(found)));
    expect(mismatches).toEqual([expect.any(Number)]);
    expect(mismatches[0]).toBeLessThan(1e-4);
  });

  test.each(HEADS)('compares its cosine with that for the rows of one part in random order: %j', (head) => {
    const trainer = trained(head);
    const ids = IDS.slice(0, 33);
    const { cosine, cosineNull } = trainer.gradientReport(ids);
    const parts = trainer.gradient({ inputs: ids.slice(0, 32), targets: ids.slice(1), sequenceLength: 16 });
    const [input, output] = [rowsOf(parts.input), rowsOf(parts.output)];
    const norms = Math.hypot(...parts.input.data) * Math.hypot(...parts.output.data);
    const cosineOf = (order: number[]): number =>
      order.reduce((sum, from, to) => sum + input[to]!.reduce((row, g, j) => row + g * output[from]![j]!, 0), 0) /
      norms;
    const order = Array.from({ length: VOCAB }, (_, i) => i);
    expect(cosine).toBeCloseTo(cosineOf(order), 5);
    let state = 1;
    const squares = Array.from({ length: 4000 }, () => {
      for (let i = VOCAB - 1; i > 0; i--) {
        state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
        const j = Math.floor((state / 2 ** 32) * (i + 1));
        [order[i], order[j]] = [order[j]!, order[i]!];
      }
      return cosineOf(order) ** 2;
    });
    // Over all orders the mean is 0 for any model, because the rows of the output part add up to 0.
    expect(Math.abs(cosineNull.mean)).toBeLessThan(1e-6);
    const square = squares.reduce((sum, one) => sum + one, 0) / squares.length;
    // The deviation of 4,000 orders has a standard error of about a hundredth.
    expect(Math.abs(Math.sqrt(square) / cosineNull.standardDeviation - 1)).toBeLessThan(0.05);
  });

  test('accepts texts of any length, and counts from the caller', () => {
    const trainer = trained();
    const counts = new Uint32Array(VOCAB).fill(50);
    const { tokens, bands } = trainer.gradientReport(IDS.slice(0, 22), { counts });
    expect(tokens).toBe(21);
    expect(bands.map(({ from, to, count }) => [from, to, count])).toEqual([[32, 99, VOCAB]]);
    expectError(
      () => trainer.gradientReport(IDS, { counts: new Uint32Array(3) }),
      'shape-mismatch',
      /^options\.counts is a Uint32Array of 3; expected 12 elements/,
    );
    expectError(() => trainer.gradientReport(IDS.slice(0, 1)), 'invalid-argument', /^tokenIds is .* at least 2 tokens/);
  });
});

describe('lossByFrequency', () => {
  test.each<Partial<ModelConfig>>([...HEADS, { kind: 'direct-path' } as Partial<ModelConfig>])(
    'adds up to the loss of the text: %j',
    (head) => {
      const trainer =
        head.kind === 'direct-path'
          ? core.createTrainer({
              model: { kind: 'direct-path', vocabSize: VOCAB, dModel: 8, tying: 'tied-mlp' },
              training: TRAINING,
              tokenIds: IDS,
            })
          : trained(head);
      const { loss, tokens, bands } = trainer.lossByFrequency(IDS);
      expect(tokens).toBe(IDS.length - 1);
      expect(bands.reduce((sum, band) => sum + band.tokens, 0)).toBe(tokens);
      expect(loss).toBeCloseTo(trainer.evaluate(IDS).loss, 5);
    },
  );

  test('divides by the counts of the predicted token', () => {
    const trainer = trained();
    const counts = new Uint32Array(VOCAB);
    counts[IDS[3]!] = 1000;
    const { bands } = trainer.lossByFrequency(IDS.slice(0, 10), { counts });
    const predicted = [...IDS.slice(1, 10)].filter((id) => id === IDS[3]).length;
    expect(bands.map(({ from, tokens }) => [from, tokens])).toEqual([
      [0, 9 - predicted],
      [1000, predicted],
    ]);
  });

  describe('reports for comparison the loss from frequencies alone', () => {
    const byChance = (text: number[], counts?: Uint32Array) =>
      trained({}, 0).lossByFrequency(Uint32Array.from(text), counts && { counts });
    const entropy = (shares: number[]): number => shares.reduce((sum, share) => sum - share * Math.log(share), 0);

    test('with the counts of the text: the entropy of its tokens', () => {
      // Without the first token, which is not predicted, the fractions are the same.
      const text = [...Array.from({ length: 12 }, () => [0, 0, 0, 0, 1, 2, 2]).flat()];
      const { chance, bands } = byChance([text[0]!, ...text], undefined);
      const seen = [49, 12, 24].map((count) => count / 85);
      const met = [48, 12, 24].map((count) => count / 84);
      expect(chance).toBeCloseTo(
        met.reduce((sum, share, i) => sum - share * Math.log(seen[i]!), 0),
        12,
      );
      // The first of 85 tokens: the divergence that it causes is tiny.
      expect(chance - entropy(met)).toBeGreaterThan(0);
      expect(chance - entropy(met)).toBeLessThan(1e-4);
      expect(bands.map(({ from, chance: level }) => [from, level])).toEqual([
        [10, expect.closeTo((12 * Math.log(85 / 12) + 24 * Math.log(85 / 24)) / 36, 12)],
        [32, expect.closeTo(Math.log(85 / 49), 12)],
      ]);
    });

    test('with other counts: the lowest loss that tokens without a count leave possible', () => {
      const counts = new Uint32Array(VOCAB);
      counts.set([60, 30, 10]);
      const text = [0, 0, 0, 1, 2, 5, 0, 7, 1, 0, 2];
      const { chance, bands } = byChance(text, counts);
      // Two of ten predictions are of the nine tokens without a count.
      const lossWith = (mass: number) =>
        text.slice(1).reduce((sum, id) => sum - Math.log(counts[id] ? ((1 - mass) * counts[id]) / 100 : mass / 9), 0) /
        10;
      expect(chance).toBeCloseTo(lossWith(0.2), 12);
      for (const mass of [0.001, 0.1, 0.19, 0.21, 0.3, 0.9]) expect(lossWith(mass)).toBeGreaterThan(chance);
      expect(bands.map(({ from, tokens, chance: level }) => [from, tokens, level])).toEqual([
        [0, 2, expect.closeTo(Math.log(9 / 0.2), 12)],
        [10, 4, expect.closeTo(-Math.log(0.8) - (Math.log(0.3) + Math.log(0.1)) / 2, 12)],
        [32, 4, expect.closeTo(-Math.log(0.8 * 0.6), 12)],
      ]);
    });

    test('with all counts 0: the loss of equal probabilities', () => {
      const { chance, bands } = byChance([0, 1, 2, 3], new Uint32Array(VOCAB));
      expect(chance).toBeCloseTo(Math.log(VOCAB), 12);
      expect(bands.map((band) => band.chance)).toEqual([expect.closeTo(Math.log(VOCAB), 12)]);
    });

    test('a model that can learn nothing but frequencies reaches this loss', () => {
      // The next token has the same probabilities after every token.
      const counts = Uint32Array.from({ length: VOCAB }, (_, i) => 2 ** (VOCAB - i));
      const trainer = core.createTrainer({
        model: { kind: 'direct-path', vocabSize: VOCAB, dModel: VOCAB, tying: 'untied' },
        training: { learningRate: 0.05, seed: 1 },
        bigramCounts: {
          ...{ rows: VOCAB, cols: VOCAB },
          data: Float32Array.from(
            { length: VOCAB ** 2 },
            (_, at) => counts[Math.floor(at / VOCAB)]! * counts[at % VOCAB]!,
          ),
        },
      });
      trainer.run(400);
      const { loss, chance, bands } = trainer.lossByFrequency(IDS, { counts });
      // Training ends within 0.001 of its limit.
      expect(loss).toBeCloseTo(chance, 2);
      expect(bands).toHaveLength(6);
      for (const band of bands) expect(band.loss).toBeCloseTo(band.chance, 2);
    });
  });
});
