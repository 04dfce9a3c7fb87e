/** What a verb has left in the memory of its module: read by the tables of records that C++ prints, or as one array. */
import { argumentError, ERROR_CODES, TiedError } from './errors.js';
import type { Address } from './wasm-module.js';

/** Maps the core's names of arguments (in camel case) to the caller's. */
export type ArgumentNames = Readonly<Record<string, string>>;

/** The core's name of memory that it did not get. */
export const BLOCK = 'a block of memory';

/** Names the argument whose size decides how much memory a call takes. */
export const sizedBy = (argument: string): ArgumentNames => ({ [BLOCK]: argument });

interface Values {
  number: number;
  'number?': number | null;
  flag: boolean;
  'flag?': boolean | null;
  numbers: Float64Array;
  text: string;
  floats: Float32Array<ArrayBuffer>;
  ids: Uint32Array<ArrayBuffer>;
}
/** A value, one of several words, a list of records in brackets, or a record. */
type Kind = keyof Values | readonly string[] | readonly [Table] | Table;
interface Table {
  readonly [name: string]: Kind;
}

/** What is read as a kind. */
export type Read<K> = K extends keyof Values
  ? Values[K]
  : K extends readonly (infer Word extends string)[]
    ? Word
    : K extends readonly [infer Item]
      ? Read<Item>[]
      : { -readonly [Name in keyof K]: Read<K[Name]> };

const NUMBERS = 0;
const BYTES = 1;
const IDS = 2;
const FIRST_ARRAY = 3;

/** The results of one call; copy them out before the next call. */
export class Answer {
  readonly #buffer: ArrayBuffer;
  /** Addresses and sizes of the numbers, the bytes or texts, the ids, and arrays of floats. */
  readonly #parts: Uint32Array;
  // What has been read of each.
  #numbers: Float64Array | null = null;
  #at = 0;
  #ids = 0;
  #texts: string[] | null = null;
  #arrays = 0;

  constructor(buffer: ArrayBuffer, parts: Address) {
    this.#buffer = buffer;
    this.#parts = new Uint32Array(buffer, parts);
  }

  /** The next value, of a kind in generated/records.ts. */
  read<const K extends Kind>(kind: K): Read<K> {
    return this.#value(kind) as Read<K>;
  }

  /** The next number. */
  readonly next = (): number => this.#allNumbers()[this.#at++]!;

  /** Throws if more or less was read than the verb has written. */
  check(): void {
    if (this.#at === 0 || this.#at === this.#allNumbers().length) return;
    throw new TiedError('bad-file', 'the core gave an answer of unknown form; expected modules of this same version');
  }

  #value(kind: Kind): unknown {
    if (typeof kind === 'string') return this.#single(kind);
    if (!Array.isArray(kind)) {
      const record: Record<string, unknown> = {};
      for (const [name, of] of Object.entries(kind)) record[name] = this.#value(of as Kind);
      return record;
    }
    const [item] = kind as [Kind];
    const number = this.next();
    return typeof item === 'string' ? kind[number] : Array.from({ length: number }, () => this.#value(item));
  }

  #single(kind: keyof Values): Values[keyof Values] {
    switch (kind) {
      case 'numbers': {
        const size = this.next();
        return this.#allNumbers().slice(this.#at, (this.#at += size));
      }
      case 'ids': {
        const size = this.next();
        return this.ids().slice(this.#ids, (this.#ids += size));
      }
      case 'floats':
        return this.floatView().slice();
      case 'text':
        this.#texts ??= this.texts().reverse();
        return this.#texts.pop()!;
      default: {
        const number = this.next();
        if (kind.endsWith('?') && Number.isNaN(number)) return null;
        return kind.startsWith('number') ? number : number === 1;
      }
    }
  }

  #allNumbers(): Float64Array {
    return (this.#numbers ??= this.numbers());
  }

  /** The next array, valid until the next call. */
  floatView(): Float32Array<ArrayBuffer> {
    const [address, bytes] = this.#locate(FIRST_ARRAY + this.#arrays++);
    return new Float32Array(this.#buffer, address, bytes / 4);
  }

  numbers(): Float64Array<ArrayBuffer> {
    const [address, bytes] = this.#locate(NUMBERS);
    return new Float64Array(this.#buffer, address, bytes / 8).slice();
  }

  ids(): Uint32Array<ArrayBuffer> {
    const [address, bytes] = this.#locate(IDS);
    return new Uint32Array(this.#buffer, address, bytes / 4).slice();
  }

  bytes(): Uint8Array<ArrayBuffer> {
    return this.view().slice();
  }

  /** The bytes themselves, valid until the next call. */
  view(): Uint8Array<ArrayBuffer> {
    return new Uint8Array(this.#buffer, ...this.#locate(BYTES));
  }

  /** Bytes at an address that the verb gave, valid until the next call. */
  viewAt(address: Address, bytes: number): Uint8Array<ArrayBuffer> {
    return new Uint8Array(this.#buffer, address, bytes);
  }

  /** `argument` and `value` name the input at fault if the text exceeds the longest string. */
  text(argument = 'the text', value: unknown = undefined): string {
    // Without this option, a byte order mark would be dropped.
    const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
    const bytes = this.view();
    let cause: unknown;
    try {
      const text = decoder.decode(bytes);
      // Chromium returns an empty string for a text that is too long.
      if (text !== '' || bytes.length === 0) return text;
    } catch (error) {
      cause = error;
    }
    const expected = `a text that fits in a string; this one has ${bytes.length} bytes`;
    throw argumentError('out-of-memory', argument, value, expected, { cause });
  }

  /** All texts, each followed by a zero byte. */
  texts(): string[] {
    return this.text().split('\0').slice(0, -1);
  }

  error(names: ArgumentNames): TiedError {
    const [code = '', argument = '', value = '', expected = ''] = this.text().split('\0');
    const known = ERROR_CODES.find((listed) => listed === code) ?? 'unsupported';
    // For a file, the value says what is wrong inside it.
    const is = known === 'bad-file' ? `is not a valid file: ${value}` : `is ${value}`;
    const { [BLOCK]: sized } = names;
    const found =
      argument === BLOCK && sized !== undefined
        ? `${sized} needs ${BLOCK} that is ${value}`
        : `${renamed(camelCase(argument), names)} ${is}`;
    return new TiedError(known, `${found}; expected ${camelCase(expected)}`);
  }

  #locate(part: number): [address: number, bytes: number] {
    // An empty part may have an invalid address.
    const bytes = this.#parts[2 * part + 1]!;
    return [bytes === 0 ? 0 : this.#parts[2 * part]!, bytes];
  }
}

/** `vocab_size` becomes `vocabSize`. */
function camelCase(text: string): string {
  return text.replace(/\b[a-z]+(?:_[a-z0-9]+)+\b/g, (name) =>
    name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase()),
  );
}

/** Replaces whole words only: `sum of transition row 0` becomes `sum of options.transition row 0`. */
function renamed(argument: string, names: ArgumentNames): string {
  const words = Object.keys(names);
  if (words.length === 0) return argument;
  return argument.replace(new RegExp(`\\b(?:${words.join('|')})\\b`, 'g'), (word) => names[word]!);
}
