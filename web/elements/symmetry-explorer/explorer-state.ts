import { cos, sin } from '../../core/runtime/elementary.js';
import type { Matrix } from '../../core/types.js';

/** State that the reader can edit, and its rules. Draws and computes nothing. */

export const explorerModes = ['tied', 'untied', 'random'] as const;
export type ExplorerMode = (typeof explorerModes)[number];
export const explorerViews = ['logits', 'probabilities'] as const;
export type ExplorerView = (typeof explorerViews)[number];

/** One row per token with two entries, drawn on a plane. */
export type Rows = readonly (readonly [number, number])[];

export interface Tokens {
  readonly names: readonly string[];
  readonly embedding: Rows;
  /** One row per token; used in untied mode only. */
  readonly unembedding: Rows;
}

export const fewestTokens = 2;
export const mostTokens = 12;
/** The maximum that a link may repeat; it takes some seconds. */
export const mostDraws = 10_000;
export const longestName = 24;
/** Entries are limited to what the plane and three decimals can show. */
export const largestEntry = 99;

export const startingTokens: Tokens = {
  names: ['New', 'York', 'City'],
  embedding: [
    [1, 0.5],
    [0.8, 0.9],
    [0.3, 1.2],
  ],
  // Each token points to the next one in a circle, which no symmetric matrix can represent.
  unembedding: [
    [-1.6, 1.6],
    [2, -1],
    [1.4, -0.3],
  ],
};

/** The initial vector of an added token: spread around a circle by the golden angle, so none hides another. */
function startingRow(index: number, radius: number): [number, number] {
  const angle = 0.6 + index * 2.399963;
  return [round(radius * cos(angle)), round(radius * sin(angle))];
}

/** Rounds to the three decimals shown, so the shown numbers are the ones used. */
export const round = (value: number): number => Math.round(value * 1000) / 1000 || 0;

const limited = (value: number): number => Math.min(largestEntry, Math.max(-largestEntry, round(value)));

/** Adds rows until there are `count` tokens. */
export const completeRows = (rows: Rows, count: number, radius: number): Rows =>
  Array.from({ length: count }, (_, index) => rows[index] ?? startingRow(index, radius));

export function withToken(tokens: Tokens, name: string): Tokens {
  const count = tokens.names.length + 1;
  return {
    names: [...tokens.names, name],
    embedding: completeRows(tokens.embedding, count, 1),
    unembedding: completeRows(tokens.unembedding, count, 1.5),
  };
}

export function withoutToken(tokens: Tokens, index: number): Tokens {
  const keep = <Item>(list: readonly Item[]): Item[] => list.filter((_, at) => at !== index);
  return { names: keep(tokens.names), embedding: keep(tokens.embedding), unembedding: keep(tokens.unembedding) };
}

export const withName = (tokens: Tokens, index: number, name: string): Tokens => ({
  ...tokens,
  names: tokens.names.map((old, at) => (at === index ? name : old)),
});

export const withRow = (
  tokens: Tokens,
  which: 'embedding' | 'unembedding',
  index: number,
  [x, y]: readonly [number, number],
): Tokens => ({
  ...tokens,
  [which]: tokens[which].map((old, at) => (at === index ? ([limited(x), limited(y)] as const) : old)),
});

/** The first free name of "token 4", "token 5", ... */
export function freeName(names: readonly string[], stem: string): string {
  for (let number = names.length + 1; ; number++) {
    const name = `${stem} ${String(number)}`;
    if (!names.includes(name)) return name;
  }
}

export type NameProblem = 'empty' | 'long' | 'taken' | 'comma';

/** Why a name is invalid for the token at `index`, or null. */
export function nameProblem(names: readonly string[], index: number, name: string): NameProblem | null {
  if (name === '') return 'empty';
  if ([...name].length > longestName) return 'long';
  // Commas separate names in the attribute.
  if (name.includes(',')) return 'comma';
  return names.some((other, at) => at !== index && other === name) ? 'taken' : null;
}

/** Whether these are valid token names: 2 to 12, each usable and different. */
export const areNames = (names: unknown): names is readonly string[] =>
  Array.isArray(names) &&
  names.length >= fewestTokens &&
  names.length <= mostTokens &&
  names.every((name, index) => typeof name === 'string' && nameProblem(names as string[], index, name) === null);

/** "New, York, City" -> names. */
export const parseNames = (text: string): string[] => text.split(',').map((name) => name.trim());

/** "1 0.5; 0.8 0.9" -> rows, or null for invalid text. */
export function parseRows(text: string): Rows | null {
  const rows = text
    .split(/[;\n]/)
    .map((row) => row.trim())
    .filter((row) => row !== '')
    .map((row) => row.split(/[\s,]+/).map(Number));
  return rows.length > 0 && rows.every(isRow) ? rows : null;
}

const isRow = (row: readonly number[]): row is [number, number] =>
  row.length === 2 && row.every((value) => Number.isFinite(value) && Math.abs(value) <= largestEntry);

export const isRows = (rows: unknown): rows is Rows =>
  Array.isArray(rows) && rows.every((row) => Array.isArray(row) && isRow(row as number[]));

export const formatRows = (rows: Rows): string => rows.map((row) => row.map(String).join(' ')).join('; ');

export const toMatrix = (rows: Rows): Matrix => ({ rows: rows.length, cols: 2, data: new Float32Array(rows.flat()) });

// ------------------------------------------------------------ random draws

/** A well-mixed 32-bit number from a seed and an index: two rounds of multiply and shift. */
function mixed(seed: number, place: number): number {
  let bits = (Math.imul(seed, 0x9e3779b1) + Math.imul(place + 1, 0x85ebca77)) | 0;
  bits = Math.imul(bits ^ (bits >>> 16), 0x21f0aaad);
  bits = Math.imul(bits ^ (bits >>> 15), 0x735a2d97);
  return (bits ^ (bits >>> 15)) >>> 0;
}

/** The `draw`-th random table of a seed: entries uniform in [-2, 2], three decimals, deterministic. */
export const randomRows = (count: number, seed: number, draw: number, table: number): Rows =>
  Array.from({ length: count }, (_, row) => {
    const entry = (col: number): number =>
      round((mixed(seed, ((draw * 2 + table) * mostTokens + row) * 2 + col) / 2 ** 32) * 4 - 2);
    return [entry(0), entry(1)];
  });
