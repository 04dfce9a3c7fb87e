/**
 * Columns of a stored matrix whose rows are longer than what is wanted of each, as in tables that are stored turned. A window of columns is read at
 * once and kept: tables of up to 32 MB in one read, larger ones in reads of 32 MB over their number of rows. Reading all columns in order thus reads
 * each byte once, and no read is much shorter than a server or a disk answers anyway.
 */
import { badFile, throwIfAborted } from '../bytes/source.js';
import type { StoredTensor } from '../tensors.js';

const WINDOW_BYTES = 2 ** 25;
/** Reads that are on their way at once. */
const AT_ONCE = 16;
const LEAST_BYTES = 2 ** 12;

export class StoredColumns {
  readonly #tensor: StoredTensor;
  readonly #rowBytes: number;
  readonly #windowBytes: number;
  /** The window that was read last, its rows one after another. */
  #kept: { readonly from: number; readonly bytes: Uint8Array } | null = null;

  constructor(tensor: StoredTensor, most = WINDOW_BYTES) {
    this.#tensor = tensor;
    const rows = tensor.shape[0]!;
    this.#rowBytes = tensor.bytes / rows;
    const each = Math.max(LEAST_BYTES, Math.floor(most / rows / LEAST_BYTES) * LEAST_BYTES);
    this.#windowBytes = Math.min(this.#rowBytes, each);
  }

  /** Bytes `from` up to `to` of every stored row, row after row. */
  async read(from: number, to: number, signal?: AbortSignal): Promise<Uint8Array> {
    const rows = this.#tensor.shape[0]!;
    // Else the end would never be reached.
    if (!(to <= this.#rowBytes)) {
      const { name } = this.#tensor.source;
      throw badFile(
        name,
        `a packed table needs ${to} bytes of each of ${rows} rows, which have ${this.#rowBytes}; expected as many`,
      );
    }
    const result = new Uint8Array(rows * (to - from));
    for (let at = from; at < to;) {
      const first = at - (at % this.#windowBytes);
      const width = Math.min(this.#windowBytes, this.#rowBytes - first);
      const end = Math.min(to, first + width);
      const window = await this.#window(first, width, signal);
      for (let row = 0; row < rows; row++)
        result.set(window.subarray(row * width + at - first, row * width + end - first), row * (to - from) + at - from);
      at = end;
    }
    return result;
  }

  async #window(from: number, width: number, signal: AbortSignal | undefined): Promise<Uint8Array> {
    if (this.#kept?.from === from) return this.#kept.bytes;
    // Not while the next one is read as well.
    this.#kept = null;
    const { source, from: start, bytes: all, shape } = this.#tensor;
    if (width === this.#rowBytes) {
      const bytes = await source.read(start, all, signal);
      this.#kept = { from, bytes };
      return bytes;
    }
    const rows = shape[0]!;
    const bytes = new Uint8Array(rows * width);
    for (let first = 0; first < rows; first += AT_ONCE) {
      throwIfAborted(signal);
      const some = Array.from({ length: Math.min(AT_ONCE, rows - first) }, async (_, i) => {
        const row = first + i;
        bytes.set(await source.read(start + row * this.#rowBytes + from, width, signal), row * width);
      });
      await Promise.all(some);
    }
    this.#kept = { from, bytes };
    return bytes;
  }
}
