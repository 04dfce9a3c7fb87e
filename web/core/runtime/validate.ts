/**
 * Checks of arguments, before anything reaches wasm. Every failure is a `TiedError` with the message `<argument> is
 * <value>; expected <expectation>`. Shapes and types are checked here; the core checks that elements are finite,
 * because it reads all of them anyway.
 *
 * Getters, proxies and subclasses may answer differently each time. So every argument is read once, and verbs use what
 * the check returns, never the argument itself.
 */
import { isDetached, isRevoked, lengthOf, viewOf, type AcceptedArray, type AcceptedKind } from './arrays.js';
import { argumentError, invalidArgument, shortened, TiedError } from './errors.js';
import type { Matrix } from '../types.js';

/** Larger float arrays do not fit into 32-bit memory. */
const MAX_ELEMENTS = 2 ** 30;
const LARGEST_COUNT = 2 ** 32 - 1;
/** Keeps rates, scales and the like far from overflow in single precision. As in training/training_config.cpp. */
export const LARGEST_RATE = 1e30;
/** Smaller numbers could become 0 in single precision. */
const SMALLEST_POSITIVE = 1e-30;

export function checkNumber(
  argument: string,
  value: unknown,
  expected: string,
  fits: (value: number) => boolean,
): number {
  if (typeof value !== 'number' || !Number.isFinite(value) || !fits(value)) {
    const code = typeof value === 'number' && !Number.isFinite(value) ? 'not-finite' : 'invalid-argument';
    throw argumentError(code, argument, value, expected);
  }
  return value;
}

/** Both are integers of at least 1; `ofArgument` is named beside the argument. */
export function checkDivides(argument: string, divisor: number, ofArgument: string, of: number): void {
  if (of % divisor !== 0) throw invalidArgument(argument, divisor, `a divisor of ${ofArgument}, ${of}`);
}

/** An integer in [minimum, maximum]. */
export function checkInteger(
  argument: string,
  value: unknown,
  minimum: number,
  maximum: number = LARGEST_COUNT,
): number {
  return checkNumber(
    argument,
    value,
    `an integer from ${minimum} to ${maximum}`,
    (n) => Number.isInteger(n) && n >= minimum && n <= maximum,
  );
}

/** A number that is positive in the core's single precision too. */
export function checkPositive(argument: string, value: unknown, maximum: number): number {
  return checkRange(argument, value, SMALLEST_POSITIVE, maximum);
}

/** A number of at least 0 and at most `maximum`. */
export function checkNotNegative(argument: string, value: unknown, maximum = Infinity): number {
  const expected = maximum === Infinity ? 'a number of at least 0' : `a number from 0 to ${maximum}`;
  return checkNumber(argument, value, expected, (n) => n >= 0 && n <= maximum);
}

/** A number in [minimum, maximum], or [minimum, maximum) if `below`, which must hold in single precision too. */
export function checkRange(argument: string, value: unknown, minimum: number, maximum: number, below = false): number {
  const expected = below
    ? `a number of at least ${minimum} and below ${maximum}`
    : `a number from ${minimum} to ${maximum}`;
  return checkNumber(
    argument,
    value,
    expected,
    (n) => n >= minimum && (below ? Math.fround(n) < maximum : n <= maximum),
  );
}

/** Seeds are sent as doubles, which hold every integer below 2^53 exactly. */
export function checkSeed(argument: string, value: unknown): number {
  // A seed is written into results, and JSON has no -0: adding 0 makes it 0.
  return checkNumber(argument, value, 'an integer from 0 to 2^53 - 1', (n) => Number.isSafeInteger(n) && n >= 0) + 0;
}

/** The UTF-8 bytes of a text. */
export function checkText(argument: string, value: unknown): Uint8Array {
  const text = checkString(argument, value);
  try {
    return new TextEncoder().encode(text);
  } catch (cause) {
    const expected = 'a text whose bytes fit in memory';
    throw new TiedError('out-of-memory', `${argument} has ${text.length} characters; expected ${expected}`, { cause });
  }
}

export function checkBoolean(argument: string, value: unknown): boolean {
  if (typeof value !== 'boolean') throw invalidArgument(argument, value, 'true or false');
  return value;
}

/** A string without lone surrogates, which UTF-8 would silently replace. */
export function checkString(argument: string, value: unknown): string {
  if (typeof value !== 'string') throw invalidArgument(argument, value, 'a string');
  const lone = value.search(/\p{Surrogate}/u);
  if (lone >= 0) {
    const unit = value.charCodeAt(lone).toString(16).toUpperCase();
    throw new TiedError(
      'invalid-argument',
      `${argument} has U+${unit} at position ${lone}; expected each surrogate in a pair`,
    );
  }
  return value;
}

/** The URL as a string, because a URL object may change after the check. */
export function checkUrl(argument: string, value: unknown): string {
  if (typeof value === 'string') return value;
  try {
    return Object.getOwnPropertyDescriptor(URL.prototype, 'href')!.get!.call(value) as string;
  } catch {
    throw invalidArgument(argument, value, 'a string or a URL');
  }
}

export function checkChoice<T extends string>(argument: string, value: unknown, choices: readonly T[]): T {
  if (typeof value !== 'string' || !(choices as readonly string[]).includes(value)) {
    const near = typeof value === 'string' ? nearest(value, choices) : null;
    const list = listOf(choices);
    throw invalidArgument(
      argument,
      value,
      choices.length > 1 ? `one of ${list}${near ? `; did you mean '${near}'?` : ''}` : list,
    );
  }
  return value as T;
}

/** A model of many layers has thousands of names; the first ones show the pattern. */
const MAX_CHOICES_LISTED = 50;

function listOf(choices: readonly string[]): string {
  const listed = choices.slice(0, MAX_CHOICES_LISTED).map((choice) => `'${choice}'`);
  const more = choices.length - listed.length;
  return `${listed.join(choices.length === 2 ? ' or ' : ', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

export function checkFunction(argument: string, value: unknown): void {
  if (typeof value !== 'function' || isRevoked(value)) throw invalidArgument(argument, value, 'a function');
}

export function checkSignal(argument: string, value: unknown): void {
  try {
    // The getter works across realms and throws for imitations.
    const { get } = Object.getOwnPropertyDescriptor(AbortSignal.prototype, 'aborted')!;
    EventTarget.prototype.removeEventListener.call(value as EventTarget, 'abort', null);
    if (typeof get!.call(value) === 'boolean') return;
  } catch {
    // Not a signal.
  }
  throw invalidArgument(argument, value, 'an AbortSignal');
}

// -------------------------------------------------------------- what is read once, and copied

/** The arrays that were checked, with their sources and lengths at that time. */
const checkedArrays = new WeakMap<ArrayBufferView, { argument: string; kind: string; length: number }>();

function checkArray<K extends AcceptedKind>(argument: string, value: unknown, kind: K, what = ''): AcceptedArray<K> {
  const view = viewOf(kind, value);
  if (view === null) throw invalidArgument(argument, value, `a ${kind}${what}`);
  checkedArrays.set(view, { argument, kind, length: view.length });
  return view;
}

/** Refuses an array whose buffer was detached by one of the caller's getters after the check. */
export function checkNotDetached(array: ArrayBufferView): void {
  const then = checkedArrays.get(array);
  if (then === undefined || (!isDetached(array) && lengthOf(array) === then.length)) return;
  throw invalidArgument(then.argument, array, `a ${then.kind} that does not change during the call`);
}

/** A plain view of the bytes. */
export function checkBytes(argument: string, value: unknown): Uint8Array {
  return checkArray(argument, value, 'Uint8Array');
}

/** A plain view of an array, with `length` elements if that is given. */
export function checkVector<K extends 'Float32Array' | 'Uint32Array'>(
  argument: string,
  value: unknown,
  kind: K,
  length?: number,
): AcceptedArray<K> {
  const view = checkArray(argument, value, kind);
  if (length !== undefined && view.length !== length) {
    throw argumentError('shape-mismatch', argument, value, `${length} elements`);
  }
  return view;
}

/** A plain view of the ids. */
export function checkTokenIds(argument: string, value: unknown, atLeast = 0): Uint32Array {
  const ids = checkArray(argument, value, 'Uint32Array', ' of token ids');
  if (ids.length < atLeast) {
    throw invalidArgument(argument, value, `at least ${atLeast} ${atLeast === 1 ? 'token' : 'tokens'}`);
  }
  return ids;
}

/** The elements of a plain array, each read once; null if `value` is not an array or its length is out of range. */
export function readList(value: unknown, least: number, most: number): unknown[] | null {
  if (isRevoked(value) || !Array.isArray(value)) return null;
  const { length } = value as { length: unknown };
  if (typeof length !== 'number' || !(length >= least && length <= most)) return null;
  return Array.from({ length }, (_, i) => (value as unknown[])[i]);
}

/** Whether it is a plain object, not a Map, Promise or class instance, whose fields would be missed. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null || isRevoked(value)) return false;
  const prototype = Object.getPrototypeOf(value) as object | null;
  if (prototype === null || prototype === Object.prototype) return true;
  // A plain object from another realm.
  return Object.getPrototypeOf(prototype) === null && Object.hasOwn(prototype, 'isPrototypeOf');
}

/**
 * Runs `read` on an object. Errors from the caller's getters are passed on; a proxy that is revoked in the meantime is
 * refused.
 */
function readGiven<T>(argument: string, value: object, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw isRevoked(value) ? invalidArgument(argument, value, 'an object that can be read') : error;
  }
}

/** Fields of any object, including inherited ones, each read once. */
export function readFields<K extends string>(argument: string, value: object, names: readonly K[]): Record<K, unknown> {
  const fields = Object.create(null) as Record<K, unknown>;
  return readGiven(argument, value, () => {
    for (const name of names) fields[name] = (value as typeof fields)[name];
    return fields;
  });
}

/** The own fields of a plain object, each read once. */
export function readRecord(argument: string, value: Record<string, unknown>): Record<string, unknown> {
  return readFields(
    argument,
    value,
    readGiven(argument, value, () => Object.keys(value)),
  );
}

/** The options of every long verb, which are taken out before it checks the others. */
export const LISTENING = ['onProgress', 'signal'] as const;

/** A copy of a plain object whose own options are all in `known` or, if only a lab takes them, in `unnamed`; each is read once, inherited ones are ignored. */
export function checkOptions<T extends object>(
  argument: string,
  value: T | undefined,
  known: readonly string[],
  unnamed: readonly string[] = [],
): T {
  if (!isRecord(value)) {
    const plain = typeof value === 'object' && value !== null ? 'a plain object' : 'an object';
    throw invalidArgument(argument, value, `${plain} with ${known.join(', ')}`);
  }
  const given = readRecord(argument, value);
  for (const name of Object.keys(given)) {
    if (known.includes(name) || unnamed.includes(name)) continue;
    const near = nearest(name, known);
    throw new TiedError(
      'invalid-argument',
      `${argument}.${shortened(name)} is not an option; expected ${near ? `'${near}', or another ` : 'one '}of ${known.join(', ')}`,
    );
  }
  return given as T;
}

/** Refuses an option of another kind of model instead of ignoring it. */
export function checkAbsent(argument: string, value: unknown, owner: string): void {
  if (value !== undefined) throw invalidArgument(argument, value, `it to be absent; only ${owner} has it`);
}

export interface MatrixShape {
  rows?: number;
  cols?: number;
  square?: boolean;
}

export const MATRIX_FIELDS = ['rows', 'cols', 'data'] as const;

/** A plain object, or an instance with the fields of a matrix. */
export function isMatrixLike(value: unknown): value is object {
  if (typeof value !== 'object' || value === null || isRevoked(value)) return false;
  return isRecord(value) || MATRIX_FIELDS.every((name) => name in value);
}

/** A matrix of any class, each field read once. Checks type, sizes and length, and the sizes that `shape` names. */
export function checkMatrix(argument: string, value: unknown, shape: MatrixShape = {}): Matrix {
  if (!isMatrixLike(value)) {
    throw invalidArgument(argument, value, 'a matrix { rows, cols, data: Float32Array }');
  }
  const { rows, cols, data: elements } = readFields(argument, value, MATRIX_FIELDS);
  const data = checkArray(`${argument}.data`, elements, 'Float32Array');
  const someRows = checkInteger(`${argument}.rows`, rows, 1);
  const someCols = checkInteger(`${argument}.cols`, cols, 1);
  checkElements(argument, someRows, someCols);
  if (data.length !== someRows * someCols) {
    throw argumentError('shape-mismatch', `${argument}.data`, data, `rows * cols = ${someRows * someCols} elements`);
  }
  if (shape.square && someRows !== someCols)
    throw shapeMismatch(argument, someRows, someCols, 'as many rows as columns');
  const wrong =
    (shape.rows !== undefined && shape.rows !== someRows) || (shape.cols !== undefined && shape.cols !== someCols);
  if (wrong) throw shapeMismatch(argument, someRows, someCols, `${shape.rows ?? 'any'} x ${shape.cols ?? 'any'}`);
  return { rows: someRows, cols: someCols, data };
}

export function shapeMismatch(argument: string, rows: number, cols: number, expected: string): TiedError {
  return new TiedError('shape-mismatch', `${argument} is ${rows} x ${cols}; expected ${expected}`);
}

/** Refuses, before anything is allocated, a [rows, cols] result that cannot fit. */
export function checkElements(argument: string, rows: number, cols: number): number {
  const count = rows * cols;
  if (count > MAX_ELEMENTS) {
    throw new TiedError(
      'out-of-memory',
      `${argument} is ${rows} x ${cols}; expected at most ${MAX_ELEMENTS} elements, the most that fit in the core's memory`,
    );
  }
  return count;
}

/**
 * The closest known name, or null if none is close. The work is bounded by the known names, because `name` may be
 * arbitrarily long.
 */
export function nearest(name: string, known: readonly string[]): string | null {
  let best: string | null = null;
  // In a word of three letters, two wrong ones leave too little.
  let bestDistance = Math.max(name.length < 4 ? 1 : 2, Math.floor(name.length / 3)) + 1;
  for (const candidate of known) {
    // The edit distance is at least the difference of lengths.
    if (Math.abs(name.length - candidate.length) >= bestDistance) continue;
    const distance = editDistance(name.toLowerCase(), candidate.toLowerCase());
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

/** How many letters to insert, remove or replace to turn one word into the other (Levenshtein 1966). */
function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const current = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = previous[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      current.push(Math.min(replaced, previous[j]! + 1, current[j - 1]! + 1));
    }
    previous = current;
  }
  return previous[b.length]!;
}
