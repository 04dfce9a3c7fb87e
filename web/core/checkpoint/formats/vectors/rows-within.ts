/** A table whose rows have their names between them, as a source of the table alone: each read takes what lies between its first and its last row. */
import { checkRange, type ByteSource } from '../../bytes/source.js';

/** Bytes of the file that one read takes; a row may be longer. */
const PIECE_BYTES = 2 ** 23;

export class RowsWithin implements ByteSource {
  readonly notes: readonly string[] = [];
  readonly size: number;
  readonly #file: ByteSource;
  readonly #rowBytes: number;
  readonly #starts: Float64Array;

  /** `starts`: where each row begins in the file, in order. */
  constructor(file: ByteSource, rowBytes: number, starts: Float64Array) {
    this.#file = file;
    this.#rowBytes = rowBytes;
    this.#starts = starts;
    this.size = rowBytes * starts.length;
  }

  get name(): string {
    return this.#file.name;
  }

  get bytesRead(): number {
    return this.#file.bytesRead;
  }

  async read(from: number, length: number, signal?: AbortSignal): Promise<Uint8Array> {
    checkRange(this, from, length);
    const rowBytes = this.#rowBytes;
    const starts = this.#starts;
    const to = from + length;
    const all = new Uint8Array(length);
    for (let row = Math.floor(from / rowBytes); row * rowBytes < to;) {
      const first = starts[row]!;
      let end = row + 1;
      while (end * rowBytes < to && starts[end]! + rowBytes - first <= PIECE_BYTES) end++;
      // Of its first and its last row, only what is asked for.
      const begin = first + Math.max(0, from - row * rowBytes);
      const stop = starts[end - 1]! + Math.min(rowBytes, to - (end - 1) * rowBytes);
      const bytes = await this.#file.read(begin, stop - begin, signal);
      for (; row < end; row++) {
        const [left, right] = [Math.max(from, row * rowBytes), Math.min(to, (row + 1) * rowBytes)];
        const at = starts[row]! + left - row * rowBytes - begin;
        all.set(bytes.subarray(at, at + right - left), left - from);
      }
    }
    return all;
  }

  beside(name: string, signal?: AbortSignal): Promise<ByteSource | null> {
    return this.#file.beside(name, signal);
  }
}
