/** A model whose tables are kept in few bits: what they take, and what that costs. */
import type { LabTrainer, Matrix } from '../types.js';
import { isTable } from './metric-kinds.js';

/** Of the largest magnitude of a row, from which its steps follow: single precision. */
const SCALE_BYTES = 4;

export const LEAST_BITS = 2;
export const MOST_BITS = 16;

/** A table as whole numbers of `bits` bits, with one scale per row, and read again. */
export function rounded({ rows, cols, data }: Matrix, bits: number): Matrix {
  // As many steps to either side of zero, which stays zero.
  const most = 2 ** (bits - 1) - 1;
  const read = new Float32Array(data.length);
  for (let row = 0; row < rows; row++) {
    const values = data.subarray(row * cols, (row + 1) * cols);
    const largest = values.reduce((sofar, value) => Math.max(sofar, Math.abs(value)), 0);
    const step = largest / most;
    if (step > 0) read.set(values.map((value) => Math.round(value / step) * step), row * cols); // prettier-ignore
  }
  return { rows, cols, data: read };
}

/** The root mean square of the differences, as a share of that of the values. */
export function relativeError(tables: readonly (readonly [Matrix, Matrix])[]): number {
  let [missed, all] = [0, 0];
  for (const [exact, read] of tables) {
    for (const [i, value] of exact.data.entries()) {
      missed += (value - read.data[i]!) ** 2;
      all += value ** 2;
    }
  }
  return all === 0 ? 0 : Math.sqrt(missed / all);
}

export const bytesOf = ({ rows, cols }: Matrix, bits: number): number => (rows * cols * bits) / 8 + rows * SCALE_BYTES;

/** The tables of tokens that a model has of its own, by name: one of a tied model. */
export async function ownTables(trainer: LabTrainer): Promise<ReadonlyMap<string, Matrix>> {
  const tables = new Map<string, Matrix>();
  for (const { name, tiedTo } of await trainer.parameters()) {
    if (isTable(name) && tiedTo === null) tables.set(name, await trainer.matrix(name));
  }
  return tables;
}
