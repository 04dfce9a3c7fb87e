// Diagnostics of embedding tables as verbs. Values from other programs are in model-facts.test.ts and tests/cpp/diagnostics.
import { beforeAll, describe, expect, test } from 'vitest';
import { partitionByChance } from '../../../web/core/diagnostics/partition-by-chance.js';
import { loadCore, type AlignmentMethod, type Core, type Matrix } from '../../../web/index.js';
import { expectError, matrixOf, rowsOf } from './support.js';

let core: Core;
beforeAll(async () => {
  core = await loadCore({ modules: ['diagnostics'] });
});

/** Entries from its own small generator: uniform in [-1, 1). */
function randomTable(rows: number, cols: number, seed: number): Matrix {
  let state = seed;
  const next = (): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 31 - 1;
  };
  return { rows, cols, data: Float32Array.from({ length: rows * cols }, next) };
}

/** The columns in reverse order: a rotation or reflection. */
const reversed = ({ rows, cols, data }: Matrix): Matrix => ({
  rows,
  cols,
  data: Float32Array.from(
    { length: rows * cols },
    (_, i) => data[Math.floor(i / cols) * cols + cols - 1 - (i % cols)]!,
  ),
});

let normalState = 20_261_128;
/** Independent normal entries, others in each call. */
function normalTable(rows: number, cols: number): Matrix {
  const uniform = (): number => (normalState = (normalState * 16_807) % 2_147_483_647) / 2_147_483_647;
  const normal = (): number => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform());
  return { rows, cols, data: Float32Array.from({ length: rows * cols }, normal) };
}

const TABLE = randomTable(300, 8, 1);
const OTHER = randomTable(300, 8, 2);

describe('align', () => {
  test('finds a rotation, also on held-out rows, and only chance in an unrelated table', () => {
    const turned = core.align(TABLE, reversed(TABLE), { method: 'orthogonal' });
    expect(turned.meanCosine).toBeCloseTo(1, 5);
    expect(turned.heldOut).toEqual({
      meanCosine: expect.closeTo(1, 5) as number,
      residual: expect.closeTo(0, 4) as number,
      tokens: 60,
    });
    // (2 / d) (Γ((d + 1) / 2) / Γ(d / 2))² for d = 8: Γ(4.5) = 105 √π / 16, Γ(4) = 6.
    const ofEightColumns = (((105 / 16) ** 2 / 36) * Math.PI) / 4;
    expect(turned.null.theory).toBeCloseTo(ofEightColumns * (8 / (3 * Math.PI)) * Math.sqrt(8 / 300), 12);
    expect(turned.map!.data[7]).toBeCloseTo(1, 5);
    const unrelated = core.align(TABLE, OTHER, { method: 'linear', nullRuns: 5, seed: 3 });
    expect(unrelated.null.runs).toHaveLength(5);
    expect(Math.abs(unrelated.meanCosine - unrelated.null.theory!)).toBeLessThan(0.03);
    expect(Math.abs(unrelated.null.meanCosine - unrelated.null.theory!)).toBeLessThan(0.03);
    expect(Math.abs(unrelated.heldOut!.meanCosine)).toBeLessThan(0.15);
    expect(unrelated.perToken).toHaveLength(300);
  });

  test.each<[AlignmentMethod, boolean, boolean]>([
    ['identity', false, true],
    ['orthogonal', true, true],
    ['linear', true, true],
    ['ridge', true, false],
  ])('%s has a map: %j, a theoretical chance level: %j', (method, map, theory) => {
    const found = core.align(TABLE, OTHER, { method, holdOut: 0, nullRuns: 0 });
    expect(found.map !== null).toBe(map);
    expect(found.null.theory !== null).toBe(theory);
    expect(found.heldOut).toBeNull();
    expect(found.null.runs).toEqual([]);
    expect(found.null.meanCosine).toBeNaN();
  });

  test('gives the same bits for the same seed, with or without progress reports', () => {
    const options = { method: 'linear', nullRuns: 2, seed: 5 } as const;
    const fractions: number[] = [];
    const quiet = core.align(TABLE, OTHER, options);
    const told = core.align(TABLE, OTHER, { ...options, onProgress: (fraction) => fractions.push(fraction) });
    expect(told).toEqual(quiet);
    expect(fractions.at(-1)).toBe(1);
    expect(core.align(TABLE, OTHER, { ...options, seed: 6 }).null.runs).not.toEqual(quiet.null.runs);
  });

  test('refuses tables that it cannot align, by name, and continues', () => {
    const method = 'linear';
    expectError(() => core.align(TABLE, randomTable(299, 8, 1), { method }), 'shape-mismatch', /^target\.rows is 299/);
    expectError(
      () => core.align(TABLE, randomTable(300, 7, 1), { method: 'orthogonal' }),
      'shape-mismatch',
      /^target\.cols is 7; expected as many columns as source has, 8; a linear map takes any$/,
    );
    expectError(
      () => core.align(randomTable(8, 8, 1), randomTable(8, 8, 2), { method, holdOut: 0 }),
      'invalid-argument',
      /^source\.rows is 8; expected at least 9 rows/,
    );
    expectError(
      () => core.align(TABLE, OTHER, { method: 'affine' as never }),
      'invalid-argument',
      /^options\.method is 'affine'; expected one of 'identity'/,
    );
    expectError(
      () => core.align(TABLE, OTHER, { method, holdOut: 0.001 }),
      'invalid-argument',
      /^options\.holdOut is 0\.001; expected a fraction that is at least one row$/,
    );
    const spoiled = randomTable(300, 8, 1);
    spoiled.data[17] = NaN;
    expectError(
      () => core.align(TABLE, spoiled, { method }),
      'not-finite',
      /^target\[2, 1\] is NaN; expected finite numbers; 1 of 300 rows have others$/,
    );
    expectError(
      () => core.align(TABLE, OTHER, { method, signal: AbortSignal.abort() }),
      'cancelled',
      /^the alignment was cancelled after 0%$/,
    );
    expect(core.align(TABLE, TABLE, { method }).meanCosine).toBeCloseTo(1, 6);
  });
});

describe('neighbors', () => {
  test('are found for rows or for a vector', () => {
    const table = matrixOf([
      [1, 0],
      [0, 2],
      [3, 1],
      [0, 0],
    ]);
    expect(core.neighbors(table, 0, { k: 2 })).toEqual([
      { row: 2, cosine: expect.closeTo(3 / Math.sqrt(10), 6) as number },
      { row: 1, cosine: 0 },
    ]);
    expect(core.neighbors(table, Float32Array.of(0, 5), { k: 1 })).toEqual([{ row: 1, cosine: 1 }]);
    // By default all others, because they are fewer than 10.
    expect(
      core
        .neighbors(
          matrixOf([
            [1, 0],
            [0, 1],
            [3, 4],
          ]),
          0,
        )
        .map(({ row }) => row),
    ).toEqual([2, 1]);
    expectError(() => core.neighbors(table, 3), 'invalid-argument', /^row is without a direction/);
    expectError(() => core.neighbors(table, 3, { k: 1 }), 'invalid-argument', /^row is without a direction/);
    expectError(() => core.neighbors(table, 4, { k: 1 }), 'invalid-argument', /^row is 4; expected an integer from 0/);
    expectError(
      () => core.neighbors(table, Float32Array.of(1), { k: 1 }),
      'shape-mismatch',
      /^row is .*; expected 2 elements$/,
    );
    expectError(
      () => core.neighbors(table, Float32Array.of(1, NaN), { k: 1 }),
      'not-finite',
      /^row\[1\] is NaN; expected a finite number$/,
    );
  });

  test('are the same for a table and its rotation, and shared only by chance with others', () => {
    expect(core.neighborOverlap(TABLE, reversed(TABLE)).overlap).toBeGreaterThan(0.999);
    const unrelated = core.neighborOverlap(TABLE, OTHER, { metric: 'centered-cosine' });
    expect(unrelated.null).toBeCloseTo(10 / 299, 12);
    expect(Math.abs(unrelated.overlap - unrelated.null)).toBeLessThan(0.02);
    expect(unrelated.standardError).toBe(0);
    const sample = core.neighborOverlap(TABLE, OTHER, { sample: 50, seed: 4 });
    expect(sample.perToken.filter((share) => !Number.isNaN(share))).toHaveLength(50);
    expect(sample.standardError).toBeGreaterThan(0);
    expectError(() => core.neighborOverlap(TABLE, OTHER, { k: 299 }), 'invalid-argument', /^options\.k is 299/);
  });
});

describe('spaces', () => {
  test('have a spectrum, a similarity and an isotropy', () => {
    const { values, participationRatio, effectiveRank } = core.spectrum(TABLE);
    expect(values).toHaveLength(8);
    expect(participationRatio).toBeGreaterThan(7);
    expect(effectiveRank).toBeLessThanOrEqual(8);
    const same = core.cka(TABLE, reversed(TABLE), { dimensions: 8 });
    expect(same.cka).toBeCloseTo(1, 6);
    expect(same.subspaces).toEqual({ dimensions: 8, overlap: expect.closeTo(1, 6) as number, null: 8 / 299 });
    const counts = Uint32Array.from({ length: 300 }, (_, i) => (i * 37) % 101);
    const found = core.isotropy(TABLE, { counts });
    expect(Math.abs(found.meanCosine)).toBeLessThan(0.01);
    expect(found.isoScore).toBeGreaterThan(0.9);
    expect(found.frequencyR2!.inSample).toBeGreaterThan(found.frequencyR2!.heldOut);
    expect(core.isotropy(TABLE).frequencyR2).toBeNull();
    expect(core.isotropy(TABLE).null.frequencyR2).toBeNull();
    // IsoScore follows from the participation ratio for every table.
    expect(found.isoScore).toBeCloseTo((found.participationRatio - 1) / 7, 9);
    expect(found.null).toEqual({
      meanCosine: 0,
      // Γ(4.5) = 11.6317, Γ(4) = 6; for seven dimensions Γ(4) and Γ(3.5) = 3.32335.
      centeredMeanCosine: expect.closeTo(-((11.6317 / 6) ** 2) / 4 / 299, 7) as number,
      projectedMeanCosine: expect.closeTo((-((6 / 3.32335) ** 2) * 2) / 7 / 299, 7) as number,
      isoScore: expect.closeTo((8 / (1 + 8 / 299) - 1) / 7, 12) as number,
      participationRatio: expect.closeTo(8 / (1 + 8 / 299), 12) as number,
      effectiveRank: expect.closeTo(8 * Math.exp(-8 / 598), 12) as number,
      partition: expect.any(Number) as number,
      centeredPartition: expect.any(Number) as number,
      // One column less.
      projected: {
        isoScore: expect.closeTo((7 / (1 + 7 / 299) - 1) / 6, 12) as number,
        participationRatio: expect.closeTo(7 / (1 + 7 / 299), 12) as number,
        effectiveRank: expect.closeTo(7 * Math.exp(-7 / 598), 12) as number,
        partition: expect.any(Number) as number,
      },
      // Three of the counts are 0.
      frequencyR2: 8 / 296,
    });
    expectError(
      () => core.isotropy(TABLE, { counts: Uint32Array.of(1) }),
      'shape-mismatch',
      /^options\.counts\.length is 1; expected as many as the table has rows, 300$/,
    );
  });

  test.each([
    [400, 50],
    [60, 60],
    [50, 400],
  ])('of %i rows and %i columns of noise have the dimensions of the theory', (rows, cols) => {
    const noise = randomTable(rows, cols, 3);
    for (const center of [true, false]) {
      const { participationRatio, effectiveRank, null: theory } = core.spectrum(noise, { center });
      // Largest for square tables, for which the theory neglects terms of 1 / d.
      expect(Math.abs(participationRatio / theory.participationRatio - 1)).toBeLessThan(0.05);
      expect(Math.abs(effectiveRank / theory.effectiveRank - 1)).toBeLessThan(0.04);
    }
    const zero = { rows, cols, data: noise.data.map((element, i) => (i < cols ? 0 : element)) };
    const { null: without, leftOut } = core.spectrum(zero);
    expect(leftOut).toBe(1);
    expect(without.participationRatio).toBeCloseTo((cols * (rows - 2)) / (cols + rows - 2), 12);
  });

  test('of noise have the partition of the theory, with or without rows of zeros', () => {
    const noise = randomTable(2000, 64, 5);
    const some = { ...noise, data: noise.data.map((element, i) => (Math.floor(i / 64) % 4 === 0 ? 0 : element / 5)) };
    for (const table of [noise, some]) {
      const { partition, centeredPartition, meanShare, null: theory, leftOut } = core.isotropy(table);
      const entries = table.data.length - 64 * leftOut;
      const meanSquare = table.data.reduce((sum, element) => sum + element ** 2, 0) / entries;
      expect(theory.partition).toBe(partitionByChance(2000 - leftOut, 64, meanSquare));
      const ofDifferences = meanSquare * (1 - meanShare ** 2);
      expect(theory.centeredPartition).toBe(partitionByChance(2000 - leftOut, 64, ofDifferences, true));
      // Tables spread by 5% to 15%.
      expect(Math.abs(Math.log(partition) / Math.log(theory.partition) - 1)).toBeLessThan(0.3);
      expect(Math.abs(Math.log(centeredPartition) / Math.log(theory.centeredPartition) - 1)).toBeLessThan(0.3);
    }
    // Rows along one direction have the same entries, but not the same partition.
    const line = { ...noise, data: noise.data.map((_, i) => noise.data[Math.floor(i / 64)]!) };
    const { partition, null: theory } = core.isotropy(line);
    expect(Math.log(partition)).toBeLessThan(5 * Math.log(theory.partition));
    expect(core.isotropy({ rows: 2, cols: 2, data: Float32Array.of(3, 0, 0, 4) }).null.partition).toBeNaN();
  });

  test.each([
    [8, 8, 0.03],
    [16, 8, 0.03],
    [64, 8, 0.01],
    [64, 64, 0.01],
  ])('of %i rows and %i columns have a spectrum whose theory is that close to the mean: %f', (rows, cols, limit) => {
    const tables = rows * cols > 1000 ? 60 : 1500;
    let [participationRatio, effectiveRank] = [0, 0];
    for (let n = 0; n < tables; n++) {
      const found = core.spectrum(normalTable(rows, cols), { center: false });
      participationRatio += found.participationRatio / found.null.participationRatio / tables;
      effectiveRank += found.effectiveRank / found.null.effectiveRank / tables;
    }
    expect(Math.abs(participationRatio - 1)).toBeLessThan(limit);
    expect(Math.abs(effectiveRank - 1)).toBeLessThan(limit);
  });

  test('have a partition that depends on the eigenvectors found where eigenvalues are equal', () => {
    const corners = [0, 2, 4].flatMap((third) => [Math.cos((third * Math.PI) / 3), Math.sin((third * Math.PI) / 3)]);
    const { partition } = core.isotropy({ rows: 3, cols: 2, data: Float32Array.from(corners) });
    expect(partition).toBeGreaterThan(0.93);
    expect(partition).toBeLessThan(0.953);
  });

  test('without the mean row’s direction are like noise, in a cone with a varying axis', () => {
    const noise = randomTable(2000, 64, 6);
    const data = noise.data.map((element, i) => (i % 64 === 3 ? 5 + 3 * element : element) / 5);
    const cone = { ...noise, data };
    const { isoScore, centeredPartition, projected, null: theory } = core.isotropy(cone);
    expect(isoScore).toBeLessThan(0.9 * theory.isoScore);
    expect(Math.log(centeredPartition)).toBeLessThan(3 * Math.log(theory.centeredPartition));
    for (const name of ['isoScore', 'participationRatio', 'effectiveRank'] as const) {
      expect(Math.abs(projected[name] / theory.projected[name] - 1)).toBeLessThan(0.02);
    }
    expect(Math.abs(Math.log(projected.partition) / Math.log(theory.projected.partition) - 1)).toBeLessThan(0.3);
    const { values, participationRatio, effectiveRank, null: expected } = core.spectrum(cone, { project: true });
    expect(values).toHaveLength(64);
    expect(values[63]!).toBeLessThan(1e-6 * values[0]!);
    expect([participationRatio, effectiveRank]).toEqual([
      expect.closeTo(projected.participationRatio, 6),
      expect.closeTo(projected.effectiveRank, 6),
    ]);
    expect(expected.participationRatio).toBe(theory.projected.participationRatio);
    // Nothing remains of rows along the mean row.
    const line = matrixOf([
      [1, 2],
      [2, 4],
      [-1, -2],
      [5, 10],
    ]);
    expect(core.isotropy(line).projected.effectiveRank).toBeNaN();
    expectError(
      () => core.spectrum(line, { project: true }),
      'invalid-argument',
      /^table is all along the mean row; expected rows that differ$/,
    );
    expectError(
      () => core.spectrum(cone, { center: false, project: true }),
      'invalid-argument',
      /^options\.center is false; expected true or absent/,
    );
  });

  test('relate norms to frequencies', () => {
    const table = matrixOf([[1], [2], [-3], [0]]);
    const found = core.normFrequency(table, Uint32Array.of(5, 50, 500, 1));
    expect(found.spearman).toBe(1);
    expect(found.leftOut).toBe(1);
    expect(found.bands).toEqual([
      { from: 4, to: 9, meanNorm: 1, count: 1 },
      { from: 32, to: 99, meanNorm: 2, count: 1 },
      { from: 317, to: 999, meanNorm: 3, count: 1 },
    ]);
    expect(found.null).toBeCloseTo(Math.SQRT1_2, 12);
  });

  test('split hidden states along their targets', () => {
    const hidden = matrixOf([
      [3, 4],
      [0, 0],
    ]);
    const unembedding = matrixOf([
      [2, 0],
      [1, 1],
      [0, -1],
    ]);
    const found = core.decomposeHidden(hidden, unembedding, Uint32Array.of(0, 1), { embedding: unembedding });
    expect(found.parallel[0]).toBe(3);
    expect(found.orthogonal[0]).toBe(4);
    expect(found.ratio[0]).toBeCloseTo(4 / 3, 6);
    expect(found.maxOtherCosine[0]).toBe(1);
    expect(found.inputCosine![0]).toBeCloseTo(0.6, 6);
    expect(found.medianRatio).toBe(found.ratio[0]);
    expect(found.baseline).toBe(1);
    // In the plane, half of all directions are within 45° of the row's line.
    expect(found.null.randomMedianRatio).toBeCloseTo(1, 14);
    expect(found.leftOut).toBe(1);
    expect(found.ratio[1]).toBeNaN();
    // (3, 4) with the row of either state: (2, 0) or (1, 1).
    expect([4 / 3, 1 / 7].some((ratio) => Math.abs(found.null.medianRatio - ratio) < 1e-5)).toBe(true);
    expect(found.null.inputCosine).not.toBeNull();
    expect(core.decomposeHidden(hidden, unembedding, Uint32Array.of(0, 1)).null.inputCosine).toBeNull();
    expectError(
      () => core.decomposeHidden(hidden, unembedding, Uint32Array.of(0, 3)),
      'invalid-argument',
      /^targets\[1\] is 3; expected a row of unembedding, below 3$/,
    );
  });
});

test('the chance level of the cosine with the input row uses the targets in the same order as that of the ratio', () => {
  const [states, width] = [40, 6];
  const rowOf = (table: Matrix, row: number): number[] => rowsOf(table)[row]!;
  const cosineOf = (x: number[], y: number[]): number => {
    const along = (a: number[], b: number[]): number => a.reduce((sum, one, j) => sum + one * b[j]!, 0);
    return along(x, y) / Math.sqrt(along(x, x) * along(y, y));
  };
  const medianOf = (values: number[]): number => {
    const sorted = [...values].sort((a, b) => a - b);
    return (sorted[(sorted.length - 2) / 2]! + sorted[sorted.length / 2]!) / 2;
  };
  const [hidden, table] = [randomTable(states, width, 1), randomTable(states, width, 2)];
  const ids = Uint32Array.from({ length: states }, (_, i) => i);
  const { null: chance } = core.decomposeHidden(hidden, table, ids, { embedding: table, seed: 4 });
  // With all other states zero, the chance level is a single cosine, which shows the target that the state gets in that order.
  const order = Array.from(ids, (state) => {
    const only = { ...hidden, data: hidden.data.map((x, i) => (Math.floor(i / width) === state ? x : 0)) };
    const { inputCosine } = core.decomposeHidden(only, table, ids, { embedding: table, seed: 4 }).null;
    const targets = Array.from(ids, (id) => Math.abs(cosineOf(rowOf(hidden, state), rowOf(table, id)) - inputCosine!));
    return targets.indexOf(Math.min(...targets));
  });
  expect([...order].sort((a, b) => a - b)).toEqual(Array.from(ids));
  expect(order).not.toEqual(Array.from(ids));
  const cosines = order.map((id, state) => cosineOf(rowOf(hidden, state), rowOf(table, id)));
  expect(chance.inputCosine).toBeCloseTo(medianOf(cosines), 6);
  expect(chance.medianRatio).toBeCloseTo(medianOf(cosines.map((one) => Math.sqrt(1 / one ** 2 - 1))), 4);
});
