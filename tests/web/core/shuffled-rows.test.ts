// The product of two matrices with the rows of one in random order, compared with enumerating all orders.
import { describe, expect, test } from 'vitest';
import { ShuffledRows } from '../../../web/core/diagnostics/shuffled-rows.js';

function ordersOf(rows: number[]): number[][] {
  if (rows.length < 2) return [rows];
  return rows.flatMap((row) => ordersOf(rows.filter((other) => other !== row)).map((order) => [row, ...order]));
}

/** Mean and standard deviation over every order of the rows of `b`. */
function overOrders(a: Float32Array, b: Float32Array, width: number) {
  const rows = Array.from({ length: a.length / width }, (_, i) => i);
  const products = ordersOf(rows).map((order) =>
    order.reduce((sum, from, to) => {
      for (let j = 0; j < width; j++) sum += a[to * width + j]! * b[from * width + j]!;
      return sum;
    }, 0),
  );
  const mean = products.reduce((sum, product) => sum + product, 0) / products.length;
  const square = products.reduce((sum, product) => sum + (product - mean) ** 2, 0) / products.length;
  return { mean, standardDeviation: Math.sqrt(square) };
}

const matrix = (rows: number, width: number, seed: number, offset: number): Float32Array =>
  Float32Array.from({ length: rows * width }, (_, i) => Math.sin(seed * (i + 1) ** 2) + offset);

describe('rows in random order', () => {
  test.each([
    [6, 3, 0],
    [6, 3, 2],
    [5, 8, -1],
    [4, 1, 0.5],
    [2, 2, 0],
    [1, 3, 1],
  ])('%i rows of %i, with a mean of about %f, have the moments over all orders', (rows, width, offset) => {
    const [a, b] = [matrix(rows, width, 1.3, offset), matrix(rows, width, 2.9, offset / 2)];
    const shuffled = new ShuffledRows(width);
    const first = Math.floor(rows / 2) * width;
    shuffled.add(a.subarray(0, first), b.subarray(0, first));
    shuffled.add(a.subarray(first), b.subarray(first));
    const { mean, standardDeviation } = overOrders(a, b, width);
    const [found, cosine] = [shuffled.moments(), shuffled.cosine(2, 5)];
    expect(found.mean).toBeCloseTo(mean, 10);
    expect(found.standardDeviation).toBeCloseTo(standardDeviation, 7);
    expect(cosine.mean).toBeCloseTo(mean / 10, 10);
    expect(cosine.standardDeviation).toBeCloseTo(standardDeviation / 10, 7);
  });

  test('have no spread if all are equal, and no cosine if they are zero', () => {
    const [alike, zero] = [new ShuffledRows(3), new ShuffledRows(3)];
    alike.add(new Float32Array(12).fill(0.1), matrix(4, 3, 1, 0));
    expect(alike.moments().standardDeviation).toBeLessThan(1e-7);
    zero.add(new Float32Array(12), matrix(4, 3, 1, 0));
    expect(zero.moments()).toEqual({ mean: 0, standardDeviation: 0 });
    expect(zero.cosine(0, 1)).toEqual({ mean: 0, standardDeviation: 0 });
  });

  test('give cosines that spread by at most 1 / √(rows - 1), which rows on a line reach', () => {
    const [line, all] = [new ShuffledRows(2), new ShuffledRows(2)];
    const along = Float32Array.of(3, 6, -1, -2, -4, -8, 2, 4);
    line.add(along, along);
    expect(line.cosine(1, Math.hypot(...along) ** 2).standardDeviation).toBeCloseTo(1 / Math.sqrt(3), 7);
    const cross = Float32Array.of(1, 0, -1, 0, 0, 1, 0, -1);
    all.add(cross, cross);
    expect(all.cosine(2, 2).standardDeviation).toBeCloseTo(1 / Math.sqrt(2 * 3), 12);
  });
});
