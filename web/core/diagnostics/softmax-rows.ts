/** Softmax of a small matrix of logits outside the core. */
import { exp } from '../runtime/elementary.js';
import { checkMatrix } from '../runtime/validate.js';
import type { Matrix } from '../types.js';

/**
 * p_ij = exp(a_ij - m_i) / sum_k exp(a_ik - m_i), m_i the largest entry of row i: each row sums to 1. Same shape; sums
 * in double precision. For tables on a page; training and evaluation use the core's own softmax, fused with the loss.
 */
export function softmaxRows(logits: Matrix): Matrix {
  const { rows, cols, data } = checkMatrix('logits', logits);
  const out = new Float32Array(data.length);
  for (let row = 0; row < rows; row++) {
    const from = data.subarray(row * cols, (row + 1) * cols);
    const largest = from.reduce((most, logit) => Math.max(most, logit), -Infinity);
    let sum = 0;
    for (const logit of from) sum += exp(logit - largest);
    from.forEach((logit, col) => {
      out[row * cols + col] = exp(logit - largest) / sum;
    });
  }
  return { rows, cols, data: out };
}
