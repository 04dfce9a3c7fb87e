/** The loss of the direct path on a text's pairs: softmax(e W_Uᵀ), and the same with the final norm between the tables. */
import { square } from '../../runtime/elementary.js';
import type { FinalNorm } from '../tables/final-norm.js';
import type { TextPairs } from './text-pairs.js';

/** Models use 1e-5 or 1e-6; it matters only for rows about that small. */
const EPSILON = 1e-5;

export interface LoadedNorm extends FinalNorm {
  readonly weight: Float32Array;
  /** The bias of a LayerNorm. */
  readonly bias: Float32Array | null;
}

/** Rows [n, cols] after the norm: divided by their root mean square (LayerNorm: after subtracting their mean), times its weight, plus its bias. */
export function normed(rows: Float32Array, { weight, bias }: LoadedNorm): Float32Array {
  const cols = weight.length;
  const result = new Float32Array(rows.length);
  for (let first = 0; first < rows.length; first += cols) {
    const row = rows.subarray(first, first + cols);
    const mean = bias === null ? 0 : row.reduce((sum, value) => sum + value, 0) / cols;
    const meanSquare = row.reduce((sum, value) => sum + square(value - mean), 0) / cols;
    const scale = 1 / Math.sqrt(meanSquare + EPSILON);
    for (let k = 0; k < cols; k++) result[first + k] = (row[k]! - mean) * scale * weight[k]! + (bias?.[k] ?? 0);
  }
  return result;
}

/** The mean of -ln p(to | from), where p is the softmax of a row's products with all rows; `logSums` has the logarithms of their sums. */
export function lossOf(
  { pairs }: TextPairs,
  { from, to }: Record<'from' | 'to', Float32Array>,
  cols: number,
  logSums: Float64Array,
): number {
  let sum = 0;
  for (const [i, j] of pairs) {
    let logit = 0;
    for (let k = 0; k < cols; k++) logit += from[i * cols + k]! * to[j * cols + k]!;
    sum += logSums[i]! - logit;
  }
  return sum / pairs.length;
}
