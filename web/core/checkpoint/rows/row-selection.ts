/** Which rows of a matrix a caller wants. */
import { invalidArgument } from '../../runtime/errors.js';
import type { Matrix } from '../../types.js';
import { checkInteger, checkOptions, checkVector, isRecord } from '../../runtime/validate.js';
import type { RowRange } from './rows.js';

/** `rows` of a matrix with `all` rows, as ranges; consecutive ids are read together. */
export function rangesOf(rows: unknown, all: number): RowRange[] {
  if (rows === undefined) return [{ from: 0, to: all }];
  if (!isRecord(rows)) {
    const ranges: { from: number; to: number }[] = [];
    for (const row of checkVector('options.rows', rows, 'Uint32Array')) {
      if (row >= all) throw invalidArgument('options.rows', row, `ids below ${all}`);
      const last = ranges.at(-1);
      if (last?.to === row) last.to++;
      else ranges.push({ from: row, to: row + 1 });
    }
    return ranges;
  }
  const { from, to } = checkOptions<{ from?: unknown; to?: unknown }>('options.rows', rows, ['from', 'to']);
  const first = checkInteger('options.rows.from', from, 0, all);
  return [{ from: first, to: checkInteger('options.rows.to', to, first, all) }];
}

/** The rows of these ranges, one after another. */
export function selected({ cols, data }: Matrix, ranges: readonly RowRange[]): Matrix {
  const rows = ranges.reduce((sum, { from, to }) => sum + to - from, 0);
  const result = new Float32Array(rows * cols);
  let at = 0;
  for (const { from, to } of ranges) {
    result.set(data.subarray(from * cols, to * cols), at);
    at += (to - from) * cols;
  }
  return { rows, cols, data: result };
}
