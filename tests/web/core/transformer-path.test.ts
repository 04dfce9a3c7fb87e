// The direct path of a transformer against formulas in double precision. Maps and counts are tested in tests/cpp/diagnostics.
import { beforeAll, describe, expect, test } from 'vitest';
import { loadCore, type Core, type Matrix, type ModelConfig, type Trainer } from '../../../web/index.js';
import { expectError, rowsOf } from './support.js';

let core: Core;
beforeAll(async () => {
  core = await loadCore({ modules: ['readout'] });
});

/** More than one block of rows. */
const VOCAB = 40;
const WIDTH = 6;
const IDS = Uint32Array.from({ length: 200 }, (_, i) => (i * i + 3 * (i % 7)) % VOCAB);
const BASE = {
  ...{ kind: 'transformer', vocabSize: VOCAB, dModel: WIDTH, tying: 'untied' },
  ...{ nLayers: 2, nHeads: 2, contextLength: 16, initStd: 0.3 },
} as const;

const trained = (model: Partial<ModelConfig> = {}, steps = 15): Trainer => {
  const trainer = core.createTrainer({
    model: { ...BASE, ...model } as ModelConfig,
    training: { learningRate: 0.02, batchSize: 4, seed: 3 },
    tokenIds: IDS,
  });
  trainer.run(steps);
  return trainer;
};

const MODELS: Partial<ModelConfig>[] = [
  { tying: 'tied' },
  { tying: 'tied', embeddingScale: 'sqrt-d-model', feedForward: 'swiglu' } as Partial<ModelConfig>,
  { tying: 'untied', norm: 'layer-norm', biases: 'all', outputBias: true },
  { tying: 'tied-linear', finalNorm: false },
  { tying: 'tied-low-rank', lowRank: 2 } as Partial<ModelConfig>,
];

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
const dot = (a: ArrayLike<number>, b: ArrayLike<number>): number => sum(Array.from(a, (x, i) => x * b[i]!));

/** Directly from the formulas, in double precision. */
function plainPath(trainer: Trainer, { finalNorm, mlp0 }: { finalNorm: boolean; mlp0: boolean }): number[][] {
  const { model } = trainer;
  const names = trainer.parameters().map(({ name }) => name);
  const find = (name: string): Matrix | null => (names.includes(name) ? trainer.matrix(name) : null);
  const normalized = (x: number[], name: string): number[] => {
    const [weight, bias] = [find(`${name}.weight`), find(`${name}.bias`)];
    const mean = model.norm === 'layer-norm' ? sum(x) / WIDTH : 0;
    const root = Math.sqrt(sum(x.map((v) => (v - mean) ** 2)) / WIDTH + 1e-5);
    return x.map((v, i) => ((v - mean) / root) * (weight?.data[i] ?? 1) + (bias?.data[i] ?? 0));
  };
  const linear = (x: number[], name: string): number[] => {
    const bias = find(`${name}.bias`);
    return rowsOf(find(`${name}.weight`)!).map((row, i) => dot(row, x) + (bias?.data[i] ?? 0));
  };
  const gelu = (v: number): number => (v / 2) * (1 + Math.tanh(Math.sqrt(2 / Math.PI) * (v + 0.044715 * v ** 3)));
  const scale = model.embeddingScale === 'sqrt-d-model' ? Math.sqrt(WIDTH) : 1;
  const [between, a, b, bias] = ['between', 'low_rank.a', 'low_rank.b', 'output_bias'].map(find);
  return rowsOf(trainer.matrix('embedding')).map((row) => {
    let x = Array.from(row, (v) => v * scale);
    if (mlp0) {
      const y = normalized(x, 'layers.0.feed_forward_norm');
      const up = linear(y, 'layers.0.feed_forward.up');
      const gate = find('layers.0.feed_forward.gate.weight') && linear(y, 'layers.0.feed_forward.gate');
      const active = up.map((v, i) => (gate ? (v * gate[i]!) / (1 + Math.exp(-gate[i]!)) : gelu(v)));
      x = linear(active, 'layers.0.feed_forward.down').map((v, i) => v + x[i]!);
    }
    if (finalNorm && model.finalNorm) x = normalized(x, 'final_norm');
    if (between) x = x.map((_, j) => sum(x.map((v, i) => v * between.data[i * WIDTH + j]!)));
    return rowsOf(trainer.matrix('unembedding')).map((u, v) => {
      const corrected = Array.from(u, (value, k) => (a && b ? value + dot(rowsOf(a)[v]!, rowsOf(b)[k]!) : value));
      return dot(x, corrected) + (bias?.data[v] ?? 0);
    });
  });
}

const STAGES = [
  { finalNorm: false, mlp0: false },
  { finalNorm: true, mlp0: false },
  { finalNorm: false, mlp0: true },
  { finalNorm: true, mlp0: true },
];

describe('directPath', () => {
  test.each(MODELS)('agrees with the formula at every stage: %j', (model) => {
    const trainer = trained(model);
    for (const stage of STAGES) {
      const expected = plainPath(trainer, stage);
      const path = trainer.directPath(stage);
      expect([path.rows, path.cols]).toEqual([VOCAB, VOCAB]);
      rowsOf(path).forEach((row, i) =>
        row.forEach((logit, j) => expect(Math.abs(logit - expected[i]![j]!)).toBeLessThan(2e-5)),
      );
      const measured = trainer.directPath({ ...stage, symmetry: { worst: 1 } });
      const whole = core.symmetry(path, { worst: 1 });
      expect(measured.asymmetry).toBeCloseTo(whole.asymmetry, 5);
      expect(measured.norm).toBeCloseTo(whole.norm, 4);
      expect(Math.abs(measured.worst[0]!.forward - measured.worst[0]!.backward)).toBeCloseTo(whole.maxDifference!, 4);
    }
  });

  test.each(['none', 'sqrt-d-model'] as const)(
    'of a shared table is symmetric to the last bit until a norm or a layer is applied: scale %s',
    (embeddingScale) => {
      const trainer = trained({ tying: 'tied', embeddingScale });
      const raw = trainer.directPath({ symmetry: true });
      expect([raw.symmetric, raw.asymmetry]).toEqual([true, 0]);
      expect(trainer.directPath({ finalNorm: true, symmetry: true }).asymmetry).toBeGreaterThan(0.001);
      expect(trainer.directPath({ mlp0: true, symmetry: true }).asymmetry).toBeGreaterThan(0.001);
    },
  );

  test('is the whole model if the layers add nothing', () => {
    const trainer = trained({ nLayers: 1, positions: 'none' });
    for (const name of ['layers.0.attention.output.weight', 'layers.0.feed_forward.down.weight']) {
      const { rows, cols } = trainer.matrix(name);
      trainer.setMatrix(name, { rows, cols, data: new Float32Array(rows * cols) });
    }
    const bias = trainer.matrix('layers.0.feed_forward.down.bias');
    trainer.setMatrix('layers.0.feed_forward.down.bias', { ...bias, data: new Float32Array(bias.data.length) });
    const path = trainer.directPath({ finalNorm: true });
    const ids = Uint32Array.of(3, 17, 39);
    rowsOf(trainer.logits(ids)).forEach((row, i) => expect(row).toEqual(rowsOf(path)[ids[i]!]));
    const { paths, model } = trainer.directPathReport(IDS);
    expect(paths.finalNorm!.loss).toBeCloseTo(model.loss, 5);
    expect(paths.finalNorm!.correlation).toBeCloseTo(model.correlation, 5);
  });

  test('refuses direct paths and unknown options, and can be cancelled between blocks', () => {
    const path = core.createTrainer({
      model: { kind: 'direct-path', vocabSize: 3, dModel: 2, tying: 'tied' },
      training: { learningRate: 0.1, seed: 1 },
      bigramCounts: core.bigrams(Uint32Array.of(0, 1, 2), 3).counts,
    });
    const why = /^the model is of kind 'direct-path'; expected 'transformer': nextTokenLogits gives the logits/;
    expectError(() => path.directPath(), 'unsupported', why);
    expectError(() => path.directPathReport(Uint32Array.of(0, 1)), 'unsupported', why);
    const trainer = trained({}, 0);
    expectError(() => trainer.directPath({ mlp0: 1 as never }), 'invalid-argument', /^options\.mlp0 is 1/);
    const worst = { symmetry: { worst: -1 } } as const;
    expectError(() => trainer.directPath(worst), 'invalid-argument', /^options\.symmetry\.worst is -1/);
    expectError(() => trainer.directPath({ symmetry: 'yes' as never }), 'invalid-argument', /^options\.symmetry is/);
    const cancel = new AbortController();
    const options = { onProgress: () => cancel.abort(), signal: cancel.signal };
    expectError(() => trained({ vocabSize: 4000 }, 0).directPath(options), 'cancelled', /reading of the direct path/);
  });
});

describe('directPathReport', () => {
  test.each(MODELS)('measures each path on the pairs of the text: %j', (model) => {
    const trainer = trained(model);
    const report = trainer.directPathReport(IDS, { bigramsOf: IDS.slice(50) });
    const counts = new Map<string, number>();
    const totals = new Map<number, number>();
    for (let t = 50; t + 1 < IDS.length; t++) {
      const key = `${IDS[t]} ${IDS[t + 1]}`;
      counts.set(key, (counts.get(key) ?? 0) + 1);
      totals.set(IDS[t]!, (totals.get(IDS[t]!) ?? 0) + 1);
    }
    const bigram = (i: number, j: number): number =>
      Math.log(((counts.get(`${i} ${j}`) ?? 0) + 0.5) / ((totals.get(i) ?? 0) + VOCAB / 2));
    const pairs = Array.from({ length: IDS.length - 1 }, (_, t) => [IDS[t]!, IDS[t + 1]!] as const);
    const correlation = (x: number[], y: number[]): number => {
      const from = (values: number[]) => values.map((value) => value - sum(values) / values.length);
      const [u, v] = [from(x), from(y)];
      return dot(u, v) / Math.sqrt(dot(u, u) * dot(v, v));
    };
    const references = pairs.map(([i, j]) => bigram(i, j));
    expect(report.tokens).toBe(IDS.length - 1);
    expect(report.bigrams.loss).toBeCloseTo(-sum(references) / pairs.length, 8);
    const stages = { embeddings: STAGES[0]!, finalNorm: STAGES[1]!, mlp0: STAGES[3]! };
    for (const [name, stage] of Object.entries(stages)) {
      const found = report.paths[name as keyof typeof stages];
      if (found === null) {
        expect(model.finalNorm).toBe(false);
        continue;
      }
      const path = plainPath(trainer, stage);
      const terms = pairs.map(([i, j]) => path[i]![j]! - Math.log(sum(path[i]!.map((logit) => Math.exp(logit)))));
      expect(found.loss).toBeCloseTo(-sum(terms) / pairs.length, 4);
      expect(found.correlation).toBeCloseTo(correlation(terms, references), 4);
      const selves = path.filter((row, i) => row[i] === Math.max(...row)).length;
      expect(found.selfPrediction).toBeCloseTo(selves / VOCAB, 8);
      const different = pairs.filter(([i, j]) => i !== j);
      const breaking = different.filter(([i, j]) => path[i]![j]! + path[j]![i]! > path[i]![i]! + path[j]![j]!);
      expect(found.breaking).toBeCloseTo(breaking.length / different.length, 8);
      expect(found.asymmetry).toBe(trainer.directPath({ ...stage, symmetry: true }).asymmetry);
    }
    expect(report.model.loss).toBeCloseTo(trainer.evaluate(IDS).loss, 5);
    expect(report.chance).toMatchObject({ selfPrediction: 1 / VOCAB, breaking: 0.5 });
    expect(report.chance.loss).toBeGreaterThan(report.bigrams.loss);
  });

  test('reports progress, and changes nothing', () => {
    const trainer = trained();
    const before = trainer.save();
    const shares: number[] = [];
    trainer.directPathReport(IDS, { onProgress: (share) => shares.push(share) });
    expect(shares.at(-1)).toBe(1);
    expect(shares).toEqual([...shares].sort((a, b) => a - b));
    expect(trainer.save()).toEqual(before);
  });

  test('refuses texts that are too short and ids of another vocabulary', () => {
    const trainer = trained({}, 0);
    expectError(() => trainer.directPathReport(Uint32Array.of(1)), 'invalid-argument', /^tokenIds/);
    expectError(() => trainer.directPathReport(Uint32Array.of(1, VOCAB)), 'invalid-argument', /^tokenIds\[1\]/);
    const bigramsOf = Uint32Array.of(VOCAB, 1);
    expectError(() => trainer.directPathReport(IDS, { bigramsOf }), 'invalid-argument', /^options\.bigramsOf\[0\]/);
    expect(trainer.directPathReport(Uint32Array.of(1, 1)).paths.embeddings.breaking).toBeNaN();
  });
});
