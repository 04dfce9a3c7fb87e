/** Ids as they come into text as it can be read: only whole characters, and in all exactly the text of all ids. */

/** How a tokenizer reads: the bytes that ids stand for, UTF-8 but for characters that are cut. */
export interface TokenReader {
  decodeBytes(ids: Uint32Array): Uint8Array;
  /** Whether a token may read differently for what came long before it: where words stand, for one. */
  readonly looksFarBack: boolean;
}

/**
 * What a token reads as may depend on those before it: a space at the front, the spaces between words. So each piece is
 * decoded behind its context, whose own bytes are then taken off.
 */
export class TextStream {
  readonly #reader: TokenReader;
  readonly #utf8 = new TextDecoder('utf-8', { ignoreBOM: true });
  #context: Uint32Array;
  #contextBytes: number;

  /** `before`: ids that the text goes on from. */
  constructor(reader: TokenReader, before: Uint32Array) {
    this.#reader = reader;
    this.#context = this.#contextOf(before);
    this.#contextBytes = reader.decodeBytes(this.#context).length;
  }

  /** The text of `ids`; what is left of a character waits for its rest, or comes as U+FFFD at the `end`. */
  push(ids: Uint32Array, end: boolean): string {
    const all = new Uint32Array(this.#context.length + ids.length);
    all.set(this.#context);
    all.set(ids, this.#context.length);
    const bytes = this.#reader.decodeBytes(all);
    const text = this.#utf8.decode(bytes.subarray(this.#contextBytes), { stream: !end });
    this.#context = this.#contextOf(all);
    this.#contextBytes = this.#reader.looksFarBack ? bytes.length : this.#reader.decodeBytes(this.#context).length;
    return text;
  }

  #contextOf(ids: Uint32Array): Uint32Array {
    return this.#reader.looksFarBack ? ids.slice() : ids.slice(-1);
  }
}
