/** A compressed file of an archive, as a source of what is in it. Its beginning is inflated by itself; anything else takes all of it, once. */
import { TiedError } from '../../runtime/errors.js';
import { badFile, checkRange, throwIfAborted, type ByteSource } from './source.js';

/** Bytes of the archive that are read at once. */
const PIECE_BYTES = 2 ** 20;
/** What is inflated for a header. */
const HEAD_BYTES = 4096;
/** No byte of a deflated file stands for more. */
const MOST_PER_BYTE = 1032;
const LARGEST = 2 ** 31 - 1;

export interface Deflated {
  readonly name: string;
  /** First byte in the archive. */
  readonly from: number;
  readonly stored: number;
  readonly size: number;
}

export class InflatedSource implements ByteSource {
  readonly notes: readonly string[] = [];
  readonly size: number;
  readonly #archive: ByteSource;
  readonly #of: Deflated;
  #begun: Uint8Array = new Uint8Array();

  constructor(archive: ByteSource, of: Deflated) {
    this.#archive = archive;
    this.#of = of;
    this.size = of.size;
    if (of.size > MOST_PER_BYTE * of.stored)
      throw this.#wrong(`would have ${of.size} bytes, and is compressed to ${of.stored}; expected at most ${MOST_PER_BYTE} for each`); // prettier-ignore
  }

  get name(): string {
    return this.#archive.name;
  }

  get bytesRead(): number {
    return this.#archive.bytesRead;
  }

  async read(from: number, length: number, signal?: AbortSignal): Promise<Uint8Array> {
    checkRange(this, from, length);
    if (from + length > this.#begun.length) {
      if (this.size > LARGEST)
        throw this.#wrong(`has ${this.size} bytes, compressed; expected at most ${LARGEST}, or numpy.savez without compression`); // prettier-ignore
      const needed = from + length <= HEAD_BYTES ? Math.min(HEAD_BYTES, this.size) : this.size;
      this.#begun = await this.#inflated(needed, signal);
    }
    return this.#begun.subarray(from, from + length);
  }

  beside(): Promise<null> {
    return Promise.resolve(null);
  }

  #wrong(problem: string): TiedError {
    return badFile(this.#archive.name, `'${this.#of.name.slice(0, 80)}' ${problem}`);
  }

  /** The first bytes; all of them are checked to be as many as the directory says. */
  async #inflated(needed: number, signal: AbortSignal | undefined): Promise<Uint8Array> {
    const { stored, size } = this.#of;
    const isAll = needed === size;
    const pieces = this.#pieces(signal).pipeThrough(new DecompressionStream('deflate-raw') as TransformStream<Uint8Array, Uint8Array>); // prettier-ignore
    const reader = pieces.getReader();
    // What it says of its size is not trusted with memory.
    let bytes = new Uint8Array(Math.min(needed, Math.max(HEAD_BYTES, 4 * stored)));
    let done = 0;
    try {
      for (;;) {
        throwIfAborted(signal);
        const { value, done: isEnd } = await reader.read();
        if (isEnd || (done >= needed && !isAll)) break;
        if (isAll && done + value.length > size)
          throw this.#wrong(`has more than ${size} bytes; expected as many as the directory says`);
        const taken = value.subarray(0, needed - done);
        if (done + taken.length > bytes.length) bytes = grown(bytes, Math.min(needed, 2 * (done + taken.length)));
        bytes.set(taken, done);
        done += taken.length;
      }
    } catch (error) {
      if (error instanceof TiedError) throw error;
      throw this.#wrong(`cannot be inflated; expected ${size} bytes, compressed by deflate: it may be damaged`);
    } finally {
      await reader.cancel().catch(() => undefined);
    }
    if (done < needed) throw this.#wrong(`ends after ${done} bytes; expected ${size}, as the directory says`);
    return bytes.subarray(0, done);
  }

  #pieces(signal: AbortSignal | undefined): ReadableStream<Uint8Array> {
    const { from, stored } = this.#of;
    let at = 0;
    return new ReadableStream(
      {
        pull: async (controller) => {
          const length = Math.min(PIECE_BYTES, stored - at);
          if (length <= 0) return controller.close();
          const piece = await this.#archive.read(from + at, length, signal);
          at += length;
          controller.enqueue(piece.slice());
        },
      },
      { highWaterMark: 0 },
    );
  }
}

function grown(bytes: Uint8Array, length: number): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array(length);
  larger.set(bytes);
  return larger;
}
