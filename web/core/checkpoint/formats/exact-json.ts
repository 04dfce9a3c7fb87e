/**
 * JSON, strictly: `JSON.parse` rounds integers above 2^53, keeps the last of two equal keys and cannot tell 1.0 from 1. Objects
 * become Maps, so that no key means anything to JavaScript, and numbers keep their text.
 */

import { inSlices, pause } from '../../runtime/pause.js';

/** A number as written. */
class NumberText {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** `N`: the type that numbers become. */
type Value<N> = string | boolean | null | N | Value<N>[] | Map<string, Value<N>>;
/** A whole number that is written plainly is itself. */
export type ExactValue = Value<NumberText | number>;
/** Numbers are doubles, infinite if too large. */
export type PlainValue = Value<number>;

/** A parse error, with its position in the text. */
export class JsonProblem extends Error {
  /** Keys and indices that lead to it. */
  readonly path: (string | number)[] = [];
  readonly at: number;
  constructor(message: string, at: number) {
    super(message);
    this.at = at;
  }
}

export const occursTwice = (key: string, at: number): JsonProblem =>
  new JsonProblem(`the key '${key.slice(0, 80)}' occurs twice; expected each key once`, at);

/** Deeper than any header needs to be. */
const DEEPEST = 32;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a];
const [LEFT_BRACE, RIGHT_BRACE, LEFT_BRACKET, RIGHT_BRACKET] = [0x7b, 0x7d, 0x5b, 0x5d];
const WORDS = [
  ['true', true],
  ['false', false],
  ['null', null],
] as const;
const LETTERS = 0x61;
/** Fields without a pause. */
const AT_ONCE = 4000;

/**
 * The fields of an object, one after another, of a text that comes in pieces: a caller with half a million uses each at once, and no more of
 * the text is kept than has not been used.
 */
export class FieldsInPieces {
  #text = '';
  #at = 0;
  /** Characters before `#text`. */
  #before = 0;
  #next: 'first' | 'field' | 'end' = 'first';

  add(piece: string): void {
    this.#text = this.#text.slice(this.#at) + piece;
    this.#before += this.#at;
    this.#at = 0;
  }

  /** A field that a sticky pattern matches together with the comma after it. Null: the next one is not as plain. */
  plain(pattern: RegExp): RegExpExecArray | null {
    if (this.#next !== 'field') return null;
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text);
    this.#at += found?.[0].length ?? 0;
    return found;
  }

  /** The next field; null after the last one. A problem may be that the text goes on: add more, and ask again. */
  next(seen: { has(key: string): boolean }): readonly [key: string, value: ExactValue] | null {
    const parser = new Parser<NumberText | number>(this.#text, exactly, this.#at, this.#before);
    const isLast = this.#next === 'end' || parser.isAtEnd(this.#next === 'first');
    const field = isLast ? null : parser.field(seen);
    if (isLast) parser.end();
    this.#next = isLast || !parser.goesOn() ? 'end' : 'field';
    this.#at = parser.at;
    return field;
  }

  /** The text as one value, if it is no object; null if it is one. */
  otherValue(): { readonly value: ExactValue } | null {
    if (this.#next !== 'first' || /^[ \n\r\t]*\{/.test(this.#text)) return null;
    return { value: new Parser<NumberText | number>(this.#text, exactly).whole() };
  }
}

const exactly = (text: string): NumberText | number =>
  text.length < 16 && /^\d+$/.test(text) ? Number(text) : new NumberText(text);

/** Equally strict, for files with many numbers. */
export function parsePlainly(text: string): PlainValue {
  return new Parser(text, Number).whole();
}

/** The same, with pauses between the fields of an object and of those within it. */
export function parseInSlices(text: string): Promise<PlainValue> {
  return new Parser(text, Number).wholeInSlices();
}

/** The value of an integer from 0 to 2^53 - 1 that is written without a fraction or an exponent; null for anything else. */
export function wholeOf(value: ExactValue | undefined): number | null {
  if (typeof value === 'number') return value;
  if (!(value instanceof NumberText) || !/^\d{1,16}$/.test(value.text)) return null;
  const whole = Number(value.text);
  return Number.isSafeInteger(whole) ? whole : null;
}

/** A short form for messages. */
export function shortly(value: ExactValue | PlainValue | undefined): string {
  if (value === undefined) return 'absent';
  if (value instanceof NumberText) return value.text.slice(0, 40);
  if (value instanceof Map) return 'an object';
  if (Array.isArray(value))
    return value.length > 8 ? `an array of ${value.length}` : `[${value.map(shortly).join(', ')}]`;
  return typeof value === 'string' ? `'${value.slice(0, 40)}'` : String(value);
}

class Parser<N> {
  readonly #text: string;
  readonly #numberOf: (text: string) => N;
  /** Characters before the text. */
  readonly #before: number;
  #at: number;

  constructor(text: string, numberOf: (text: string) => N, at = 0, before = 0) {
    this.#text = text;
    this.#numberOf = numberOf;
    this.#at = at;
    this.#before = before;
  }

  get at(): number {
    return this.#at;
  }

  whole(): Value<N> {
    const value = this.#value(0);
    this.end();
    return value;
  }

  /** Whether an object has no further field; `isFirst`: it begins here. */
  isAtEnd(isFirst: boolean): boolean {
    if (!isFirst) return false;
    if (!this.#take(LEFT_BRACE)) throw this.#problem('an object');
    return this.#take(RIGHT_BRACE);
  }

  /** Whether another field follows the one that was read. */
  goesOn(): boolean {
    if (this.#take(COMMA)) return true;
    if (!this.#take(RIGHT_BRACE)) throw this.#problem(', or }');
    return false;
  }

  end(): void {
    this.#skipBlank();
    if (this.#at < this.#text.length) throw this.#problem('the end');
  }

  field(seen: { has(key: string): boolean }, depth = 0): readonly [string, Value<N>] {
    const key = this.#key(seen);
    return [key, this.#inside(key, depth)];
  }

  #key(seen: { has(key: string): boolean }): string {
    this.#skipBlank();
    if (this.#text.charCodeAt(this.#at) !== QUOTE) throw this.#problem('a key in quotes');
    const key = this.#string();
    if (seen.has(key)) throw occursTwice(key, this.#before + this.#at);
    if (!this.#take(COLON)) throw this.#problem(':');
    return key;
  }

  #value(depth: number): Value<N> {
    this.#skipBlank();
    const code = this.#text.charCodeAt(this.#at);
    if (depth > DEEPEST) throw new JsonProblem(`it is nested too deep; expected at most ${DEEPEST}`, this.#at);
    if (code === LEFT_BRACE) return this.#object(depth);
    if (code === LEFT_BRACKET) return this.#array(depth);
    if (code === QUOTE) return this.#string();
    if (code >= LETTERS) return this.#word();
    NUMBER.lastIndex = this.#at;
    const number = NUMBER.exec(this.#text)?.[0];
    if (number === undefined) throw this.#problem('a value');
    this.#at += number.length;
    return this.#numberOf(number);
  }

  async wholeInSlices(): Promise<Value<N>> {
    const value = await this.#fieldsInSlices(0, inSlices(AT_ONCE));
    this.end();
    return value;
  }

  async #fieldsInSlices(depth: number, isDue: () => boolean): Promise<Value<N>> {
    this.#skipBlank();
    if (depth > 1 || this.#text.charCodeAt(this.#at) !== LEFT_BRACE) return this.#value(depth);
    const fields = new Map<string, Value<N>>();
    this.#at++;
    if (this.#take(RIGHT_BRACE)) return fields;
    do {
      if (isDue()) await pause();
      const key = this.#key(fields);
      // Of very many fields, none waits for itself.
      if (depth > 0) fields.set(key, this.#inside(key, depth));
      else fields.set(key, await this.#fieldsInSlices(depth + 1, isDue));
    } while (this.#take(COMMA));
    if (!this.#take(RIGHT_BRACE)) throw this.#problem(', or }');
    return fields;
  }

  #word(): boolean | null {
    for (const [word, value] of WORDS) {
      if (!this.#text.startsWith(word, this.#at)) continue;
      this.#at += word.length;
      return value;
    }
    throw this.#problem('a value');
  }

  #object(depth: number): Map<string, Value<N>> {
    const fields = new Map<string, Value<N>>();
    this.#at++;
    if (this.#take(RIGHT_BRACE)) return fields;
    do fields.set(...this.field(fields, depth));
    while (this.#take(COMMA));
    if (!this.#take(RIGHT_BRACE)) throw this.#problem(', or }');
    return fields;
  }

  #array(depth: number): Value<N>[] {
    const values: Value<N>[] = [];
    this.#at++;
    if (this.#take(RIGHT_BRACKET)) return values;
    do values.push(this.#inside(values.length, depth));
    while (this.#take(COMMA));
    if (!this.#take(RIGHT_BRACKET)) throw this.#problem(', or ]');
    return values;
  }

  #inside(step: string | number, depth: number): Value<N> {
    try {
      return this.#value(depth + 1);
    } catch (error) {
      if (error instanceof JsonProblem) error.path.unshift(step);
      throw error;
    }
  }

  #string(): string {
    const start = this.#at + 1;
    let isPlain = true;
    for (let at = start; at < this.#text.length; at++) {
      const code = this.#text.charCodeAt(at);
      if (code === BACKSLASH) {
        isPlain = false;
        at++;
      } else if (code === QUOTE) {
        this.#at = at + 1;
        return isPlain ? this.#text.slice(start, at) : this.#unescaped(start, at);
      } else if (code < 0x20) break;
    }
    throw this.#problem('a string that ends');
  }

  #unescaped(start: number, end: number): string {
    try {
      const text = JSON.parse(this.#text.slice(start - 1, end + 1)) as string;
      if (!/\p{Surrogate}/u.test(text)) return text;
    } catch {
      // Reported below.
    }
    this.#at = start;
    throw this.#problem('a string with valid escapes');
  }

  #skipBlank(): void {
    for (;;) {
      const code = this.#text.charCodeAt(this.#at);
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return;
      this.#at++;
    }
  }

  /** Whether the next nonblank character is this one; if so, it is consumed. */
  #take(code: number): boolean {
    this.#skipBlank();
    if (this.#text.charCodeAt(this.#at) !== code) return false;
    this.#at++;
    return true;
  }

  #problem(expected: string): JsonProblem {
    const found = this.#at < this.#text.length ? `'${this.#text.slice(this.#at, this.#at + 12)}'` : 'the end';
    const at = this.#before + this.#at;
    return new JsonProblem(`it has ${found} at character ${at}; expected ${expected}`, at);
  }
}
