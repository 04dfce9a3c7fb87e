/**
 * JSON, strictly: `JSON.parse` rounds integers above 2^53, keeps the last of two equal keys and cannot tell 1.0 from 1. Objects
 * become Maps, so that no key means anything to JavaScript, and numbers keep their text.
 */

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

/**
 * The fields of an object, one after another, so that a caller with half a million can use each at once and pause between them. `seen`: the keys so far,
 * which the caller keeps. Returns the value itself if it is no object.
 */
export function* fieldsExactly(
  text: string,
  seen: { has(key: string): boolean },
): Generator<readonly [key: string, value: ExactValue], ExactValue | null> {
  return yield* new Parser<NumberText | number>(text, exactly).fields(seen);
}

const exactly = (text: string): NumberText | number =>
  text.length < 16 && /^\d+$/.test(text) ? Number(text) : new NumberText(text);

/** Equally strict, for files with many numbers. */
export function parsePlainly(text: string): PlainValue {
  return new Parser(text, Number).whole();
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
  #at = 0;

  constructor(text: string, numberOf: (text: string) => N) {
    this.#text = text;
    this.#numberOf = numberOf;
  }

  whole(): Value<N> {
    const value = this.#value(0);
    this.#skipBlank();
    if (this.#at < this.#text.length) throw this.#problem('the end');
    return value;
  }

  /** Those of an object, each once; of anything else, the value is returned. */
  *fields(seen: { has(key: string): boolean }): Generator<readonly [string, Value<N>], Value<N> | null> {
    this.#skipBlank();
    if (this.#text.charCodeAt(this.#at) !== LEFT_BRACE) return this.whole();
    this.#at++;
    if (!this.#take(RIGHT_BRACE)) {
      do yield this.#field(seen, 0);
      while (this.#take(COMMA));
      if (!this.#take(RIGHT_BRACE)) throw this.#problem(', or }');
    }
    this.#skipBlank();
    if (this.#at < this.#text.length) throw this.#problem('the end');
    return null;
  }

  #field(seen: { has(key: string): boolean }, depth: number): readonly [string, Value<N>] {
    this.#skipBlank();
    if (this.#text.charCodeAt(this.#at) !== QUOTE) throw this.#problem('a key in quotes');
    const key = this.#string();
    if (seen.has(key))
      throw new JsonProblem(`the key '${key.slice(0, 80)}' occurs twice; expected each key once`, this.#at);
    if (!this.#take(COLON)) throw this.#problem(':');
    return [key, this.#inside(key, depth)];
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
    do fields.set(...this.#field(fields, depth));
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
    return new JsonProblem(`it has ${found} at character ${this.#at}; expected ${expected}`, this.#at);
  }
}
