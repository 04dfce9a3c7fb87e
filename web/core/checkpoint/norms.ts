/** What the lengths of rows tell, by token id. */

const QUANTILES = [0, 0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99, 1];
const MOST_SHORT = 20;

/** Each the length of a row. */
export function normQuantiles(norms: Float32Array): number[] {
  const sorted = norms.slice().sort();
  return QUANTILES.map((share) => sorted[Math.round(share * (sorted.length - 1))]!);
}

export interface ShortRows {
  readonly count: number;
  readonly below: number;
  readonly rows: readonly { readonly id: number; readonly norm: number }[];
}

/** Rows shorter than half the median row, the shortest first. */
export function shortRows(norms: Float32Array): ShortRows {
  const below = normQuantiles(norms)[4]! / 2;
  const found: { id: number; norm: number }[] = [];
  norms.forEach((norm, id) => {
    if (norm < below) found.push({ id, norm });
  });
  found.sort((one, other) => one.norm - other.norm || one.id - other.id);
  return { count: found.length, below, rows: found.slice(0, MOST_SHORT) };
}
