/** Names of rows from their bytes. In files of word vectors they are in any encoding, or cut within a letter. */

const isControl = (byte: number): boolean => byte < 9 || (byte > 13 && byte < 32) || byte === 127;

export class RowNames {
  readonly names: string[] = [];
  readonly #strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  readonly #tolerant = new TextDecoder('utf-8', { ignoreBOM: true });
  readonly #file: string;
  #first = -1;
  #count = 0;

  constructor(file: string) {
    this.#file = file;
  }

  /** 'numbers': these are no characters in any encoding, and are not added. */
  add(bytes: Uint8Array): 'added' | 'numbers' {
    const name = this.#decoded(bytes);
    if (bytes.includes(0) || (name.includes('\ufffd') && bytes.some(isControl))) return 'numbers';
    this.names.push(name);
    return 'added';
  }

  #decoded(bytes: Uint8Array): string {
    try {
      return this.#strict.decode(bytes);
    } catch {
      if (this.#count++ === 0) this.#first = this.names.length;
      return this.#tolerant.decode(bytes);
    }
  }

  get notes(): string[] {
    if (this.#count === 0) return [];
    const others = this.#count === 1 ? '' : `, and so do ${this.#count - 1} more`;
    return [
      `${this.#file}: the name of row ${this.#first} has bytes that are not UTF-8${others}; they were read as U+FFFD.`,
    ];
  }
}
