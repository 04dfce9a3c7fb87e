// Mean cosines of tables of noise: the theory of `isotropy` against tables drawn here.
import { beforeAll, describe, expect, test } from 'vitest';
import { cosinesByChance, meanCosineDeviation } from '../../../web/core/diagnostics/cosine-by-chance.js';
import { loadCore, type Core, type Matrix } from '../../../web/index.js';

let core: Core;
beforeAll(async () => {
  core = await loadCore({ modules: ['diagnostics'] });
});

/** Normally distributed entries (Box-Muller). */
function noiseFrom(seed: number): (rows: number, cols: number) => Matrix {
  let state = seed;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (((mixed ^ (mixed >>> 14)) >>> 0) + 0.5) / 2 ** 32;
  };
  const normal = (): number => Math.sqrt(-2 * Math.log(next())) * Math.cos(2 * Math.PI * next());
  return (rows, cols) => ({ rows, cols, data: Float32Array.from({ length: rows * cols }, normal) });
}

const KINDS = ['meanCosine', 'centeredMeanCosine', 'projectedMeanCosine'] as const;

describe.each([
  [3, 1, 400],
  [3, 2, 400],
  [4, 2, 400],
  [5, 3, 400],
  [12, 8, 300],
  [60, 16, 60],
])('in tables of noise, %i rows and %i columns,', (rows, cols, tables) => {
  test('mean cosines agree with theory', () => {
    const noise = noiseFrom(rows * cols);
    const found = Array.from({ length: tables }, () => core.isotropy(noise(rows, cols)));
    const theory = found[0]!.null;
    for (const kind of KINDS) {
      const values = found.map((one) => one[kind]);
      if (cols === 1 && kind === 'projectedMeanCosine') {
        expect([theory[kind], ...values].every(Number.isNaN)).toBe(true);
        continue;
      }
      const mean = values.reduce((sum, value) => sum + value, 0) / tables;
      const deviation = Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (tables - 1));
      // If cosines cannot vary, only rounding remains.
      expect(Math.abs(mean - theory[kind])).toBeLessThan(4 * (deviation / Math.sqrt(tables)) + 1e-6);
      if (kind === 'meanCosine') {
        // A standard deviation has a relative standard error of about 1 / √(2 tables), more if there are few cosines.
        expect(Math.abs(deviation / meanCosineDeviation(rows, cols) - 1)).toBeLessThan(6 / Math.sqrt(2 * tables));
      }
    }
  });
});

test('cosines by chance match values calculated by hand', () => {
  // Two rows minus their mean are opposite, in any number of dimensions.
  expect(cosinesByChance(2, 5)).toEqual({ meanCosine: 0, centeredMeanCosine: -1, projectedMeanCosine: -1 });
  // Of three values minus their mean, two have the same sign: cosines of 1, -1, -1.
  expect(cosinesByChance(3, 1).centeredMeanCosine).toBeCloseTo(-1 / 3, 14);
  // In one column the cosine is a product of signs, whose mean is 2 / π asin ρ.
  for (const rows of [4, 9, 100]) {
    const expected = (-2 / Math.PI) * Math.asin(1 / (rows - 1));
    expect(cosinesByChance(rows, 1).centeredMeanCosine).toBeCloseTo(expected, 14);
    expect(cosinesByChance(rows, 2).projectedMeanCosine).toBeCloseTo(expected, 14);
  }
});

test('cosines by chance approach -1 / (n - 1) in many dimensions, and 0 in many rows', () => {
  // The first term of an expansion in 1 / d: a cosine is closer to 0 than the correlation.
  for (const [rows, cols] of [
    [10, 64],
    [500, 768],
    [50_257, 768],
  ] as const) {
    const { centeredMeanCosine } = cosinesByChance(rows, cols);
    expect(centeredMeanCosine * -(rows - 1)).toBeLessThan(1);
    expect(centeredMeanCosine * -(rows - 1)).toBeCloseTo(1 - 1 / (2 * cols), 3);
  }
  expect(cosinesByChance(1, 5).meanCosine).toBeNaN();
  expect(cosinesByChance(1, 5).centeredMeanCosine).toBeNaN();
});

test('isotropy counts only rows with a direction', () => {
  const table = noiseFrom(1)(9, 4);
  table.data.fill(0, 0, 12);
  const { leftOut, null: theory } = core.isotropy(table);
  expect(leftOut).toBe(3);
  expect(theory).toMatchObject(cosinesByChance(6, 4));
});

test('rows along one direction have cosines far above chance', () => {
  const noise = noiseFrom(2)(200, 16);
  const leaning = { ...noise, data: noise.data.map((entry, i) => (i % 16 === 0 ? entry + 3 : entry)) };
  const { meanCosine, null: theory } = core.isotropy(leaning);
  expect(meanCosine - theory.meanCosine).toBeGreaterThan(50 * meanCosineDeviation(200, 16));
});
