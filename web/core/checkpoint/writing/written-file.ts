/** A file that is made from its first byte to its last: as a whole, or in parts that a stream gets as they are filled. */
import { allocateResult } from '../../runtime/runtime.js';
import type { FileBytes } from '../../types.js';
import type { Work } from '../../runtime/work.js';

/** Of a stream; a multiple of what the core writes at once. */
export const PART_BYTES = 2 ** 21;

/** Waits until the part has been written: no more than one is in memory. */
export function* sent(to: MessagePort, part: Uint8Array<ArrayBuffer>): Generator<Promise<unknown>, void, number> {
  const written = new Promise((resolve) => (to.onmessage = resolve));
  to.postMessage(part, [part.buffer]);
  yield written;
}

/** Work that makes a file; the port is closed whatever ends it. */
export function* closing<R>(to: MessagePort | undefined, work: Work<R>): Work<R> {
  try {
    return yield* work;
  } finally {
    to?.close();
  }
}

export class WrittenFile {
  readonly #to: MessagePort | undefined;
  /** Bytes of the file from the end of `#part` on. */
  #left: number;
  #part!: FileBytes;
  #filled = 0;
  #written = 0;

  /** `to`: of a stream; without one the file is made as a whole. */
  constructor(size: number, to: MessagePort | undefined) {
    this.#to = to;
    this.#left = size;
    this.#begin();
  }

  /** Zeros up to this byte of the file. */
  fill(end: number): Generator<Promise<unknown>, void, number> {
    return this.write(new Uint8Array(end - this.#written));
  }

  *write(bytes: Uint8Array): Generator<Promise<unknown>, void, number> {
    this.#written += bytes.length;
    for (let from = 0; from < bytes.length;) {
      const end = Math.min(bytes.length, from + this.#part.length - this.#filled);
      this.#part.set(bytes.subarray(from, end), this.#filled);
      this.#filled += end - from;
      from = end;
      if (this.#to && this.#filled === this.#part.length) yield* this.#send(this.#to);
    }
  }

  /** The file; without a byte if a stream has them. */
  get bytes(): FileBytes {
    return this.#part;
  }

  *#send(to: MessagePort): Generator<Promise<unknown>, void, number> {
    yield* sent(to, this.#part);
    this.#begin();
  }

  #begin(): void {
    const size = this.#to ? Math.min(this.#left, PART_BYTES) : this.#left;
    this.#part = allocateResult(() => new Uint8Array(size));
    this.#filled = 0;
    this.#left -= size;
  }
}

/** The bytes of numbers, in place. */
export const bytesOf = ({ buffer, byteOffset, byteLength }: Float32Array | Uint16Array): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength);
