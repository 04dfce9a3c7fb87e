/** How near the nearest of many unrelated rows is by chance. */
import { cos, exp, log, sin } from '../../runtime/elementary.js';

const INTERVALS = 2000;
const BISECTIONS = 50;

/**
 * The median of the largest cosine of a row with `rows - 1` others, in directions drawn uniformly from [cols] dimensions: the cosine c has the
 * density (1 − c²)^((cols − 3) / 2). NaN if there is no other row, or only one dimension.
 */
export function nearestByChance(rows: number, cols: number): number {
  if (rows < 2 || cols < 2) return NaN;
  // With c = sin t the density is cos(t)^(cols − 2), which is smooth at the ends.
  const step = Math.PI / INTERVALS;
  const cumulated = new Float64Array(INTERVALS + 1);
  for (let i = 0; i < INTERVALS; i++) {
    const middle = -Math.PI / 2 + (i + 0.5) * step;
    cumulated[i + 1] = cumulated[i]! + exp((cols - 2) * log(cos(middle)));
  }
  const all = cumulated[INTERVALS]!;
  // In half of the cases, all of them are below the median.
  const wanted = all * exp(-Math.LN2 / (rows - 1));
  const shareAt = (place: number): number => {
    const at = Math.min(INTERVALS - 1, Math.floor(place));
    return cumulated[at]! + (cumulated[at + 1]! - cumulated[at]!) * (place - at);
  };
  let [low, high] = [0, INTERVALS];
  for (let i = 0; i < BISECTIONS; i++) {
    const middle = (low + high) / 2;
    if (shareAt(middle) < wanted) low = middle;
    else high = middle;
  }
  return sin(-Math.PI / 2 + high * step);
}
