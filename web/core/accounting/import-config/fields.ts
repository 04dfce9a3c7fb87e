/**
 * The fields of a `config.json`: missing and invalid fields become errors that name them, and assumptions are
 * collected.
 */
import { describeValue, TiedError } from '../../runtime/errors.js';

/** Far above any model's sizes, and low enough for exact products. */
const LARGEST_SIZE = 1e9;

export class Fields {
  readonly assumptions: string[] = [];
  readonly #values: object;
  /** Prefix of each name in an error: 'text_config.' for a nested configuration. */
  readonly #prefix: string;
  /** Defaults of the class that reads the file; nested configurations omit fields that equal them. */
  readonly #defaults: Readonly<Record<string, number>>;

  constructor(values: object, prefix = '', defaults: Readonly<Record<string, number>> = {}) {
    this.#values = values;
    this.#prefix = prefix;
    this.#defaults = defaults;
  }

  /** null if the field is absent or null: files contain both. */
  value(name: string): unknown {
    return Object.hasOwn(this.#values, name) ? ((this.#values as Record<string, unknown>)[name] ?? null) : null;
  }

  has(name: string): boolean {
    return Object.hasOwn(this.#values, name);
  }

  /** A required size, under the first of its names that is present. */
  size(...names: string[]): number {
    const name = names.find((candidate) => this.value(candidate) !== null);
    if (name !== undefined) return this.#whole(name, this.value(name), 1);
    const [first] = names as [string];
    if (Object.hasOwn(this.#defaults, first)) {
      const size = this.#defaults[first]!;
      this.assume(`${this.#prefix}${first} is absent: ${size}, as in its class in version 4 of transformers.`);
      return size;
    }
    throw badFile(`${this.#prefix}${first} is missing; expected an integer. Is this the whole config.json of a model?`);
  }

  /** A required count, which may be 0. */
  count(...names: string[]): number {
    const name = names.find((candidate) => this.value(candidate) !== null);
    return name === undefined ? this.size(...names) : this.#whole(name, this.value(name), 0);
  }

  /** A size that may be absent or null and is then `otherwise`. */
  sizeOr(otherwise: number, ...names: string[]): number {
    const name = names.find((candidate) => this.value(candidate) !== null);
    return name === undefined ? otherwise : this.#whole(name, this.value(name), 1);
  }

  /** An integer that may be 0, absent or null. */
  countOr(otherwise: number, name: string): number {
    const value = this.value(name);
    return value === null ? otherwise : this.#whole(name, value, 0);
  }

  flag(name: string, otherwise: boolean): boolean {
    const value = this.value(name) ?? otherwise;
    if (typeof value !== 'boolean') throw this.wrong(name, 'true or false');
    return value;
  }

  assume(sentence: string): void {
    this.assumptions.push(sentence);
  }

  wrong(name: string, expected: string): TiedError {
    return badFile(`${this.#prefix}${name} is ${describeValue(this.value(name))}; expected ${expected}`);
  }

  #whole(name: string, value: unknown, minimum: number): number {
    if (typeof value === 'number' && Number.isInteger(value) && value >= minimum && value <= LARGEST_SIZE) return value;
    throw this.wrong(name, `an integer from ${minimum} to ${LARGEST_SIZE}`);
  }
}

export function badFile(what: string): TiedError {
  return new TiedError('bad-file', `config.json: ${what}`);
}

/** A valid configuration of a model that this library cannot represent. */
export function unsupported(what: string): TiedError {
  return new TiedError('unsupported', `config.json: ${what}`);
}
