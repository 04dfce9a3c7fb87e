// What every tied direct path obeys, whatever its table, width and output bias: each law on 20,000 random tables, as the core
// computes their logits, probabilities and stationary distributions. The derivations are in docs/science.md.
import { beforeAll, describe, expect, test } from 'vitest';
import { loadCore, type Core, type Matrix, type Trainer, type TransformerConfig } from '../../../web/index.js';

const TABLES = 20_000;
const SIZES = [2, 3, 4, 6];
const WIDTHS = [1, 2, 3, 8];
/** Probabilities and their stationary distribution are floats, and logits have errors of some 1e-6. */
const ROUNDING = 2e-6;

let core: Core;
beforeAll(async () => {
  core = await loadCore({ modules: ['readout'] });
});

/** A generator of normal numbers that is not the core's. */
function normals(seed: number): () => number {
  let state = seed;
  const uniform = (): number => (state = (state * 16_807) % 2_147_483_647) / 2_147_483_647;
  return () => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform());
}

const table = (rows: number, cols: number, next: () => number): Matrix => ({
  rows,
  cols,
  data: Float32Array.from({ length: rows * cols }, next),
});
const everyId = (size: number): Uint32Array => Uint32Array.from({ length: size }, (_, id) => id);

/** How far each law is from being broken, the worst of some tables: negative where it is. */
interface Margins {
  tables: number;
  /** The smallest A_ii + A_jj - A_ij - A_ji. */
  scores: number;
  /** The smallest P_ii P_jj - P_ij P_ji. */
  pairs: number;
  /** The smallest P_ii - π_i. */
  repeats: number;
  /** The smallest pivot of √(P_ij P_ji) plus `ROUNDING` on the diagonal, whose eigenvalues are those of a reversible P. */
  pivot: number;
  /** The largest |π_i P_ij - π_j P_ji|. */
  balance: number;
}

function smallestPivot(size: number, entry: (i: number, j: number) => number): number {
  const left = Array.from({ length: size }, (_, i) => Array.from({ length: size }, (__, j) => entry(i, j)));
  let smallest = Infinity;
  for (let k = 0; k < size; k++) {
    const pivot = left[k]![k]!;
    smallest = Math.min(smallest, pivot);
    for (let i = k + 1; i < size; i++) {
      for (let j = k + 1; j < size; j++) left[i]![j]! -= (left[i]![k]! * left[k]![j]!) / pivot;
    }
  }
  return smallest;
}

function measure(margins: Margins, logits: Matrix, probabilities: Matrix): void {
  const size = logits.rows;
  const { stationary } = core.markovBounds(probabilities);
  const a = (i: number, j: number): number => logits.data[i * size + j]!;
  const p = (i: number, j: number): number => probabilities.data[i * size + j]!;
  for (let i = 0; i < size; i++) {
    margins.repeats = Math.min(margins.repeats, p(i, i) - stationary[i]!);
    for (let j = 0; j < i; j++) {
      margins.scores = Math.min(margins.scores, a(i, i) + a(j, j) - a(i, j) - a(j, i));
      margins.pairs = Math.min(margins.pairs, p(i, i) * p(j, j) - p(i, j) * p(j, i));
      margins.balance = Math.max(margins.balance, Math.abs(stationary[i]! * p(i, j) - stationary[j]! * p(j, i)));
    }
  }
  const pivot = smallestPivot(size, (i, j) => Math.sqrt(p(i, j) * p(j, i)) + (i === j ? ROUNDING : 0));
  margins.pivot = Math.min(margins.pivot, pivot);
  margins.tables++;
}

/** Random tables of all sizes and widths, half of them with an output bias. */
function marginsOf(tying: 'tied' | 'untied', tables: number): Margins {
  const margins = { tables: 0, scores: Infinity, pairs: Infinity, repeats: Infinity, pivot: Infinity, balance: 0 };
  const next = normals(tying === 'tied' ? 11 : 12);
  const shapes = SIZES.flatMap((size) =>
    WIDTHS.flatMap((width) => [false, true].map((bias) => ({ size, width, bias }))),
  );
  for (const { size, width, bias } of shapes) {
    const model = { kind: 'direct-path', vocabSize: size, dModel: width, tying, outputBias: bias } as const;
    const trainer = core.createTrainer({
      model,
      training: { learningRate: 0.1, batchSize: 1, seed: 1 },
      tokenIds: everyId(size),
    });
    for (let n = 0; n < tables / shapes.length; n++) {
      // Scores from nearly 0 to about 10.
      const scale = 0.3 * 1.5 ** (n % 4);
      trainer.setMatrix(
        'embedding',
        table(size, width, () => scale * next()),
      );
      if (tying === 'untied')
        trainer.setMatrix(
          'unembedding',
          table(size, width, () => scale * next()),
        );
      if (bias) trainer.setMatrix('output_bias', table(1, size, next));
      const from = everyId(size);
      measure(margins, trainer.nextTokenLogits({ from }), trainer.nextTokenProbabilities({ from }));
    }
    trainer.dispose();
  }
  return margins;
}

describe('every tied direct path', () => {
  let tied: Margins;
  let untied: Margins;
  beforeAll(() => {
    tied = marginsOf('tied', TABLES);
    untied = marginsOf('untied', 1000);
    expect(tied.tables).toBe(TABLES);
  }, 120_000);

  test('has A_ij + A_ji ≤ A_ii + A_jj, and P(j|i) P(i|j) ≤ P(i|i) P(j|j)', () => {
    expect(tied.scores).toBeGreaterThan(-10 * ROUNDING);
    expect(tied.pairs).toBeGreaterThan(-ROUNDING);
    expect(untied.scores).toBeLessThan(-1);
    expect(untied.pairs).toBeLessThan(-0.1);
  });

  test('has P(i|i) ≥ π_i: every token follows itself at least as often as it occurs', () => {
    expect(tied.repeats).toBeGreaterThan(-ROUNDING);
    expect(untied.repeats).toBeLessThan(-0.1);
  });

  test('has no negative eigenvalue of P', () => {
    expect(tied.pivot).toBeGreaterThan(0);
    expect(untied.pivot).toBeLessThan(0);
  });

  test('is in detailed balance', () => {
    expect(tied.balance).toBeLessThan(ROUNDING);
    expect(untied.balance).toBeGreaterThan(0.1);
  });
});

test('symmetric logits are in detailed balance even where the law for pairs is broken', () => {
  const next = normals(13);
  const trainer = core.createTrainer({
    model: { kind: 'direct-path', vocabSize: 4, dModel: 4, tying: 'untied' },
    training: { learningRate: 0.1, batchSize: 1, seed: 1 },
    tokenIds: everyId(4),
  });
  trainer.setMatrix('embedding', {
    rows: 4,
    cols: 4,
    data: Float32Array.from({ length: 16 }, (_, k) => (k % 5 === 0 ? 1 : 0)),
  });
  const margins = { tables: 0, scores: Infinity, pairs: Infinity, repeats: Infinity, pivot: Infinity, balance: 0 };
  for (let n = 0; n < TABLES; n++) {
    const symmetric = table(4, 4, next);
    for (let i = 0; i < 4; i++) for (let j = 0; j < i; j++) symmetric.data[4 * i + j] = symmetric.data[4 * j + i]!;
    trainer.setMatrix('unembedding', symmetric);
    const from = everyId(4);
    measure(margins, trainer.nextTokenLogits({ from }), trainer.nextTokenProbabilities({ from }));
  }
  trainer.dispose();
  expect(margins.balance).toBeLessThan(ROUNDING);
  expect(margins.pairs).toBeLessThan(-0.1);
  expect(margins.repeats).toBeLessThan(-0.1);
}, 60_000);

describe('with a final norm', () => {
  /** The smallest A_ii + A_jj - A_ij - A_ji of some tables, and how many of them have a negative one. */
  function broken(norm: NonNullable<TransformerConfig['norm']>, tables: number, gain: (index: number) => number) {
    const next = normals(14);
    const [size, width] = [3, 4];
    let [smallest, count] = [Infinity, 0];
    const trainer: Trainer = core.createTrainer({
      model: {
        ...{
          kind: 'transformer',
          vocabSize: size,
          dModel: width,
          tying: 'tied',
          nLayers: 1,
          nHeads: 1,
          contextLength: 2,
        },
        ...{ norm, finalNorm: true },
      },
      training: { learningRate: 0.1, batchSize: 1, seed: 1 },
      tokenIds: everyId(size),
    });
    for (let n = 0; n < tables; n++) {
      const scale = 0.3 * 1.5 ** (n % 5);
      trainer.setMatrix(
        'embedding',
        table(size, width, () => scale * next()),
      );
      trainer.setMatrix('final_norm.weight', {
        rows: 1,
        cols: width,
        data: Float32Array.from({ length: width }, (_, k) => gain(k)),
      });
      const { data } = trainer.directPath({ finalNorm: true });
      let margin = Infinity;
      for (let i = 0; i < size; i++) {
        for (let j = 0; j < i; j++) {
          margin = Math.min(
            margin,
            data[i * size + i]! + data[j * size + j]! - data[i * size + j]! - data[j * size + i]!,
          );
        }
      }
      smallest = Math.min(smallest, margin);
      if (margin < -1e-4) count++;
    }
    trainer.dispose();
    return { smallest, count };
  }

  test.each(['rms-norm', 'layer-norm'] as const)(
    'of equal gains, %s, the law for scores holds',
    (norm) => {
      expect(broken(norm, TABLES / 2, () => 1.7).smallest).toBeGreaterThan(-1e-5);
    },
    120_000,
  );

  test.each(['rms-norm', 'layer-norm'] as const)('of unequal positive gains, %s, some tables break it', (norm) => {
    expect(broken(norm, 2000, (index) => [0.1, 1, 2, 5][index]!).count).toBeGreaterThan(10);
  });
});
