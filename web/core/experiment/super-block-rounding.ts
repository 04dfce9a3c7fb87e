/**
 * What ggml reads of a super-block of 256 values after it has packed them: Q6_K, Q5_K, Q4_K, Q3_K, Q2_K, without an importance matrix. Runs of 16 or
 * 32 values have a scale each, and some an offset, which are packed themselves. A scale is the best of several that are tried. Written from its
 * formulas (ggml-quants.c, the reference quantizers), operation by operation, so that the values have its bits; tests/judges/ggml-rounding.test.ts
 * asks its own code.
 */
import { clamped, f32, toEven, toHalf } from './rounding.js';
import type { BlockRounding } from './block-rounding.js';

const NEGLIGIBLE = f32(1e-15);
const TENTH = f32(0.1);

const nearest = (x: number): number => toEven(x);
const runsOf = (values: Float32Array, length: number): Float32Array[] =>
  Array.from({ length: values.length / length }, (_, i) => values.subarray(i * length, (i + 1) * length));
/** The first of the values with the largest magnitude. */
const largestOf = (values: Iterable<number>): number => {
  let largest = 0;
  for (const x of values) if (Math.abs(x) > Math.abs(largest)) largest = x;
  return largest;
};

/** Sums over a run with levels l and weights x²: of w x l, and of w l². */
interface Fit {
  xl: number;
  ll: number;
}
function add(fit: Fit, x: number, level: number): void {
  const weight = f32(x * x);
  fit.xl = f32(fit.xl + f32(f32(weight * x) * level));
  fit.ll = f32(fit.ll + f32(f32(weight * level) * level));
}

/** The scale of levels from -half to half - 1 with the least weighted error, of 19 that are tried. */
function symmetricScale(run: Float32Array, half: number): number {
  const largest = largestOf(run);
  if (Math.abs(largest) < NEGLIGIBLE) return 0;
  const fitted = (times: number): Fit => {
    const fit = { xl: 0, ll: 0 };
    for (const x of run) add(fit, x, clamped(nearest(f32(times * x)), -half, half - 1));
    return fit;
  };
  const first = fitted(f32(-half / largest));
  let scale = first.ll === 0 ? 0 : f32(first.xl / first.ll);
  let best = f32(scale * first.xl);
  for (let i = -9; i <= 9; i++) {
    if (i === 0) continue;
    const { xl, ll } = fitted(f32(-f32(half + f32(TENTH * i)) / largest));
    if (ll > 0 && f32(xl * xl) > f32(best * ll)) {
      scale = f32(xl / ll);
      best = f32(scale * xl);
    }
  }
  return scale;
}

/** The same for three bits: from the first levels, one level after the other is moved where that lowers the error. */
function movedScale(run: Float32Array, half: number): number {
  const largest = largestOf(run);
  if (Math.abs(largest) < NEGLIGIBLE) return 0;
  const times = f32(-half / largest);
  const levels = Array.from(run, (x) => clamped(nearest(f32(times * x)), -half, half - 1));
  const fit = { xl: 0, ll: 0 };
  run.forEach((x, i) => add(fit, x, levels[i]!));
  for (let round = 0; round < 5; round++) {
    let moved = false;
    run.forEach((x, i) => {
      const [weight, level] = [f32(x * x), levels[i]!];
      const without = f32(fit.xl - f32(f32(weight * x) * level));
      if (!(without > 0)) return;
      const rest = f32(fit.ll - f32(f32(weight * level) * level));
      const other = clamped(nearest(f32(f32(x * rest) / without)), -half, half - 1);
      if (other === level) return;
      const trial = { xl: without, ll: rest };
      add(trial, x, other);
      if (!(trial.ll > 0) || !(f32(f32(trial.xl * trial.xl) * fit.ll) > f32(f32(fit.xl * fit.xl) * trial.ll))) return;
      levels[i] = other;
      Object.assign(fit, trial);
      moved = true;
    });
    if (!moved) break;
  }
  return fit.ll > 0 ? f32(fit.xl / fit.ll) : 0;
}

interface Search {
  readonly most: number;
  readonly weights: (run: Float32Array) => Float32Array;
  readonly first: number;
  readonly tries: number;
  /** Whether errors count by their size instead of their square. */
  readonly absolute: boolean;
}

/** Scale and offset (as a number that is subtracted) of levels from 0 to `most`, by weighted least squares around several steps. */
function offsetScale(run: Float32Array, search: Search): { scale: number; offset: number } {
  const { most, first, tries, absolute } = search;
  const weights = search.weights(run);
  let [least, largest] = [run[0]!, run[0]!];
  let sumW = weights[0]!;
  let sumX = f32(sumW * run[0]!);
  for (let i = 1; i < run.length; i++) {
    const x = run[i]!;
    if (x < least) least = x;
    if (x > largest) largest = x;
    sumW = f32(sumW + weights[i]!);
    sumX = f32(sumX + f32(weights[i]! * x));
  }
  if (least > 0) least = 0;
  if (largest === least) return { scale: 0, offset: -least };
  const levels = new Float64Array(run.length);
  const round = (times: number): void =>
    run.forEach((x, i) => (levels[i] = clamped(nearest(f32(times * f32(x - least))), 0, most)));
  const errorOf = (scale: number, from: number): number => {
    let error = 0;
    for (let i = 0; i < run.length; i++) {
      const difference = f32(f32(f32(scale * levels[i]!) + from) - run[i]!);
      error = f32(error + f32(weights[i]! * (absolute ? Math.abs(difference) : f32(difference * difference))));
    }
    return error;
  };
  const times = f32(most / f32(largest - least));
  let scale = f32(1 / times);
  round(times);
  let best = errorOf(scale, least);
  for (let i = 0; i <= tries; i++) {
    round(f32(f32(f32(first + f32(TENTH * i)) + most) / f32(largest - least)));
    let [sumL, sumLl, sumXl] = [0, 0, 0];
    for (let j = 0; j < run.length; j++) {
      const weighted = f32(weights[j]! * levels[j]!);
      sumL = f32(sumL + weighted);
      sumLl = f32(sumLl + f32(weighted * levels[j]!));
      sumXl = f32(sumXl + f32(weighted * run[j]!));
    }
    const determinant = f32(f32(sumW * sumLl) - f32(sumL * sumL));
    if (!(determinant > 0)) continue;
    let tried = f32(f32(f32(sumW * sumXl) - f32(sumX * sumL)) / determinant);
    let from = f32(f32(f32(sumLl * sumX) - f32(sumL * sumXl)) / determinant);
    if (from > 0) {
      from = 0;
      tried = f32(sumXl / sumLl);
    }
    const error = errorOf(tried, from);
    if (error < best) [best, scale, least] = [error, tried, from];
  }
  return { scale, offset: -least };
}

/** Levels around zero, with packed scales from -`half` on. */
const symmetric =
  (of: { scaleOf: typeof symmetricScale; half: number; scales: number }): BlockRounding =>
  (values, read) => {
    const { scaleOf, half, scales } = of;
    const runs = runsOf(values, 16);
    const found = runs.map((run) => scaleOf(run, half));
    const largest = largestOf(found);
    read.fill(0);
    // Only six bits have a limit below which all is zero.
    if (largest === 0 || (scales === 128 && Math.abs(largest) < NEGLIGIBLE)) return;
    const times = f32(-scales / largest);
    const whole = toHalf(f32(1 / times));
    runs.forEach((run, i) => {
      const step = f32(whole * clamped(nearest(f32(times * found[i]!)), -scales, scales - 1));
      if (step === 0) return;
      read.set(
        run.map((x) => clamped(nearest(f32(x / step)), -half, half - 1) * step),
        16 * i,
      );
    });
  };

/** Levels from an offset on, with packed scales and offsets from 0 to `scales`. */
const offset =
  (length: number, scales: number, search: Search): BlockRounding =>
  (values, read) => {
    const runs = runsOf(values, length);
    const found = runs.map((run) => offsetScale(run, search));
    const packed = (numbers: readonly number[]): { whole: number; levels: number[] } => {
      const largest = Math.max(0, ...numbers);
      const times = largest > 0 ? f32(scales / largest) : 0;
      const levels = numbers.map((x) => Math.min(scales, nearest(f32(times * x))));
      return { whole: toHalf(f32(largest / scales)), levels };
    };
    const steps = packed(found.map(({ scale }) => scale));
    const offsets = packed(found.map(({ offset: one }) => one));
    runs.forEach((run, i) => {
      const step = f32(steps.whole * steps.levels[i]!);
      const from = f32(offsets.whole * offsets.levels[i]!);
      const level = (x: number): number => clamped(nearest(f32(f32(x + from) / step)), 0, search.most);
      read.set(
        run.map((x) => (step === 0 ? 0 : f32(level(x) * step)) - from),
        length * i,
      );
    });
  };

/** The root mean square plus the magnitude. */
function fromSize(run: Float32Array): Float32Array {
  let sum = 0;
  for (const x of run) sum = f32(sum + f32(x * x));
  const size = f32(Math.sqrt(f32(sum / run.length)));
  return run.map((x) => size + Math.abs(x));
}

export const SUPER_BLOCK_ROUNDINGS = {
  Q6_K: symmetric({ scaleOf: symmetricScale, half: 32, scales: 128 }),
  Q5_K: offset(32, 63, { most: 31, weights: fromSize, first: -0.5, tries: 15, absolute: false }),
  Q4_K: offset(32, 63, { most: 15, weights: fromSize, first: -1, tries: 20, absolute: false }),
  Q3_K: symmetric({ scaleOf: movedScale, half: 4, scales: 32 }),
  Q2_K: offset(16, 15, { most: 3, weights: (run) => run.map(Math.abs), first: -0.5, tries: 15, absolute: true }),
} as const satisfies Readonly<Record<string, BlockRounding>>;
