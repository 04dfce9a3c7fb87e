/**
 * Mean over a window of `window` values centered on each point, cut at the ends and ignoring values that are not finite.
 * A window of 1 or less returns the values unchanged. With `growing`, the k-th value averages at most k / 4 values on
 * either side, so a fast start is not blurred. O(n).
 */
export function smooth(values: ArrayLike<number>, window: number, growing = false): Float64Array {
  const count = values.length;
  const out = new Float64Array(count);
  const half = Math.floor(Math.max(0, window - 1) / 2);
  const sums = new Float64Array(count + 1);
  const numbers = new Uint32Array(count + 1);
  for (let at = 0; at < count; at++) {
    const value = values[at] ?? Number.NaN;
    const counted = Number.isFinite(value);
    sums[at + 1] = (sums[at] ?? 0) + (counted ? value : 0);
    numbers[at + 1] = (numbers[at] ?? 0) + (counted ? 1 : 0);
  }
  for (let at = 0; at < count; at++) {
    if (half === 0) {
      out[at] = values[at] ?? Number.NaN;
      continue;
    }
    const reach = growing ? Math.min(half, Math.floor(at / 4)) : half;
    const from = Math.max(0, at - reach);
    const to = Math.min(count, at + reach + 1);
    const inside = (numbers[to] ?? 0) - (numbers[from] ?? 0);
    out[at] = inside === 0 ? Number.NaN : ((sums[to] ?? 0) - (sums[from] ?? 0)) / inside;
  }
  return out;
}

/** `smooth` at one index, in O(window): for a few hundred points of a growing series that may have a million. */
export function smoothAt(values: ArrayLike<number>, at: number, window: number, growing = false): number {
  const half = Math.floor(Math.max(0, window - 1) / 2);
  if (half === 0) return values[at] ?? Number.NaN;
  const reach = growing ? Math.min(half, Math.floor(at / 4)) : half;
  let sum = 0;
  let count = 0;
  for (let near = Math.max(0, at - reach); near < Math.min(values.length, at + reach + 1); near++) {
    const value = values[near] ?? Number.NaN;
    if (!Number.isFinite(value)) continue;
    sum += value;
    count += 1;
  }
  return count === 0 ? Number.NaN : sum / count;
}
