import { softmaxRows } from '../../core/diagnostics/softmax-rows.js';
import type { Lab, Matrix } from '../../core/types.js';
import { toMatrix, type Rows } from './explorer-state.js';

/** The lab's results for the direct path of the shown tables. */
export interface DirectPath {
  readonly logits: Matrix;
  readonly probabilities: Matrix;
  /** Equal to the last bit, in every pair. */
  readonly symmetric: boolean;
}

export const logitsOf = (lab: Lab, embedding: Rows, unembedding: Rows | null): Promise<Matrix> =>
  lab.directPath({
    embedding: toMatrix(embedding),
    ...(unembedding === null ? {} : { unembedding: toMatrix(unembedding) }),
  });

export async function directPathOf(lab: Lab, embedding: Rows, unembedding: Rows | null): Promise<DirectPath> {
  const logits = await logitsOf(lab, embedding, unembedding);
  const { symmetric } = await lab.symmetry(logits, { tolerance: 0 });
  return { logits, probabilities: softmaxRows(logits), symmetric };
}

export const entry = ({ cols, data }: Matrix, row: number, col: number): number => data[row * cols + col] ?? Number.NaN;

export interface Pair {
  readonly from: number;
  readonly to: number;
  readonly forward: number;
  readonly backward: number;
}

/** Each unordered pair once, with both directions. */
export function pairsOf(square: Matrix): Pair[] {
  const pairs: Pair[] = [];
  for (let from = 0; from < square.rows; from++) {
    for (let to = from + 1; to < square.rows; to++) {
      pairs.push({ from, to, forward: entry(square, from, to), backward: entry(square, to, from) });
    }
  }
  return pairs;
}

/** The number of rows whose largest entry is on the diagonal, ties included. */
export function selfPredicting(square: Matrix): number {
  let count = 0;
  for (let row = 0; row < square.rows; row++) {
    const values = Array.from({ length: square.cols }, (_, col) => entry(square, row, col));
    if (entry(square, row, row) >= Math.max(...values)) count++;
  }
  return count;
}
