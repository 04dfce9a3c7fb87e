// Cycles of three tokens through the public verb. The method itself is tested in tests/cpp/diagnostics.
import { beforeAll, expect, test } from 'vitest';
import { createLab, loadCore, type Core, type ErrorCode, type Matrix } from '../../../web/index.js';
import { expectError } from './support.js';

let core: Core;
beforeAll(async () => {
  core = await loadCore({ modules: ['graphs'] });
});

/** Half a million pairs of twelve tokens; `turn` additional pairs lead from each token to the next. */
const pairs = (turn: number): Matrix => ({
  rows: 12,
  cols: 12,
  data: Float32Array.from({ length: 144 }, (_, place) => {
    const [from, to] = [Math.floor(place / 12), place % 12];
    return 3000 + 40 * ((from * to) % 7) + ((to - from + 12) % 12 === 1 ? turn : 0);
  }),
});

test('cycles run in the direction of the majority of pairs, far beyond chance', () => {
  const turning = core.kolmogorovCycles(pairs(600), { nullRuns: 10, listed: 3 });
  expect(turning.compared).toBe(220);
  expect(turning.oneWay).toBe(0);
  expect(turning.null.runs).toHaveLength(10);
  expect(turning.affinity!).toBeGreaterThan(turning.null.mean! + 10 * turning.null.standardDeviation!);
  const still = core.kolmogorovCycles(pairs(0), { nullRuns: 2 });
  expect(still.affinity).toBe(0);
  expect(still.strongest).toEqual([]);
});

test('no cycle of three may prefer a direction in a text that has one', () => {
  // A square walked 9 to 1 in one direction, beside a fair triangle.
  const data = new Float32Array(36);
  for (let i = 0; i < 4; i++) {
    data[6 * i + ((i + 1) % 4)] = 9;
    data[6 * ((i + 1) % 4) + i] = 1;
  }
  for (const [a, b] of [
    [0, 4],
    [4, 5],
    [5, 0],
  ] as const) {
    data[6 * a + b] = data[6 * b + a] = 5;
  }
  const counts = { rows: 6, cols: 6, data };
  expect(core.kolmogorovCycles(counts)).toMatchObject({ affinity: 0, compared: 1, oneWay: 0 });
  expect(core.irreversibility(counts).js).toBeGreaterThan(0.18);
});

test('as many cycles as requested are listed, strongest first', () => {
  const counts = { rows: 4, cols: 4, data: Float32Array.of(0, 9, 2, 1, 3, 0, 8, 6, 8, 1, 0, 7, 5, 1, 2, 0) };
  const { strongest, compared } = core.kolmogorovCycles(counts);
  expect(compared).toBe(4);
  expect(strongest.map(({ flow }) => flow)).toEqual([6, 4]);
  expect(core.kolmogorovCycles(counts, { listed: 1, nullRuns: 0 }).strongest).toEqual(strongest.slice(0, 1));
  expect(core.kolmogorovCycles(counts, { listed: 0 }).strongest).toEqual([]);
});

test('without anything to compare there is no affinity', () => {
  const counts = { rows: 3, cols: 3, data: Float32Array.of(0, 4, 0, 0, 0, 3, 2, 0, 0) };
  expect(core.kolmogorovCycles(counts, { nullRuns: 1 })).toEqual({
    affinity: null,
    null: { mean: null, standardDeviation: null, runs: [] },
    compared: 0,
    oneWay: 1,
    strongest: [{ tokens: [0, 1, 2], forward: 1, backward: 0, flow: 2 }],
  });
});

test('the same seed gives the same cycles, also in a lab, which reports progress and can be cancelled', async () => {
  const options = { nullRuns: 3, seed: 5, listed: 2 };
  const lab = await createLab();
  const heard: number[] = [];
  const there = await lab.kolmogorovCycles(pairs(50), { ...options, onProgress: (share) => heard.push(share) });
  expect(there).toEqual(core.kolmogorovCycles(pairs(50), options));
  expect(heard.at(-1)).toBe(1);
  const cancel = new AbortController();
  const stopped = lab.kolmogorovCycles(pairs(50), {
    nullRuns: 1000,
    signal: cancel.signal,
    onProgress: () => cancel.abort(),
  });
  await expect(stopped).rejects.toMatchObject({
    code: 'cancelled',
    message: /^the reading of the cycles was cancelled/,
  });
  lab.dispose();
});

test.each<[what: string, counts: Matrix, options: object, code: ErrorCode, message: RegExp]>([
  ['not square', { ...pairs(0), rows: 6, cols: 24 }, {}, 'shape-mismatch', /^counts/],
  [
    'a negative count',
    { rows: 1, cols: 1, data: Float32Array.of(-1) },
    {},
    'invalid-argument',
    /^counts\[0, 0\] is -1/,
  ],
  ['half a pair', { rows: 1, cols: 1, data: Float32Array.of(0.5) }, {}, 'invalid-argument', /^counts\[0, 0\] is 0.5/],
  ['not a number', { rows: 1, cols: 1, data: Float32Array.of(NaN) }, {}, 'not-finite', /^counts\[0, 0\]/],
  ['no pair', { rows: 1, cols: 1, data: Float32Array.of(0) }, {}, 'invalid-argument', /at least one pair/],
  ['runs', pairs(0), { nullRuns: -1 }, 'invalid-argument', /^options\.nullRuns is -1/],
  ['too long a list', pairs(0), { listed: 101 }, 'invalid-argument', /^options\.listed is 101/],
])('refuse %s', (_, counts, options, code, message) => {
  expectError(() => core.kolmogorovCycles(counts, options), code, message);
});
