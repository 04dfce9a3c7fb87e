/** Statistics of row lengths, by token id. */

import type { NormBand } from './identity-card-types.js';

const QUANTILES = [0, 0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99, 1];
const MOST_SHORT = 20;

/** Each quantile is the length of an actual row. */
export function normQuantiles(norms: Float32Array): number[] {
  const sorted = norms.slice().sort();
  return QUANTILES.map((share) => sorted[Math.round(share * (sorted.length - 1))]!);
}

const MOST_BANDS = 128;

/** Bands of consecutive ids: at most 128, all equally long except perhaps the last. NaN values are left out. */
export function normBands(norms: Float32Array): NormBand[] {
  const size = Math.ceil(norms.length / MOST_BANDS);
  const bands: NormBand[] = [];
  for (let from = 0; from < norms.length; from += size) {
    const to = Math.min(norms.length, from + size);
    const sorted = norms
      .subarray(from, to)
      .filter((norm) => !Number.isNaN(norm))
      .sort();
    if (sorted.length === 0) continue;
    bands.push({
      ...{ from, to },
      ...{ least: sorted[0]!, median: sorted[sorted.length >> 1]!, greatest: sorted.at(-1)! },
    });
  }
  return bands;
}

export interface ShortRows {
  readonly count: number;
  readonly below: number;
  readonly rows: readonly { readonly id: number; readonly norm: number }[];
}

/** Rows shorter than half the median length, the shortest first. */
export function shortRows(norms: Float32Array, median: number): ShortRows {
  const below = median / 2;
  const found: { id: number; norm: number }[] = [];
  norms.forEach((norm, id) => {
    if (norm < below) found.push({ id, norm });
  });
  found.sort((one, other) => one.norm - other.norm || one.id - other.id);
  return { count: found.length, below, rows: found.slice(0, MOST_SHORT) };
}
