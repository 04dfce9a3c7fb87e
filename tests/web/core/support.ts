/** Helpers that the tests of the core share. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { TiedError, type ErrorCode, type Matrix } from '../../../web/index.js';

/** A matrix from its rows. */
export function matrixOf(rows: number[][]): Matrix {
  return { rows: rows.length, cols: rows[0]!.length, data: Float32Array.from(rows.flat()) };
}

export function rowsOf({ rows, cols, data }: Matrix): number[][] {
  return Array.from({ length: rows }, (_, i) => Array.from(data.subarray(i * cols, (i + 1) * cols)));
}

/** The error that `act` throws; fails if it throws none or another kind. */
export function errorOf(act: () => unknown): TiedError {
  try {
    act();
  } catch (error) {
    expect(error).toBeInstanceOf(TiedError);
    return error as TiedError;
  }
  throw new Error('expected an error');
}

export function expectError(act: () => unknown, code: ErrorCode, message: RegExp): void {
  const error = errorOf(act);
  expect(error.message).toMatch(message);
  expect(error.code).toBe(code);
}

/** Third-party data beside the project, on machines that have it. */
export function sharedFile(name: string): Uint8Array | null {
  const file = fileURLToPath(new URL(`../../../../shared/data/${name}`, import.meta.url));
  if (existsSync(file)) return new Uint8Array(readFileSync(file));
  console.log(`skipped: no file ${name} in ../shared/data`);
  return null;
}

/** Names of all files in a folder of that data. */
export function sharedFiles(folder: string): string[] | null {
  const path = fileURLToPath(new URL(`../../../../shared/data/${folder}`, import.meta.url));
  if (existsSync(path)) return readdirSync(path).sort();
  console.log(`skipped: no folder ${folder} in ../shared/data`);
  return null;
}

export function corpus(name: string): string | null {
  const bytes = sharedFile(`corpora/${name}`);
  return bytes && new TextDecoder().decode(bytes);
}

/** Three tokens, New, York, City, with exactly known probabilities. */
export const TOY_CHAIN = matrixOf([
  [0.05, 0.9, 0.05],
  [0.1, 0.1, 0.8],
  [0.4, 0.3, 0.3],
]);

/** The joint distribution of TOY_CHAIN times 24,000. These are integers, because its stationary distribution is (13, 21.5, 25.5) / 60. */
export const TOY_COUNTS = matrixOf(
  [13, 21.5, 25.5].map((weight, i) =>
    Array.from(TOY_CHAIN.data.subarray(3 * i, 3 * i + 3), (p) => Math.round(weight * 400 * p)),
  ),
);

/** The example of the five documents: New, York, City. */
export const EXPLORER = matrixOf([
  [1.0, 0.5],
  [0.8, 0.9],
  [0.3, 1.2],
]);
