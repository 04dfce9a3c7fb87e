/** Keys and values of a GGUF header. Every length is checked before it is used; arrays that are not needed are skipped. */
import type { TiedError } from '../../runtime/errors.js';
import type { HeaderCursor } from '../bytes/header-cursor.js';

export type GgufValue = number | bigint | boolean | string | readonly string[] | readonly number[] | null;

/** No real header exceeds these limits. */
export const GGUF_LIMITS = {
  keys: 1e5,
  tensors: 1e7,
  elements: 1e6,
  stringBytes: 1e7,
  nameBytes: 65_535,
  nesting: 4,
  dimension: 2 ** 32,
} as const;

/** Bytes of a value, by type; -1 for strings and arrays. */
const WIDTHS = [1, 1, 2, 2, 4, 4, 4, 1, -1, -1, 8, 8, 8] as const;
const [BOOL, STRING, ARRAY] = [7, 8, 9];

export class GgufReader {
  readonly cursor: HeaderCursor;
  readonly wrong: (problem: string) => TiedError;

  constructor(cursor: HeaderCursor, wrong: (problem: string) => TiedError) {
    this.cursor = cursor;
    this.wrong = wrong;
  }

  async u32(): Promise<number> {
    if (!this.cursor.has(4)) await this.cursor.fill(4);
    return this.cursor.u32();
  }

  async u64(): Promise<bigint> {
    if (!this.cursor.has(8)) await this.cursor.fill(8);
    return this.cursor.u64();
  }

  /** An unsigned integer that is at most `most`. */
  async count(what: string, most: number): Promise<number> {
    const count = await this.u64();
    if (count > BigInt(most)) throw this.wrong(`${what} is ${count}; expected at most ${most}`);
    return Number(count);
  }

  async #stringBytes(what: string, most: number): Promise<number> {
    const length = await this.count(`the length of ${what}`, most);
    if (length > this.cursor.left)
      throw this.wrong(`${what} has ${length} bytes; expected at most ${this.cursor.left}, which the file has left`);
    return length;
  }

  /** Strict by default: names that are not UTF-8 are refused. `loose`: for tokens, which may be parts of characters. */
  async string(what: string, most: number = GGUF_LIMITS.stringBytes, loose = false): Promise<string> {
    const length = await this.#stringBytes(what, most);
    if (!this.cursor.has(length)) await this.cursor.fill(length);
    const bytes = this.cursor.bytes(length);
    const text = loose ? LOOSE.decode(bytes) : strictly(bytes);
    if (text !== null) return text;
    throw this.wrong(`${what} has bytes that are not UTF-8; expected UTF-8`);
  }

  /** The value after a key. Arrays give null, except for `wanted` ones of strings or 32-bit numbers. */
  async value(key: string, wanted: boolean): Promise<GgufValue> {
    return this.#valueOf(key, await this.u32(), wanted, 0);
  }

  async #valueOf(key: string, type: number, wanted: boolean, nesting: number): Promise<GgufValue> {
    const width = WIDTHS[type];
    if (width === undefined) throw this.wrong(`the value of '${key}' has the type ${type}; expected 0 to 12`);
    if (type === STRING) return this.string(`the value of '${key}'`);
    if (type === ARRAY) return this.#array(key, wanted, nesting + 1);
    if (!this.cursor.has(width)) await this.cursor.fill(width);
    const bytes = this.cursor.bytes(width);
    const view = new DataView(bytes.buffer, bytes.byteOffset, width);
    if (type === BOOL) {
      if (bytes[0]! > 1) throw this.wrong(`the value of '${key}' is ${bytes[0]}; expected 0 or 1`);
      return bytes[0] === 1;
    }
    return SCALARS[type]!(view);
  }

  async #array(key: string, wanted: boolean, nesting: number): Promise<readonly string[] | readonly number[] | null> {
    if (nesting > GGUF_LIMITS.nesting)
      throw this.wrong(`'${key}' is nested too deep; expected at most ${GGUF_LIMITS.nesting}`);
    const type = await this.u32();
    const width = WIDTHS[type];
    if (width === undefined) throw this.wrong(`the elements of '${key}' have the type ${type}; expected 0 to 12`);
    const count = await this.count(`the number of elements of '${key}'`, GGUF_LIMITS.elements);
    // Each element takes at least its width, a length, or a type and a length.
    const least = count * (width > 0 ? width : type === STRING ? 8 : 12);
    if (least > this.cursor.left)
      throw this.wrong(
        `'${key}' has ${count} elements; expected at most ${this.cursor.left} bytes of them, which the file has left`,
      );
    if (width > 0 && !(wanted && width === 4)) {
      this.cursor.skip(least);
      return null;
    }
    if (width > 0) return this.#numbers(type, count);
    const strings: string[] = [];
    for (let i = 0; i < count; i++) {
      if (i % AT_ONCE === AT_ONCE - 1) await pause();
      if (type === ARRAY) await this.#array(key, false, nesting + 1);
      else if (wanted) strings.push(await this.string(`element ${i} of '${key}'`, GGUF_LIMITS.stringBytes, true));
      else this.cursor.skip(await this.#stringBytes(`element ${i} of '${key}'`, GGUF_LIMITS.stringBytes));
    }
    return type === STRING && wanted ? strings : null;
  }

  /** 32-bit numbers, all of which the file contains. */
  async #numbers(type: number, count: number): Promise<number[]> {
    const numbers: number[] = [];
    for (let i = 0; i < count; i++) {
      if (i % AT_ONCE === AT_ONCE - 1) await pause();
      if (!this.cursor.has(4)) await this.cursor.fill(4);
      const bytes = this.cursor.bytes(4);
      numbers.push(SCALARS[type]!(new DataView(bytes.buffer, bytes.byteOffset, 4)) as number);
    }
    return numbers;
  }
}

/** Elements read before yielding the thread: about 10 ms. */
const AT_ONCE = 8192;
const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));

const STRICT = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const LOOSE = new TextDecoder('utf-8', { ignoreBOM: true });

/** Null if it is not UTF-8. */
export function strictly(bytes: Uint8Array): string | null {
  try {
    return STRICT.decode(bytes);
  } catch {
    return null;
  }
}

const SCALARS: Readonly<Record<number, (view: DataView) => number | bigint>> = {
  0: (view) => view.getUint8(0),
  1: (view) => view.getInt8(0),
  2: (view) => view.getUint16(0, true),
  3: (view) => view.getInt16(0, true),
  4: (view) => view.getUint32(0, true),
  5: (view) => view.getInt32(0, true),
  6: (view) => view.getFloat32(0, true),
  10: (view) => view.getBigUint64(0, true),
  11: (view) => view.getBigInt64(0, true),
  12: (view) => view.getFloat64(0, true),
};
