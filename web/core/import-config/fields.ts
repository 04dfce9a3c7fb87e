/**
 * The fields of a `config.json`, read with care: what is not there or makes no sense is named in an error, and what was
 * taken for granted is noted down.
 */
import { describeValue, TiedError } from '../errors.js';

/** No size of any model is near this; far below it products are counted exactly anyway. */
const LARGEST_SIZE = 1e9;

export class Fields {
  readonly assumptions: string[] = [];
  readonly #values: object;
  /** Before each name in an error: 'text_config.' of a nested configuration. */
  readonly #prefix: string;
  /** Sizes of the class that reads the file, for nested configurations, which leave out what is as in the class. */
  readonly #defaults: Readonly<Record<string, number>>;

  constructor(values: object, prefix = '', defaults: Readonly<Record<string, number>> = {}) {
    this.#values = values;
    this.#prefix = prefix;
    this.#defaults = defaults;
  }

  /** null where the field is absent or null: files write both. */
  value(name: string): unknown {
    return Object.hasOwn(this.#values, name) ? ((this.#values as Record<string, unknown>)[name] ?? null) : null;
  }

  has(name: string): boolean {
    return Object.hasOwn(this.#values, name);
  }

  /** A size that must be there, under the first of its names that is. */
  size(...names: string[]): number {
    const name = names.find((candidate) => this.value(candidate) !== null);
    if (name !== undefined) return this.#whole(name, this.value(name), 1);
    const [first] = names as [string];
    if (Object.hasOwn(this.#defaults, first)) {
      const size = this.#defaults[first]!;
      this.assume(`${this.#prefix}${first} is absent: ${size}, as in the class that reads it.`);
      return size;
    }
    throw badFile(
      `${this.#prefix}${first} is missing; expected a whole number. Is this the whole config.json of a model?`,
    );
  }

  /** Layers may be none. */
  count(...names: string[]): number {
    const name = names.find((candidate) => this.value(candidate) !== null);
    return name === undefined ? this.size(...names) : this.#whole(name, this.value(name), 0);
  }

  /** A size that may be absent or null; `otherwise` says what it is then. */
  sizeOr(otherwise: number, ...names: string[]): number {
    const name = names.find((candidate) => this.value(candidate) !== null);
    return name === undefined ? otherwise : this.#whole(name, this.value(name), 1);
  }

  /** A whole number that may be 0, absent or null. */
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
    throw this.wrong(name, `a whole number from ${minimum} to ${LARGEST_SIZE}`);
  }
}

export function badFile(what: string): TiedError {
  return new TiedError('bad-file', `config.json: ${what}`);
}

/** What the file says well, and this library has no model for. */
export function unsupported(what: string): TiedError {
  return new TiedError('unsupported', `config.json: ${what}`);
}
