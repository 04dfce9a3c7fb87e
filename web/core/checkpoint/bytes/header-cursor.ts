/** Reads a header of unknown length from the start of a file: only what is parsed, and a piece ahead. */
import { badFile, type ByteSource } from './source.js';

const FIRST_BYTES = 65_536;
const MOST_BYTES = 2 ** 22;

export class HeaderCursor {
  readonly #source: ByteSource;
  readonly #signal: AbortSignal | undefined;
  /** Bytes of the file from `#from` on. */
  #bytes: Uint8Array = new Uint8Array();
  #view = new DataView(new ArrayBuffer(0));
  #from = 0;
  #at = 0;
  #next = FIRST_BYTES;

  constructor(source: ByteSource, signal?: AbortSignal) {
    this.#source = source;
    this.#signal = signal;
  }

  /** Position in the file. */
  get position(): number {
    return this.#from + this.#at;
  }

  /** Bytes left, as far as the size is known. */
  get left(): number {
    return (this.#source.size ?? Infinity) - this.position;
  }

  /** Whether this many bytes are already in memory; if not, await `fill`. Asking first keeps long lists fast. */
  has(length: number): boolean {
    return this.#at + length <= this.#bytes.length;
  }

  async fill(length: number): Promise<void> {
    if (this.has(length)) return;
    const { size, name } = this.#source;
    const { position } = this;
    if (length > this.left)
      throw badFile(
        name,
        `it ends at byte ${size}, within its header; expected ${length} bytes more: it may be cut off`,
      );
    // A file of unknown size may end here, so no byte is read ahead.
    const ahead = size === null ? length : Math.min(this.left, Math.max(length, this.#next));
    this.#next = Math.min(MOST_BYTES, 2 * this.#next);
    const kept = this.#bytes.subarray(this.#at);
    const start = position + kept.length;
    const more = await this.#source.read(start, Math.max(0, position + ahead - start), this.#signal);
    const bytes = new Uint8Array(kept.length + more.length);
    bytes.set(kept);
    bytes.set(more, kept.length);
    [this.#bytes, this.#from, this.#at] = [bytes, position, 0];
    this.#view = new DataView(bytes.buffer);
  }

  byte(): number {
    return this.#view.getUint8(this.#move(1));
  }

  u32(): number {
    return this.#view.getUint32(this.#move(4), true);
  }

  u64(): bigint {
    return this.#view.getBigUint64(this.#move(8), true);
  }

  i32(): number {
    return this.#view.getInt32(this.#move(4), true);
  }

  /** How many bytes come before the next one of this value, of those that are in memory; -1 if none of them has it. */
  before(value: number): number {
    const at = this.#bytes.indexOf(value, this.#at);
    return at < 0 ? -1 : at - this.#at;
  }

  /** As `before`, after reading on until one comes, over `most` bytes at most. -1: there is none. */
  async find(value: number, most: number): Promise<number> {
    for (let length = 64; ; length = Math.min(2 * length, most)) {
      const found = this.before(value);
      if (found >= 0) return found <= most ? found : -1;
      if (length > this.left || length >= most) {
        await this.fill(Math.min(this.left, most));
        const last = this.before(value);
        return last <= most ? last : -1;
      }
      await this.fill(length);
    }
  }

  /** Numbers beyond 2^53 are rounded. */
  whole(): number {
    const low = this.#view.getUint32(this.#move(4), true);
    return this.#view.getUint32(this.#move(4), true) * 2 ** 32 + low;
  }

  /** Goes back to a position that `position` was since the last `fill`. */
  backTo(position: number): void {
    this.#at = position - this.#from;
  }

  /** A view; later calls of `fill` do not change it. */
  bytes(length: number): Uint8Array {
    const at = this.#move(length);
    return this.#bytes.subarray(at, at + length);
  }

  /** Skips bytes that need not be read. */
  skip(length: number): void {
    if (length > this.left)
      throw badFile(
        this.#source.name,
        `it ends at byte ${this.#source.size}, within its header; expected ${length} bytes more: it may be cut off`,
      );
    if (this.has(length)) this.#at += length;
    else {
      this.#from = this.position + length;
      this.#at = 0;
      // Where much is left out, little is read between.
      if (length > FIRST_BYTES) this.#next = FIRST_BYTES;
      this.#bytes = new Uint8Array();
      this.#view = new DataView(new ArrayBuffer(0));
    }
  }

  #move(length: number): number {
    if (!this.has(length)) throw new Error('fill comes first');
    const at = this.#at;
    this.#at += length;
    return at;
  }
}
