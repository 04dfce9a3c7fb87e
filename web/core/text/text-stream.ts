/** Decodes ids into text as they arrive: only whole characters, and in total exactly the text of all ids. */

/** How a tokenizer decodes: `bytes` are UTF-8, possibly with cut characters at the ends. */
export interface TokenReader {
  decodeBytes(ids: Uint32Array): Uint8Array;
  /** Whether a token's text can depend on tokens far before it, as spaces between words do. */
  readonly looksFarBack: boolean;
}

/**
 * A token's text may depend on earlier tokens: a leading space, the spaces between words. So each piece is decoded
 * together with its context, whose bytes are then removed.
 */
export class TextStream {
  readonly #reader: TokenReader;
  readonly #utf8 = new TextDecoder('utf-8', { ignoreBOM: true });
  #context: Uint32Array;
  #contextBytes: number;

  /** `before`: ids that precede the stream. */
  constructor(reader: TokenReader, before: Uint32Array) {
    this.#reader = reader;
    this.#context = this.#contextOf(before);
    this.#contextBytes = reader.decodeBytes(this.#context).length;
  }

  /** The text of `ids`. An incomplete character waits for its remaining bytes, or becomes U+FFFD at the `end`. */
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
