/** The numbers of an array that is stored big-endian, as if they were stored little-endian. */
import { checkRange, type ByteSource } from '../bytes/source.js';
import type { StoredTensor } from '../tensors.js';

class SwappedSource implements ByteSource {
  readonly name: string;
  readonly size: number;
  /** Those of its file are counted there. */
  readonly bytesRead = 0;
  readonly notes: readonly string[] = [];
  readonly #stored: StoredTensor;
  readonly #each: number;

  constructor(stored: StoredTensor, each: number) {
    this.name = stored.source.name;
    this.size = stored.bytes;
    this.#stored = stored;
    this.#each = each;
  }

  async read(from: number, length: number, signal?: AbortSignal): Promise<Uint8Array> {
    checkRange(this, from, length);
    const each = this.#each;
    // Whole numbers.
    const first = from - (from % each);
    const end = Math.ceil((from + length) / each) * each;
    const bytes = (await this.#stored.source.read(this.#stored.from + first, end - first, signal)).slice();
    for (let at = 0; at < bytes.length; at += each) bytes.subarray(at, at + each).reverse();
    return bytes.subarray(from - first, from - first + length);
  }

  beside(name: string, signal?: AbortSignal): Promise<ByteSource | null> {
    return this.#stored.source.beside(name, signal);
  }
}

/** `each`: bytes of a number. */
export const swapped = (stored: StoredTensor, each: number): StoredTensor => ({
  ...stored,
  source: new SwappedSource(stored, each),
  from: 0,
});
