import { exp, log } from '../../../core/runtime/elementary.js';

/**
 * One position of a tied model, small enough for pencil and paper: a token is read, layers add a vector to its row, and the next token
 * is predicted with the same table. What the layers add is given, so that every number can be followed.
 */

/** Elements of the table and of h are tenths, stored as integers, so that what is computed from them is what is shown. */
export type Tenths = readonly number[];

export interface Position {
  readonly words: readonly string[];
  /** W_E [V, d], row-major. */
  readonly table: Tenths;
  /** What the layers add to the row that is read, [d]. */
  readonly layers: Tenths;
  /** Index of the token that is read. */
  readonly read: number;
  /** Index of the token that follows it in the text. */
  readonly target: number;
}

export const width = 4;

/** The largest size of an element of the table or of h, in tenths. */
export const largest = 30;

/** Words of the same kind have rows that point alike, and h is near the row of what comes next. */
export const firstPosition: Position = {
  words: ['the', 'cat', 'sat', 'on', 'mat', 'dog', 'ran'],
  table: [
    [-4, -2, 9, 3],
    [9, 2, -3, 5],
    [-2, 10, -1, 4],
    [-5, 1, 7, -6],
    [8, -3, 1, -7],
    [9, 4, -4, -1],
    [-1, 9, -4, -3],
  ].flat(),
  layers: [19, 6, -13, 7],
  read: 0,
  target: 1,
};

export const rowOf = (tenths: Tenths, row: number): Tenths => tenths.slice(row * width, (row + 1) * width);

/** h = x + what the layers add, in tenths. */
export const hiddenOf = ({ table, layers, read }: Position): Tenths =>
  rowOf(table, read).map((element, i) => element + layers[i]!);

const units = (tenths: Tenths): number[] => tenths.map((tenth) => tenth / 10);

/** Everything that the six steps show. Matrices are [V, d], row-major. */
export interface Worked {
  /** [V]: 1 at the token that is read. */
  readonly oneHot: readonly number[];
  /** The row that is read, [d]. */
  readonly row: readonly number[];
  /** [d] */
  readonly hidden: readonly number[];
  /** z = W_E h, [V]. */
  readonly logits: readonly number[];
  /** e^z, and their sum. */
  readonly exponentials: readonly number[];
  readonly sum: number;
  /** p = e^z / sum. */
  readonly probabilities: readonly number[];
  /** y: 1 at the token that follows. */
  readonly wanted: readonly number[];
  /** -ln p of that token, in nats. */
  readonly loss: number;
  /** ∂L/∂z = p - y, [V]. */
  readonly residuals: readonly number[];
  /** The gradient of writing: (p - y) hᵀ. */
  readonly writing: readonly number[];
  /** ∂L/∂h = W_Eᵀ (p - y), [d]: also that of the row that was read, since h is that row plus what the layers add. */
  readonly back: readonly number[];
  /** The gradient of reading: `back` in the row that was read, zero elsewhere. */
  readonly reading: readonly number[];
  /** The gradient of the one table: the sum of both. */
  readonly total: readonly number[];
}

const oneAt = (index: number, length: number): number[] => Array.from({ length }, (_, i) => (i === index ? 1 : 0));

/** Works a position through by hand. */
export function work(position: Position): Worked {
  const { words, read, target } = position;
  const table = units(position.table);
  const hidden = units(hiddenOf(position));
  // Products of tenths are hundredths: summed as integers, they are exact.
  const inTenths = hiddenOf(position);
  const logits = words.map(
    (_, v) => rowOf(position.table, v).reduce((sum, element, i) => sum + element * inTenths[i]!, 0) / 100,
  );
  const exponentials = logits.map(exp);
  const sum = exponentials.reduce((all, one) => all + one, 0);
  const probabilities = exponentials.map((one) => one / sum);
  const wanted = oneAt(target, words.length);
  const residuals = probabilities.map((p, v) => p - wanted[v]!);
  const writing = residuals.flatMap((residual) => hidden.map((element) => residual * element));
  const back = hidden.map((_, i) => residuals.reduce((all, residual, v) => all + residual * table[v * width + i]!, 0));
  const oneHot = oneAt(read, words.length);
  const reading = oneHot.flatMap((one) => back.map((element) => one * element));
  return {
    oneHot,
    row: units(rowOf(position.table, read)),
    hidden,
    logits,
    exponentials,
    sum,
    probabilities,
    wanted,
    // Not -ln p, which would be infinite once p is too small for a double.
    loss: log(sum) - logits[target]!,
    residuals,
    writing,
    back,
    reading,
    total: writing.map((element, at) => element + reading[at]!),
  };
}

/** An element that the reader can change: of the table, or of h. */
export interface Place {
  readonly row: number | 'h';
  readonly col: number;
}

export const tenthAt = (position: Position, { row, col }: Place): number =>
  row === 'h' ? hiddenOf(position)[col]! : position.table[row * width + col]!;

const replaced = (tenths: Tenths, at: number, value: number): Tenths =>
  tenths.map((tenth, i) => (i === at ? value : tenth));

const within = (tenths: number): number => Math.min(largest, Math.max(-largest, Math.round(tenths)));

/**
 * The position with another value, in tenths, at a place. To change h is to change what the layers add; if the row that is read
 * changes, h changes with it.
 */
export function withTenth(position: Position, { row, col }: Place, tenths: number): Position {
  const given = within(tenths);
  const { table, layers, read } = position;
  if (row === 'h') return { ...position, layers: replaced(layers, col, given - table[read * width + col]!) };
  const change = given - table[row * width + col]!;
  const next = { ...position, table: replaced(table, row * width + col, given) };
  // h would leave its range; the layers then add less.
  const over = row === read ? hiddenOf(position)[col]! + change : 0;
  return over === within(over) ? next : { ...next, layers: replaced(layers, col, within(over) - given) };
}

/** The position after another token; h stays, so what the layers add is another vector. */
export function withRead(position: Position, read: number): Position {
  const row = rowOf(position.table, read);
  return { ...position, read, layers: hiddenOf(position).map((element, i) => element - row[i]!) };
}

/** Similarity of all rows and h with each other, [V + 1, V + 1]; the last row is h. A cosine with a zero vector is NaN. */
export function similarities(position: Position, kind: 'dot' | 'cosine'): number[] {
  const { words, table } = position;
  const rows = [...words.map((_, v) => rowOf(table, v)), hiddenOf(position)];
  const dot = (one: Tenths, other: Tenths): number => one.reduce((sum, element, i) => sum + element * other[i]!, 0);
  return rows.flatMap((one) =>
    rows.map((other) =>
      kind === 'dot' ? dot(one, other) / 100 : dot(one, other) / Math.sqrt(dot(one, one) * dot(other, other)),
    ),
  );
}
