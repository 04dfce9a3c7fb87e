// The distance between two graphs of neighbors through the public verb. The method itself is tested in tests/cpp/diagnostics.
import { beforeAll, expect, test } from 'vitest';
import { createLab, loadCore, type Core, type Matrix } from '../../../web/index.js';
import { expectError } from './support.js';

let core: Core;
beforeAll(async () => {
  core = await loadCore({ modules: ['graphs'] });
});

const table = (rows: number, cols: number, seed: number): Matrix => ({
  rows,
  cols,
  data: Float32Array.from({ length: rows * cols }, (_, i) => Math.sin(12.9898 * (i + 1) + 78.233 * seed)),
});

test('the distance is 0 for the same directions, small for similar ones, and at the chance level for unrelated tables', () => {
  const a = table(200, 8, 1);
  const doubled = { ...a, data: a.data.map((x) => 2 * x) };
  const same = core.spectralDistance(a, doubled);
  expect(same.distance).toBeLessThan(1e-6);
  expect(same).toMatchObject({ k: 25, dimensions: 50, rows: 200, leftOut: 0 });
  expect(same.residual).toBeLessThan(1e-7);
  const near = { ...a, data: a.data.map((x, i) => x + 0.2 * Math.cos(i * i)) };
  const close = core.spectralDistance(a, near, { nullRuns: 3 });
  expect(close.null.runs).toHaveLength(3);
  expect(close.distance).toBeLessThan(0.8 * close.null.mean);
  const unrelated = core.spectralDistance(a, table(200, 5, 7), { nullRuns: 3 });
  expect(Math.abs(unrelated.distance / unrelated.null.mean - 1)).toBeLessThan(0.1);
});

test('the distance is the same for the same seed, and uses a sample if requested', () => {
  const [a, b] = [table(120, 6, 1), table(120, 6, 2)];
  const options = { sample: 60, seed: 3 };
  expect(core.spectralDistance(a, b, options)).toEqual(core.spectralDistance(a, b, options));
  expect(core.spectralDistance(a, b, options).rows).toBe(60);
  const none = core.spectralDistance(a, b, { nullRuns: 0 });
  expect(none.null).toEqual({ mean: NaN, runs: [] });
});

test('a lab fetches the module, reports progress and can be cancelled', async () => {
  const lab = await createLab();
  const [a, b] = [table(120, 6, 1), table(120, 6, 2)];
  const shares: number[] = [];
  const found = await lab.spectralDistance(a, b, { onProgress: (share) => shares.push(share) });
  expect(found).toEqual(core.spectralDistance(a, b));
  expect(shares.at(-1)).toBe(1);
  const cancel = new AbortController();
  const stopped = lab.spectralDistance(a, b, {
    nullRuns: 100,
    signal: cancel.signal,
    onProgress: () => cancel.abort(),
  });
  await expect(stopped).rejects.toMatchObject({ code: 'cancelled', message: /^the spectral distance was cancelled/ });
  lab.dispose();
});

test('invalid arguments are refused before work begins', () => {
  const [a, b] = [table(20, 3, 1), table(19, 3, 2)];
  expectError(() => core.spectralDistance(a, b), 'shape-mismatch', /^b\.rows is 19/);
  expectError(() => core.spectralDistance(a, a, { k: 20 }), 'invalid-argument', /^options\.k is 20/);
  expectError(() => core.spectralDistance(a, a, { k: 19 }), 'invalid-argument', /^options\.k is 19/);
  expectError(() => core.spectralDistance(a, a, { dimensions: 21 }), 'invalid-argument', /^options\.dimensions is 21/);
  expectError(() => core.spectralDistance(a, a, { sample: 21 }), 'invalid-argument', /^options\.sample is 21/);
  expectError(
    () => core.spectralDistance(a, a, { sample: 2 }),
    'invalid-argument',
    /^options\.sample is 2; expected .* 3 to/,
  );
  const two = { rows: 2, cols: 2, data: Float32Array.of(1, 0, 0, 1) };
  expectError(() => core.spectralDistance(two, two), 'invalid-argument', /^a\.rows is 2; expected at least 3 rows$/);
  expectError(() => core.spectralDistance(a, a, { nullRuns: -1 }), 'invalid-argument', /^options\.nullRuns is -1/);
  const broken = { ...a, data: a.data.slice() };
  broken.data[4] = NaN;
  expectError(() => core.spectralDistance(a, broken), 'not-finite', /NaN/);
});
