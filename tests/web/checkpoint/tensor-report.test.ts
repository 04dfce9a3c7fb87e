/** Statistics and windows of any tensor of a file, against plain formulas. */
import { describe, expect, test } from 'vitest';
import { floats, gguf, npy, restOfGpt2, safetensors, uint } from './checkpoint-files.js';
import { openHere } from './open-here.js';
import { table } from './small-tables.js';

const ofShape = (shape: number[], values: readonly number[]) => ({ shape, data: floats(values) });
const file = (tensors: Parameters<typeof safetensors>[0]) =>
  safetensors({ wte: table(), lm_head: table(1), ...tensors });

/** Numbers without a pattern, from a multiplicative sequence. */
const scattered = (count: number): number[] => {
  const found: number[] = [];
  for (let i = 0, state = 1; i < count; i++) {
    state = (state * 48271) % 2147483647;
    found.push(Math.fround(state / 2147483647 - 0.5));
  }
  return found;
};

describe('a report', () => {
  test('has the plain statistics of a matrix, its rows, its histogram and its blocks', async () => {
    const [rows, cols] = [37, 50];
    const values = scattered(rows * cols);
    const checkpoint = await openHere(file({ w: ofShape([rows, cols], values) }));
    const report = await checkpoint.tensorReport('w', { blocks: { rows: 4, cols: 4 } });
    const mean = values.reduce((sum, x) => sum + x, 0) / values.length;
    const variance = values.reduce((sum, x) => sum + (x - mean) ** 2, 0) / values.length;
    const lengths = Array.from({ length: rows }, (_, row) => Math.hypot(...values.slice(row * cols, (row + 1) * cols)));
    expect(report).toMatchObject({
      ...{ name: 'w', shape: [rows, cols], dtype: 'F32', rows, cols, elements: rows * cols, nan: 0, infinite: 0 },
      ...{ least: Math.min(...values), greatest: Math.max(...values) },
    });
    // Double sums of the same numbers in another order.
    expect(report.mean).toBeCloseTo(mean, 14);
    expect(report.standardDeviation).toBeCloseTo(Math.sqrt(variance), 12);
    expect(report.norms.euclidean).toBeCloseTo(Math.hypot(...values), 10);
    expect(report.norms.sum).toBeCloseTo(
      values.reduce((sum, x) => sum + Math.abs(x), 0),
      9,
    );
    expect(report.norms.largest).toBe(Math.max(...values.map(Math.abs)));
    const { shortest, longest } = report.rowLengths!;
    expect(shortest.row).toBe(lengths.indexOf(Math.min(...lengths)));
    expect(longest.row).toBe(lengths.indexOf(Math.max(...lengths)));
    expect(longest.length).toBeCloseTo(Math.max(...lengths), 12);
    const { from, width, counts, below, above } = report.histogram!;
    const inBin = counts.map(
      (_, bin) => values.filter((x) => x >= from + bin * width && x < from + (bin + 1) * width).length,
    );
    expect(counts).toEqual(inBin);
    expect(below + above + counts.reduce((sum, n) => sum + n, 0)).toBe(values.length);
    expect(Math.max(below, above)).toBeLessThanOrEqual(values.length / 1000);
    const { rowEnds, colEnds, means, sizes } = report.blocks!;
    expect(rowEnds).toEqual([0, 9, 18, 27, 37]);
    expect(colEnds).toEqual([0, 12, 25, 37, 50]);
    const block = values.filter((_, at) => {
      const [row, col] = [Math.floor(at / cols), at % cols];
      return row >= 27 && col >= 12 && col < 25;
    });
    expect(means.data[3 * 4 + 1]).toBeCloseTo(block.reduce((sum, x) => sum + x, 0) / block.length, 6);
    expect(sizes.data[3 * 4 + 1]).toBeCloseTo(Math.hypot(...block) / Math.sqrt(block.length), 6);
  });

  test('of vectors, scalars, stacks of matrices and tensors without elements', async () => {
    const checkpoint = await openHere(
      file({
        vector: ofShape([3], [6, -6, 3]),
        scalar: ofShape([], [5]),
        experts: ofShape([2, 2, 2], [1, 0, 0, 1, 3, 4, 0, 0]),
        none: ofShape([0, 4], []),
      }),
    );
    const vector = await checkpoint.tensorReport('vector');
    expect(vector).toMatchObject({ rows: 1, cols: 3, mean: 1, norms: { sum: 15, euclidean: 9, largest: 6 } });
    expect(await checkpoint.tensorReport('scalar')).toMatchObject({ rows: 1, cols: 1, least: 5, standardDeviation: 0 });
    expect(await checkpoint.tensorReport('experts')).toMatchObject({
      ...{ shape: [2, 2, 2], rows: 4, cols: 2, zeros: 4 },
      rowLengths: { longest: { row: 2, length: 5 }, shortest: { row: 3, length: 0 }, mean: 7 / 4 },
    });
    expect(await checkpoint.tensorReport('none')).toMatchObject({
      ...{ elements: 0, least: NaN, mean: NaN, histogram: null, blocks: null, rowLengths: null },
    });
  });

  test('counts NaN and infinities, and measures the rest', async () => {
    const checkpoint = await openHere(file({ w: ofShape([2, 3], [NaN, 1, 2, -Infinity, 0, Infinity]) }));
    const report = await checkpoint.tensorReport('w', { blocks: { rows: 1, cols: 1 } });
    expect(report).toMatchObject({ nan: 1, infinite: 2, zeros: 1, least: 0, greatest: 2, mean: 1, rowLengths: null });
    expect(report.blocks!.means.data[0]).toBe(1);
    expect(report.histogram!.counts.reduce((sum, n) => sum + n, 0)).toBe(3);
    const only = await openHere(file({ w: ofShape([2], [NaN, NaN]) }));
    expect(await only.tensorReport('w')).toMatchObject({ nan: 2, least: NaN, mean: NaN, histogram: null });
  });

  test('is exact for integers, and for numbers around a large one', async () => {
    const integers = new Uint8Array([...uint(7n, 8), ...uint(2n ** 40n, 8)]);
    const checkpoint = await openHere(
      file({
        ids: { shape: [2], data: integers, dtype: 'I64' },
        mask: { shape: [4], data: Uint8Array.of(1, 0, 1, 1), dtype: 'BOOL' },
        far: { shape: [4], data: new Uint8Array(Float64Array.of(1e9, 1e9 + 1, 1e9 + 2, 1e9 + 3).buffer), dtype: 'F64' },
      }),
    );
    expect(await checkpoint.tensorReport('ids')).toMatchObject({ least: 7, greatest: 2 ** 40, dtype: 'I64' });
    expect(await checkpoint.tensorReport('mask')).toMatchObject({ mean: 0.75, zeros: 1 });
    const far = await checkpoint.tensorReport('far');
    expect(far.mean).toBe(1e9 + 1.5);
    expect(far.standardDeviation).toBeCloseTo(Math.sqrt(1.25), 12);
  });

  test('has a mean where the sum of its elements is beyond the largest number', async () => {
    const numbers = Float64Array.of(-1.5e308, 1.5e308, 1.25e308, 1.75e308);
    const checkpoint = await openHere(
      file({ far: { shape: [2, 2], data: new Uint8Array(numbers.buffer), dtype: 'F64' } }),
    );
    const { mean } = await checkpoint.tensorReport('far');
    expect(mean / 1e308).toBeCloseTo(0.75, 14);
  });

  test('of a matrix that is stored by columns, and of a packed type, is of what the caller sees', async () => {
    const values = floats([1, 3, 5, 2, 4, 6]);
    const header = "{'descr': '<f4', 'fortran_order': True, 'shape': (3, 2), }";
    const checkpoint = await openHere(npy(header, values));
    const { name } = checkpoint.tensors[0]!;
    const report = await checkpoint.tensorReport(name);
    expect(report).toMatchObject({ shape: [3, 2], rows: 3, cols: 2 });
    expect([...report.blocks!.means.data]).toEqual([1, 2, 3, 4, 5, 6]);
    expect(report.rowLengths).toMatchObject({ shortest: { row: 0 }, longest: { row: 2 } });
    expect((await checkpoint.tensorWindow(name, { rows: { from: 1, to: 3 }, cols: { from: 1, to: 2 } })).data).toEqual(
      Float32Array.of(4, 6),
    );
  });

  test('is refused by name for a type that cannot be decoded, a wrong name and wrong options', async () => {
    const tensors = {
      ...{ 'token_embd.weight': { dimensions: [4, 6], type: 0, data: floats(Array(24).fill(1)) } },
      odd: { dimensions: [256], type: 15, data: new Uint8Array(292) },
    };
    const checkpoint = await openHere(gguf({ tensors }));
    await expect(checkpoint.tensorReport('odd')).rejects.toMatchObject({
      code: 'unsupported',
      message: expect.stringMatching(/'odd' has the type Q8_K/) as string,
    });
    await expect(checkpoint.tensorReport('token_embd.weigt')).rejects.toThrow("did you mean 'token_embd.weight'?");
    await expect(checkpoint.tensorReport('odd', { blocks: { cols: 0 } })).rejects.toThrow(
      'options.blocks.cols is 0; expected an',
    );
    await expect(checkpoint.tensorWindow('token_embd.weight', { rows: { from: 5, to: 7 } })).rejects.toThrow(
      'options.rows.to is 7; expected an integer from 5 to 6',
    );
    checkpoint.dispose();
    await expect(checkpoint.tensorReport('odd')).rejects.toMatchObject({ code: 'disposed' });
  });

  test('of a large tensor is read in slices, with progress, and can be cancelled', async () => {
    const elements = 3 * 2 ** 20;
    const big = { shape: [3 * 2 ** 10, 2 ** 10], data: new Uint8Array(4 * elements) };
    const checkpoint = await openHere(new Blob([file({ big })]));
    const seen: number[] = [];
    await checkpoint.tensorReport('big', { onProgress: (share) => seen.push(share) });
    expect(seen.length).toBeGreaterThanOrEqual(elements / 2 ** 17);
    expect(seen).toEqual([...seen].sort((a, b) => a - b));
    expect(seen.at(-1)).toBe(1);
    const stop = new AbortController();
    let calls = 0;
    const cancelled = checkpoint.tensorReport('big', {
      signal: stop.signal,
      onProgress: () => {
        if (++calls === 2) stop.abort();
      },
    });
    await expect(cancelled).rejects.toMatchObject({ code: 'cancelled' });
    expect(calls).toBe(2);
  });
});

describe('a window', () => {
  test('of many short rows is made a part at a time, between which others have their turn', async () => {
    const rows = 40_000;
    const values = scattered(2 * rows);
    const checkpoint = await openHere(file({ w: ofShape([rows, 2], values) }));
    let turns = 0;
    let isDone = false;
    const count = (): void => {
      turns++;
      if (!isDone) setImmediate(count);
    };
    setImmediate(count);
    const window = await checkpoint.tensorWindow('w', { rows: { from: 1, to: rows }, cols: { from: 1, to: 2 } });
    isDone = true;
    expect(window.data).toEqual(Float32Array.from({ length: rows - 1 }, (_, row) => values[2 * row + 3]!));
    // 16,384 rows at a time.
    expect(turns).toBeGreaterThanOrEqual(3);
  });

  test('has the elements of its rows and columns, and only those rows are read', async () => {
    const [rows, cols] = [40, 5000];
    const values = Array.from({ length: rows * cols }, (_, at) => at);
    const checkpoint = await openHere(new Blob([file({ w: ofShape([rows, cols], values), ...restOfGpt2(4) })]));
    const before = checkpoint.bytesRead;
    const window = await checkpoint.tensorWindow('w', { rows: { from: 30, to: 32 }, cols: { from: 4998, to: 5000 } });
    expect(window).toEqual({ rows: 2, cols: 2, data: Float32Array.of(154998, 154999, 159998, 159999) });
    expect(checkpoint.bytesRead - before).toBe(2 * 2 * 4);
    const whole = await checkpoint.tensorWindow('w');
    expect([whole.rows, whole.cols, whole.data[64]]).toEqual([40, 64, 5000]);
    expect((await checkpoint.tensorWindow('w', { rows: { from: 3, to: 3 } })).data).toHaveLength(0);
  });
});
