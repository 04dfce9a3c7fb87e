/**
 * What ggml reads of a block of 32 values after it has packed them: Q8_0, Q5_1, Q5_0, Q4_1, Q4_0. Written from its formulas (ggml-quants.c, the
 * reference quantizers), operation by operation, so that the values have its bits; tests/judges/ggml-rounding.test.ts asks its own code.
 */
import { awayFromZero, f32, toHalf } from './rounding.js';

/** Writes into `read` what is read of `values` again, both of one block. */
export type BlockRounding = (values: Float32Array, read: Float32Array) => void;

const inverse = (step: number): number => (step === 0 ? 0 : f32(1 / step));

const q8: BlockRounding = (values, read) => {
  const largest = values.reduce((sofar, x) => Math.max(sofar, Math.abs(x)), 0);
  const step = f32(largest / 127);
  const [times, scale] = [inverse(step), toHalf(step)];
  read.set(values.map((x) => awayFromZero(f32(x * times)) * scale));
};

/** Levels on both sides of zero, of which the largest value, with its sign, gets the last. */
const aroundZero =
  (half: number): BlockRounding =>
  (values, read) => {
    const largest = values.reduce((sofar, x) => (Math.abs(x) > Math.abs(sofar) ? x : sofar), 0);
    const step = f32(largest / -half);
    const [times, scale] = [inverse(step), toHalf(step)];
    const level = (x: number): number => Math.min(2 * half - 1, Math.trunc(f32(f32(x * times) + half + 0.5)));
    read.set(values.map((x) => (level(x) - half) * scale));
  };

/** Levels from the least value to the largest. */
const fromLeast =
  (most: number): BlockRounding =>
  (values, read) => {
    const [least, largest] = [Math.min(...values), Math.max(...values)];
    const step = f32(f32(largest - least) / most);
    const [times, scale, offset] = [inverse(step), toHalf(step), toHalf(least)];
    const level = (x: number): number => Math.min(most, Math.trunc(f32(f32(f32(x - least) * times) + 0.5)));
    read.set(values.map((x) => f32(level(x) * scale) + offset));
  };

export const BLOCK_ROUNDINGS = {
  Q8_0: q8,
  Q5_1: fromLeast(31),
  Q5_0: aroundZero(16),
  Q4_1: fromLeast(15),
  Q4_0: aroundZero(8),
} as const satisfies Readonly<Record<string, BlockRounding>>;
