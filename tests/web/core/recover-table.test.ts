// Tables from logits through the public verb. The method itself is tested in tests/cpp/direct_path.
import { beforeAll, describe, expect, test } from 'vitest';
import { createLab, loadCore, type Core, type ErrorCode, type Matrix, type Trainer } from '../../../web/index.js';
import { expectError } from './support.js';

let core: Core;
beforeAll(async () => {
  core = await loadCore({ modules: ['graphs', 'diagnostics'] });
});

const SIZE = 24;
const from = Uint32Array.from({ length: SIZE }, (_, token) => token);

/** A direct path that was trained on a text with a rule. */
function trained(tying: 'tied' | 'untied' | 'tied-linear', outputBias = false): Trainer {
  const tokenIds = Uint32Array.from({ length: 4000 }, (_, i) => (i * i + Math.floor(i / 7)) % SIZE);
  const trainer = core.createTrainer({
    model: { kind: 'direct-path', vocabSize: SIZE, dModel: 6, tying, outputBias },
    training: { learningRate: 0.02, batchSize: 64, seed: 3 },
    tokenIds,
  });
  trainer.run(400);
  return trainer;
}

/** Log-probabilities, as an API that hides its logits would return them, rounded to single precision. */
function logProbabilities(trainer: Trainer): Matrix {
  const { rows, cols, data } = trainer.nextTokenProbabilities({ from });
  return { rows, cols, data: data.map((p) => Math.log(p)) };
}

const likeness = (found: Matrix, table: Matrix) =>
  core.align(found, table, { method: 'orthogonal', holdOut: 0, nullRuns: 5 });

describe('a tied path that was trained', () => {
  test.each([
    ['logits', false],
    ['log-probabilities', false],
    ['logits', true],
  ])('gives its width and its rows up to a rotation from its %s, bias %s', (what, bias) => {
    const trainer = trained('tied', bias);
    const logits = what === 'logits' ? trainer.nextTokenLogits({ from }) : logProbabilities(trainer);
    const { width, gap, tied, asymmetry, table, mean, meanResidual } = core.recoverTable(logits);
    const embedding = trainer.matrix('embedding');
    expect(width).toBe(6);
    expect(gap).toBeGreaterThan(1000);
    expect(tied).toBe(true);
    expect(asymmetry).toBeLessThan(1e-5);
    const { residual, meanCosine, null: chance } = likeness(table, embedding);
    expect(residual).toBeLessThan(1e-4);
    expect(meanCosine).toBeGreaterThan(0.9999);
    expect(chance.meanCosine).toBeLessThan(0.8);
    // The mean row, too, unless a bias hides it.
    const length = Math.hypot(
      ...Array.from(
        { length: 6 },
        (_, k) => embedding.data.filter((__, i) => i % 6 === k).reduce((a, b) => a + b, 0) / SIZE,
      ),
    );
    if (bias) expect(meanResidual).toBeGreaterThan(0.01);
    else {
      expect(meanResidual).toBeLessThan(1e-3);
      expect(Math.hypot(...mean)).toBeCloseTo(length, 3);
    }
  });
});

test.each(['untied', 'tied-linear'] as const)('of an %s path only the spaces are found', (tying) => {
  const trainer = trained(tying);
  const found = core.recoverTable(trainer.nextTokenLogits({ from }));
  expect([found.width, found.tied]).toEqual([6, false]);
  const [reads, writes] = [trainer.matrix('embedding'), trainer.matrix('unembedding')];
  expect(core.cka(found.reading, reads, { dimensions: 6 }).subspaces.overlap).toBeCloseTo(1, 5);
  expect(core.cka(found.writing, writes, { dimensions: 6 }).subspaces.overlap).toBeCloseTo(1, 5);
  expect(likeness(found.table, reads).residual).toBeGreaterThan(0.05);
});

test('with E M and U M⁻ᵀ an untied path has the same logits, so no method could tell its rows', () => {
  const trainer = trained('untied');
  const [reads, writes] = [trainer.matrix('embedding'), trainer.matrix('unembedding')];
  const halved = (table: Matrix, factor: number): Matrix => ({
    ...table,
    data: table.data.map((x, i) => (i % 6 === 0 ? x * factor : x)),
  });
  const one = core.directPath({ embedding: reads, unembedding: writes });
  const other = core.directPath({ embedding: halved(reads, 8), unembedding: halved(writes, 1 / 8) });
  expect(other.data).toEqual(one.data);
});

test('a tolerance above the noise of rounded logits finds the width that the default one misses', () => {
  const logits = trained('tied').nextTokenLogits({ from });
  // Two decimals, as some services give.
  const rounded = { ...logits, data: logits.data.map((x) => Math.round(100 * x) / 100) };
  expect(core.recoverTable(rounded).width).toBe(SIZE - 1);
  // Errors of up to 0.005 have singular values of at most about 2 · 0.005 / √3 · √24.
  const found = core.recoverTable(rounded, { tolerance: 0.03 });
  expect([found.width, found.tied]).toEqual([6, true]);
});

test('a lab gives the same bits', async () => {
  const lab = await createLab();
  const logits = trained('untied').nextTokenLogits({ from });
  expect(await lab.recoverTable(logits, { width: 3 })).toEqual(core.recoverTable(logits, { width: 3 }));
  lab.dispose();
});

const square = (data: number[]): Matrix => ({ rows: 2, cols: 2, data: Float32Array.from(data) });
test.each<[what: string, logits: Matrix, options: object, code: ErrorCode, message: RegExp]>([
  ['not square', { rows: 2, cols: 3, data: new Float32Array(6) }, {}, 'shape-mismatch', /^logits/],
  ['one token', { rows: 1, cols: 1, data: Float32Array.of(3) }, {}, 'shape-mismatch', /^logits/],
  ['a probability of 0', square([0, -Infinity, 1, 2]), {}, 'not-finite', /^logits\[0, 1\]/],
  ['a width', square([1, 2, 3, 4]), { width: 3 }, 'invalid-argument', /^options\.width is 3/],
  ['a tolerance', square([1, 2, 3, 4]), { tolerance: 0 }, 'invalid-argument', /^options\.tolerance is 0/],
  ['too many tokens', { rows: 2049, cols: 2049, data: new Float32Array(2049 ** 2) }, {}, 'out-of-memory', /^logits/],
])('refuse %s', (_, logits, options, code, message) => {
  expectError(() => core.recoverTable(logits, options), code, message);
});
