import { beforeAll, describe, expect, test } from 'vitest';
import { loadCore, type Core, type Matrix } from '../../../web/index.js';
import { EXPLORER, matrixOf, rowsOf, TOY_CHAIN, TOY_COUNTS } from './support.js';
import { aYearInNewYork } from '../../../web/texts/a-year-in-new-york/index.js';

let core: Core;
beforeAll(async () => {
  core = await loadCore();
});

/** The log of every entry of the toy chain. */
const LOG_TOY_CHAIN: Matrix = { ...TOY_CHAIN, data: TOY_CHAIN.data.map((p) => Math.log(p)) };

/** A matrix with pseudorandom entries in [-0.5, 0.5): late digits of a sine. */
function scattered(rows: number, cols: number, seed: number): Matrix {
  const entry = (i: number): number => (((Math.sin((i + 1) * 12.9898 + seed) * 43758.5453) % 1) + 1) % 1;
  return { rows, cols, data: Float32Array.from({ length: rows * cols }, (_, i) => entry(i) - 0.5) };
}

function product(a: Matrix, b: Matrix): number[][] {
  return rowsOf(a).map((row) => rowsOf(b).map((other) => row.reduce((sum, x, k) => sum + x * other[k]!, 0)));
}

describe('directPath', () => {
  test('returns the Gram matrix of the example', () => {
    // Every entry is rounded to float once or twice; 1e-6 is several times that for values near 1.
    const expected = [
      [1.25, 1.25, 0.9],
      [1.25, 1.45, 1.32],
      [0.9, 1.32, 1.53],
    ];
    const path = core.directPath({ embedding: EXPLORER });
    rowsOf(path).forEach((row, i) => row.forEach((entry, j) => expect(entry).toBeCloseTo(expected[i]![j]!, 6)));
  });

  test('is symmetric to the last bit when tied, whatever the sizes', () => {
    for (const [rows, cols] of [
      [2, 1],
      [17, 5],
      [65, 16],
      [130, 33],
    ] as const) {
      const path = core.directPath({ embedding: scattered(rows, cols, 1) });
      for (let i = 0; i < rows; i++) {
        for (let j = 0; j < i; j++) expect(path.data[i * rows + j]).toBe(path.data[j * rows + i]);
      }
    }
  });

  test('multiplies by an unembedding and by a map in between', () => {
    const embedding = scattered(7, 3, 1);
    const unembedding = scattered(7, 3, 2);
    const between = scattered(3, 3, 3);
    // (E M) U^T by hand, with M^T given as rows, so the product of rows is E M.
    const turned = matrixOf(rowsOf(between).map((_, j) => rowsOf(between).map((row) => row[j]!)));
    const expected = product(matrixOf(product(embedding, turned)), unembedding);
    const path = rowsOf(core.directPath({ embedding, unembedding, between }));
    path.forEach((row, i) => row.forEach((entry, j) => expect(entry).toBeCloseTo(expected[i]![j]!, 5)));
  });

  test('does not change its arguments', () => {
    const embedding = scattered(5, 3, 1);
    const before = embedding.data.slice();
    core.directPath({ embedding });
    expect(embedding.data).toEqual(before);
  });
});

describe('symmetry', () => {
  test('measures a matrix with known values', () => {
    // A = [[1, 4], [0, 1]]: symmetric part [[1, 2], [2, 1]], skew part [[0, 2], [-2, 0]].
    const { worst, ...numbers } = core.symmetry(
      matrixOf([
        [1, 4],
        [0, 1],
      ]),
      { worst: 3 },
    );
    expect(numbers.symmetric).toBe(false);
    expect(numbers.maxDifference).toBe(4);
    expect(numbers.norm).toBeCloseTo(Math.sqrt(18), 12);
    expect(numbers.symmetricNorm).toBeCloseTo(Math.sqrt(10), 12);
    expect(numbers.skewNorm).toBeCloseTo(Math.sqrt(8), 12);
    expect(numbers.asymmetry).toBeCloseTo(Math.sqrt(8 / 18), 12);
    expect(worst).toEqual([{ row: 0, col: 1, forward: 4, backward: 0 }]);
  });

  test('counts a matrix as symmetric if it differs by at most the tolerance', () => {
    const square = matrixOf([
      [0, 1],
      [1.25, 0],
    ]);
    expect(core.symmetry(square, { tolerance: 0.25 }).symmetric).toBe(true);
    expect(core.symmetry(square, { tolerance: 0.2 }).symmetric).toBe(false);
  });

  test('agrees with the result from the factors', () => {
    const embedding = scattered(40, 6, 1);
    const unembedding = scattered(40, 6, 2);
    const whole = core.symmetry(core.directPath({ embedding, unembedding }), { worst: 5 });
    const factors = core.directPathSymmetry({ embedding, unembedding }, { worst: 5 });
    // The whole matrix is rounded to float, 6e-8 of entries of about 1.
    expect(factors.asymmetry).toBeCloseTo(whole.asymmetry, 6);
    expect(factors.norm).toBeCloseTo(whole.norm, 4);
    expect(factors.maxDifference).toBeCloseTo(whole.maxDifference!, 5);
    expect(factors.worst.map(({ row, col }) => [row, col])).toEqual(whole.worst.map(({ row, col }) => [row, col]));
  });

  test('of a tied path is exact from the factors', () => {
    const found = core.directPathSymmetry({ embedding: scattered(50, 7, 1) });
    expect(found).toMatchObject({ symmetric: true, asymmetry: 0, maxDifference: 0, skewNorm: 0 });
  });
});

describe('solveUnembedding', () => {
  test('finds the unembedding that produced the target', () => {
    const embedding = scattered(12, 4, 1);
    const unembedding = scattered(12, 4, 2);
    const found = core.solveUnembedding({ embedding, target: core.directPath({ embedding, unembedding }) });
    // The target is rounded to float; the condition number of the embedding is below 10.
    found.data.forEach((entry, i) => expect(entry).toBeCloseTo(unembedding.data[i]!, 4));
  });

  test('leaves a residual that is orthogonal to the embedding', () => {
    const embedding = EXPLORER;
    const found = core.solveUnembedding({ embedding, target: LOG_TOY_CHAIN });
    const path = product(embedding, found);
    for (let k = 0; k < 2; k++) {
      for (let j = 0; j < 3; j++) {
        let sum = 0;
        for (let i = 0; i < 3; i++) sum += embedding.data[i * 2 + k]! * (LOG_TOY_CHAIN.data[i * 3 + j]! - path[i]![j]!);
        expect(sum).toBeCloseTo(0, 5);
      }
    }
  });
});

describe('fitBounds', () => {
  // Golden values for the log-probabilities of the toy chain, from another program; entries were rounded to float first.
  test('of the toy chain are the golden ones', () => {
    for (const dModel of [1, 2, 3]) {
      const { tied, symmetric, skew } = core.fitBounds(LOG_TOY_CHAIN, dModel);
      expect(tied ** 2).toBeCloseTo(32.3494083794, 5);
      expect(symmetric).toBeCloseTo(2.2487662164, 6);
      expect(skew).toBe(symmetric);
    }
    expect(core.fitBounds(LOG_TOY_CHAIN, 3).untied).toBeCloseTo(0, 6);
  });

  test('of the example follow from the eigenvalues that are left out', () => {
    // Gram matrix of rank 2 with eigenvalues 3.741, 0.489, 0.
    const gram = core.directPath({ embedding: EXPLORER });
    expect(core.fitBounds(gram, 1).tied).toBeCloseTo(0.489, 3);
    expect(core.fitBounds(gram, 1).untied).toBeCloseTo(0.489, 3);
    expect(core.fitBounds(gram, 2).tied).toBeLessThan(1e-6);
  });
});

describe('bigramBounds', () => {
  test('of the toy chain are the golden ones', () => {
    const { unigram, bigram, symmetricLogits } = core.bigramBounds(TOY_COUNTS);
    expect(unigram).toBeCloseTo(1.0627815576, 8);
    expect(bigram).toBeCloseTo(0.777221739, 8);
    expect(symmetricLogits).toBeCloseTo(0.9533086861, 8);
  });

  test('show no cost of symmetry if order does not matter', () => {
    const { bigram, symmetricLogits } = core.bigramBounds(
      matrixOf([
        [3, 2, 7],
        [2, 0, 1],
        [7, 1, 4],
      ]),
    );
    expect(symmetricLogits).toBeCloseTo(bigram, 12);
  });

  test('are the infimum for the alphabet, which growing logits only approach', () => {
    const ids = Uint32Array.from({ length: 26 }, (_, id) => id);
    const counts = core.bigrams(ids, 26).counts;
    expect(core.bigramBounds(counts)).toMatchObject({ bigram: 0, symmetricLogits: 0, symmetricLogitsGap: 0 });
    // Row i is 3 · 2.5^i times the sum of two unit vectors, one of which it shares with each neighbor.
    const model = { kind: 'direct-path', vocabSize: 26, dModel: 27, tying: 'tied' } as const;
    const trainer = core.createTrainer({ model, training: { learningRate: 0.1, seed: 1 }, bigramCounts: counts });
    const rows = matrixOf(
      Array.from({ length: 26 }, (_, i) =>
        Array.from({ length: 27 }, (__, k) => (k === i || k === i + 1 ? 3 * 2.5 ** i : 0)),
      ),
    );
    trainer.setMatrix('embedding', rows);
    expect(trainer.evaluate(ids).loss).toBeGreaterThan(0);
    expect(trainer.evaluate(ids).loss).toBeLessThan(0.0005);
    trainer.dispose();
  });

  // Fitted by the function of tests/reference/symmetric_floor_reference.py.
  test.each([
    ['word', 100, 0.742253965515],
    ['word', 400, 1.01701273765],
    ['character', 50_000, 2.56450604593],
  ] as const)('of the story by %s, the first %i characters, are those of fitted logits', (kind, length, fitted) => {
    const corpus = core.openCorpus(aYearInNewYork.slice(0, length), { tokenizer: { kind }, validation: 0 });
    const { symmetricLogits, symmetricLogitsGap, bigram, unigram } = corpus.bounds!;
    expect(symmetricLogits).toBeCloseTo(fitted, 9);
    expect(symmetricLogitsGap).toBeLessThan(1e-9);
    expect(symmetricLogits).toBeGreaterThan(bigram);
    expect(symmetricLogits).toBeLessThan(unigram);
    corpus.dispose();
  });
});

describe('markovBounds', () => {
  test('of the toy chain are the golden ones, with its stationary distribution', () => {
    const bounds = core.markovBounds(TOY_CHAIN);
    // Its probabilities were rounded to float.
    expect(bounds.unigram).toBeCloseTo(1.0627815576, 6);
    expect(bounds.bigram).toBeCloseTo(0.777221739, 6);
    expect(bounds.symmetricLogits).toBeCloseTo(0.9533086861, 6);
    [0.2166667, 0.3583333, 0.425].forEach((p, i) => expect(bounds.stationary[i]).toBeCloseTo(p, 6));
  });
});
