/** A storage as a source of its own, so that where it begins can be looked up when it is read: that takes a request. */
import { checkRange, type ByteSource } from '../source.js';

export class StorageSource implements ByteSource {
  readonly notes: readonly string[] = [];
  readonly size: number;
  readonly #file: ByteSource;
  readonly #find: (signal?: AbortSignal) => Promise<number>;
  #from: number | null = null;

  /** `find`: the first byte in the file. */
  constructor(file: ByteSource, size: number, find: (signal?: AbortSignal) => Promise<number>) {
    this.#file = file;
    this.size = size;
    this.#find = find;
  }

  get name(): string {
    return this.#file.name;
  }

  get bytesRead(): number {
    return this.#file.bytesRead;
  }

  async read(from: number, length: number, signal?: AbortSignal): Promise<Uint8Array> {
    checkRange(this, from, length);
    this.#from ??= await this.#find(signal);
    return this.#file.read(this.#from + from, length, signal);
  }

  beside(name: string, signal?: AbortSignal): Promise<ByteSource | null> {
    return this.#file.beside(name, signal);
  }
}
