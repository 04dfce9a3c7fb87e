/** How far two tables that differ are apart: the formulas on all pairs, the sample, and what reading it takes. */
import { expect, test } from 'vitest';
import { sampleOf } from '../../../web/core/checkpoint/tying/distance.js';
import { RowsApart } from '../../../web/core/direct-path/row-distances.js';
import { loadCore } from '../../../web/index.js';
import { Draw } from '../../fuzz/draw.js';
import { floats, safetensors } from './checkpoint-files.js';

const core = await loadCore({ modules: ['checkpoint'] });

type Rows = readonly (readonly number[])[];

async function tyingOf(input: Rows, output: Rows) {
  const table = (rows: Rows) => ({ shape: [rows.length, rows[0]!.length], data: floats(rows.flat()) });
  const checkpoint = await core.openCheckpoint(
    safetensors({ 'model.embed_tokens.weight': table(input), 'lm_head.weight': table(output) }),
  );
  return { ...checkpoint.tying, bytesRead: checkpoint.bytesRead };
}

const cosine = (a: readonly number[], b: readonly number[]): number => {
  const dot = (x: readonly number[], y: readonly number[]) => x.reduce((sum, one, i) => sum + one * y[i]!, 0);
  return dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b));
};
const mean = (values: readonly number[]): number => values.reduce((sum, one) => sum + one, 0) / values.length;

test('mean cosine, chance and equal rows are those of the formulas over all pairs', async () => {
  const draw = new Draw(3);
  const row = () => draw.list(6, () => Math.fround(draw.share() + 0.2));
  const input = Array.from({ length: 40 }, row);
  const output = input.map((one, i) => (i % 4 === 0 ? one : one.map((x) => Math.fround(x + draw.share()))));
  const { tied, distance } = await tyingOf(input, output);
  expect(tied).toBe(false);
  const apart = input.flatMap((a, i) => output.flatMap((b, j) => (i === j ? [] : [cosine(a, b)])));
  expect(distance!.meanCosine).toBeCloseTo(mean(input.map((a, i) => cosine(a, output[i]!))), 12);
  expect(distance!.chance).toBeCloseTo(mean(apart), 12);
  expect(distance).toMatchObject({ equalRows: 0.25, rows: 40 });
  const relative = input.map((a, i) => {
    const b = output[i]!;
    return Math.hypot(...a.map((x, j) => x - b[j]!)) / Math.hypot(...a, ...b);
  });
  expect(distance!.relative).toBeCloseTo(mean(relative), 12);
});

test('the relative distance is 1 for rows at right angles, whatever their lengths', async () => {
  expect((await tyingOf([[3, 0, 0], [0, 1e-20, 0]], [[0, 5, 0], [4e20, 0, 0]])).distance!.relative).toBeCloseTo(1, 12); // prettier-ignore
  const half = await tyingOf([[1, 1, 0], [2, 2, 0]], [[1, 1, 0], [2, -2, 0]]); // prettier-ignore
  expect(half.distance).toMatchObject({ relative: expect.closeTo(0.5, 12), equalRows: 0.5 });
});

test('an output with one column per token is at the same distance', async () => {
  const draw = new Draw(5);
  const row = () => draw.list(6, () => Math.fround(draw.share() + 0.2));
  const input = Array.from({ length: 40 }, row);
  const output = input.map((one, i) => (i % 4 === 0 ? one : one.map((x) => Math.fround(x + draw.share()))));
  const columns = output[0]!.map((_, col) => output.map((one) => one[col]!));
  const checkpoint = await core.openCheckpoint(
    safetensors({
      'model.embed_tokens.weight': { shape: [40, 6], data: floats(input.flat()) },
      'lm_head.kernel': { shape: [6, 40], data: floats(columns.flat()) },
    }),
  );
  const { distance } = await tyingOf(input, output);
  expect(distance).not.toBeNull();
  expect(checkpoint.tying).toMatchObject({ tied: false, distance });
});

test('it is √2 for opposite rows of one length, near 1 for a copy that is much longer, and leaves rows without a length out', () => {
  const apart = new RowsApart(2);
  apart.add(Float32Array.of(3, 1), Float32Array.of(-3, -1));
  expect(apart.result()).toMatchObject({ meanCosine: expect.closeTo(-1, 12), chance: null });
  expect(apart.result()!.relative).toBeCloseTo(Math.SQRT2, 12);
  apart.add(Float32Array.of(0, 0), Float32Array.of(1, 1));
  apart.add(Float32Array.of(1, 2), Float32Array.of(10, 20));
  expect(apart.result()!.relative).toBeCloseTo((Math.SQRT2 + 9 / Math.sqrt(101)) / 2, 12);
});

test('rows without a direction are left out; equal ones still count', async () => {
  const { distance } = await tyingOf([[0, 0], [1, 0], [3e38, 3e38]], [[0, 0], [0, 1], [1e-30, 1e-30]]); // prettier-ignore
  expect(distance!.equalRows).toBeCloseTo(1 / 3, 12);
  expect(distance!.meanCosine).toBeCloseTo(1 / 2, 12);
  const one = await tyingOf([[1, 1]], [[1, 2]]);
  expect(one.distance).toMatchObject({ chance: null, rows: 1, equalRows: 0 });
  expect((await tyingOf([[0, 0]], [[1, 2]])).distance).toBeNull();
});

test('of tables with different numbers of rows, the rows that both have', async () => {
  const rows = Array.from({ length: 6 }, (_, i) => [1, i, i * i]);
  const { tied, distance } = await tyingOf([...rows, [9, 9, 9]], [[-1, 0, 0], ...rows.slice(1)]);
  expect([tied, distance!.rows, distance!.equalRows]).toEqual([false, 6, 5 / 6]);
  expect(distance!.meanCosine).toBeCloseTo(4 / 6, 12);
});

test('none for tables of different widths, and for one table', async () => {
  expect((await tyingOf([[1, 2], [3, 4], [5, 6]], [[1, 2, 3], [4, 5, 6], [7, 8, 9]])).distance).toBeNull(); // prettier-ignore
  expect((await tyingOf([[1, 2]], [[1, 2]])).distance).toBeNull();
});

test('large tables are measured on ranges from the first row to the last, of a megabyte at most', async () => {
  for (const [rows, rowBytes] of [
    [3, 4],
    [512, 2],
    [513, 2],
    [50_257, 1536],
    [128_256, 8192],
    [262_144, 2_000_000],
  ] as const) {
    const ranges = sampleOf(rows, rowBytes);
    const read = ranges.reduce((sum, { from, to }) => sum + to - from, 0);
    expect(ranges.length).toBeLessThanOrEqual(8);
    expect(read * rowBytes).toBeLessThanOrEqual(Math.max(2 ** 20, rowBytes));
    expect([ranges[0]!.from, ranges.length > 1 ? ranges.at(-1)!.to : rows]).toEqual([0, rows]);
    ranges.slice(1).forEach(({ from }, i) => expect(from).toBeGreaterThanOrEqual(ranges[i]!.to));
  }
  const draw = new Draw(4);
  const input = Array.from({ length: 4000 }, () => draw.list(8, () => Math.fround(draw.share() - 0.5)));
  const output = input.map(() => draw.list(8, () => Math.fround(draw.share() - 0.5)));
  const { distance, bytesRead } = await tyingOf(input, output);
  expect(distance!.rows).toBe(512);
  // Unrelated tables: both within three standard errors of zero, 1 / sqrt(512 · 8).
  expect(Math.abs(distance!.meanCosine)).toBeLessThan(3 / 64);
  expect(Math.abs(distance!.chance!)).toBeLessThan(3 / 64);
  expect(bytesRead).toBeLessThan(4000 * 32);
});

test('the identity card has it, and says of how many tokens', async () => {
  const rows = Array.from({ length: 600 }, (_, i) => [Math.sin(i), Math.cos(i * i), 1]);
  const table = (of: Rows) => ({ shape: [of.length, 3], data: floats(of.flat()) });
  const open = (other: Rows) =>
    core.openCheckpoint(safetensors({ 'model.embed_tokens.weight': table(rows), 'lm_head.weight': table(other) }));
  const untied = await open(rows.map(([x, y, z], i) => [x!, y!, z! + (i % 2)]));
  const { markdown, data } = await untied.identityCard();
  const { meanCosine, chance, relative } = untied.tying.distance!;
  expect(data.tying.distance).toEqual(untied.tying.distance);
  expect(markdown).toContain(
    `| mean cosine of the two rows of a token | ${meanCosine.toPrecision(4)} | ${chance!.toPrecision(4)} |`,
  );
  expect(markdown).toContain(
    `| distance of the two rows of a token, relative to their lengths | ${relative.toPrecision(4)} | 1 |`,
  );
  expect(markdown).toMatch(/\| share of tokens whose two rows are equal \| 0\.50* \| 0 \|/);
  expect(markdown).toContain('the rows of the same token are those of 512 tokens; all other numbers cover all rows.');
  const tied = await (await open(rows)).identityCard();
  expect(tied.markdown).not.toContain('two rows of a token');
});
