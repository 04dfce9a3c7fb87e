/** How often tokens follow themselves in the paths of public models: the factors and statistics of the survey, and a sample of it measured again. */
import { describe, expect, test } from 'vitest';
import { readSurvey } from '../../../tools/claims/files.mjs';
import { pathsOf, publicPaths, repetitionOfPath, statisticsOf } from '../../../tools/claims/surveys/paths.mjs';
import { readSurveyOutcome } from '../../../tools/claims/surveys/run.mjs';
import { loadCore, type Matrix } from '../../../web/index.js';
import { repetitionIn, softmaxRows } from '../../../web/core/experiment/path-metrics.js';
import { inRandomOrder } from '../../../web/core/experiment/random-order.js';
import { sharedFile } from '../core/support.js';

const core = await loadCore({ modules: ['checkpoint'] });
const parts = { softmaxRows, repetitionIn, inRandomOrder };
const matrix = (rows: number, cols: number, at: (row: number, col: number) => number): Matrix => ({
  rows,
  cols,
  data: Float32Array.from({ length: rows * cols }, (_, i) => at(Math.floor(i / cols), i % cols)),
});
/** Numbers without a pattern, the same on every machine. */
const mixed = (a: number, b: number): number => (((a * 7919 + b * 104_729 + a * b * 31) % 997) / 997 - 0.5) * 3;
const reading = (tensors: Record<string, Matrix>) => (name: string) => Promise.resolve(tensors[name]!);
const pathOf = async (model: object, tensors: Record<string, Matrix>) =>
  (await pathsOf({ name: '', about: '', file: '', tying: '', embedding: 'E', ...model }, reading(tensors))) as Record<
    string,
    { embedding: Matrix; unembedding: Matrix }
  >;

describe('the factors of a path', () => {
  const [E, U] = [matrix(5, 3, mixed), matrix(5, 3, (row, col) => mixed(row + 20, col + 7))];
  const logit = ({ embedding: e, unembedding: u }: { embedding: Matrix; unembedding: Matrix }, i: number, j: number) =>
    Array.from({ length: e.cols }, (_, k) => e.data[i * e.cols + k]! * u.data[j * e.cols + k]!).reduce(
      (a, b) => a + b,
      0,
    );

  test('give the scores of the tables, with the output bias, the scale of lookups and a turned table', async () => {
    const b = matrix(1, 5, (_, col) => col - 2);
    const turned = matrix(3, 5, (row, col) => U.data[col * 3 + row]!);
    const made = await pathOf(
      { unembedding: 'U', bias: 'b', isTurned: true, scale: 'root of the width' },
      { E, U: turned, b },
    );
    expect(Object.keys(made)).toEqual(['']);
    const expected = Math.sqrt(3) * logit({ embedding: E, unembedding: U }, 1, 4) + 2;
    expect(logit(made['']!, 1, 4)).toBeCloseTo(expected, 5);
  });

  test('behind norms have rows of length √d, or of mean 0 and variance 1, times gains and plus shifts', async () => {
    const g = matrix(1, 3, (_, col) => col + 1);
    const s = matrix(1, 3, () => 0.5);
    const norms = [{ kind: 'rms-norm' }, { kind: 'layer-norm', gain: 'g', shift: 's' }];
    const [first] = norms;
    const one = (await pathOf({ norms: [first] }, { E }))['norm']!.embedding.data;
    const two = (await pathOf({ norms }, { E, g, s }))['norm']!.embedding.data;
    for (let row = 0; row < 5; row++) {
      expect(Math.hypot(...one.subarray(3 * row, 3 * row + 3))).toBeCloseTo(Math.sqrt(3), 3);
      const plain = [...two.subarray(3 * row, 3 * row + 3)].map((x, i) => (x - 0.5) / (i + 1));
      expect(plain.reduce((a, x) => a + x, 0)).toBeCloseTo(0, 4);
      // The epsilon of 1e-5 shortens rows of little variance.
      expect(Math.hypot(...plain)).toBeCloseTo(Math.sqrt(3), 2);
    }
  });
});

describe('repetition', () => {
  const table = matrix(40, 6, mixed);
  const drawn = { orders: 20, seed: 5 };

  test('of a tied path is above chance for every token, and far from that of random orders', () => {
    const found = repetitionOfPath(parts, core, { embedding: table, unembedding: table }, drawn);
    expect(found).toMatchObject({ below: 0, tokens: 40 });
    expect(Math.min(...found.differences)).toBeGreaterThan(-1e-6);
    const { 'above-chance': above, 'by-chance': chance, 'as-far': far, below } = statisticsOf(found);
    expect(above!.high).toBeLessThan(0);
    expect(chance!.value).toBeGreaterThan(0.2);
    expect([far!.value, far!.count, below!.value, below!.count]).toEqual([0, 20, 0, 40]);
  });

  test('of unrelated tables is like that of random orders, which a seed repeats', () => {
    const path = { embedding: table, unembedding: matrix(40, 6, (row, col) => mixed(row + 100, col + 50)) };
    const found = repetitionOfPath(parts, core, path, drawn);
    const { 'above-chance': above, 'as-far': far } = statisticsOf(found);
    expect([above!.low < 0, above!.high > 0, far!.value > 0.05]).toEqual([true, true, true]);
    expect(repetitionOfPath(parts, core, path, drawn)).toEqual(found);
    expect(repetitionOfPath(parts, core, path, { ...drawn, seed: 500 }).belowByOrder).not.toEqual(found.belowByOrder);
  });

  test('statistics are those of the orders: mean, inner quantiles, share as far from the mean', () => {
    const belowByOrder = Array.from({ length: 41 }, (_, i) => i / 40);
    const values = statisticsOf({ below: 0.9, tokens: 10, differences: [], belowByOrder });
    expect(values['by-chance']).toEqual({ value: expect.closeTo(0.5, 12), low: 1 / 40, high: 39 / 40, count: 41 });
    expect(values['above-chance']).toEqual({
      value: expect.closeTo(0.4, 12),
      low: expect.closeTo(0.9 - 39 / 40, 12),
      high: 0.9 - 1 / 40,
      count: 41,
    });
    // 0 to 4 and 36 to 40 of 40.
    expect(values['as-far']!.value).toBeCloseTo(10 / 41, 12);
  });
});

interface Outcome {
  readonly values: readonly { readonly name: string; readonly value: number }[];
  readonly paths: readonly { readonly place: string; readonly sha256: string }[];
}

// The small ones: of 512 tokens, 200 random orders take most of the survey's time.
const small = ['microgpt', 'aren-decoder'];
type Spec = Parameters<typeof publicPaths>[0];
const spec = readSurvey('public-paths') as Spec;
const isThere = spec.models.every(({ file }) => sharedFile(`models/${file}`) !== null);

test.skipIf(!isThere)('two of the public models are measured to the same digits', async () => {
  const chosen = { ...spec, models: spec.models.filter(({ name }) => small.includes(name)) };
  const { values, paths } = (await publicPaths(chosen, parts, core))!;
  const recorded = readSurveyOutcome('public-paths') as Outcome;
  expect(paths).toEqual(recorded.paths.filter(({ place }) => small.includes(place.split(',')[0]!)));
  expect(Object.keys(values)).toHaveLength(16);
  for (const [name, { value }] of Object.entries(values))
    expect([name, Number(value.toPrecision(6))]).toEqual([
      name,
      recorded.values.find((one) => one.name === name)!.value,
    ]);
});

test('a survey that says where its files are from reads build/models, and measures nothing if one is missing', async () => {
  const again = readSurvey('public-paths-again') as Spec & { from: string };
  // A commit, so that the files cannot change.
  expect(again.from).toMatch(/^https:\/\/github\.com\/.+\/[0-9a-f]{40}\//);
  const [first] = again.models;
  expect(await publicPaths({ ...again, models: [{ ...first!, file: 'no-such-model.bin' }] }, parts, core)).toBeNull();
  const { paths } = readSurveyOutcome('public-paths-again') as Outcome;
  expect(paths.map(({ place }) => place)).toEqual(again.models.flatMap(({ name }) => [name, `${name}, norm`]));
});
