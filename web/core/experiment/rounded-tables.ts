/** A model whose tables are stored in few bits: the bytes they take, and the loss that costs. */
import { square } from '../runtime/elementary.js';
import type { LabTrainer, Matrix } from '../types.js';
import { isTable } from './metric-kinds.js';

/** Bytes of a row's largest magnitude in single precision, which determines its steps. */
const SCALE_BYTES = 4;

export const LEAST_BITS = 2;
export const MOST_BITS = 16;

/** A table rounded to integers of `bits` bits, with one scale per row, and decoded again. */
export function rounded({ rows, cols, data }: Matrix, bits: number): Matrix {
  // The same number of steps on either side of zero, which stays zero.
  const most = (1 << (bits - 1)) - 1;
  const read = new Float32Array(data.length);
  for (let row = 0; row < rows; row++) {
    const values = data.subarray(row * cols, (row + 1) * cols);
    const largest = values.reduce((sofar, value) => Math.max(sofar, Math.abs(value)), 0);
    const step = largest / most;
    if (step > 0) read.set(values.map((value) => Math.round(value / step) * step), row * cols); // prettier-ignore
  }
  return { rows, cols, data: read };
}

/** The root mean square of the differences, divided by that of the values. */
export function relativeError(tables: readonly (readonly [Matrix, Matrix])[]): number {
  let [missed, all] = [0, 0];
  for (const [exact, read] of tables) {
    for (const [i, value] of exact.data.entries()) {
      missed += square(value - read.data[i]!);
      all += value * value;
    }
  }
  return all === 0 ? 0 : Math.sqrt(missed / all);
}

export const bytesOf = ({ rows, cols }: Matrix, bits: number): number => (rows * cols * bits) / 8 + rows * SCALE_BYTES;

/** The token tables that have their own storage, by name; a tied model has one. */
export async function ownTables(trainer: LabTrainer): Promise<ReadonlyMap<string, Matrix>> {
  const tables = new Map<string, Matrix>();
  for (const { name, tiedTo } of await trainer.parameters()) {
    if (isTable(name) && tiedTo === null) tables.set(name, await trainer.matrix(name));
  }
  return tables;
}
