/** A storage as a source of its own, so that where it begins can be looked up when it is read: that takes a request. */
import { checkRange, type ByteSource } from '../../bytes/source.js';

/** The first byte in the file of the storage of this key. */
export type FindStorage = (key: string, signal?: AbortSignal) => Promise<number>;

/** There may be half a million. */
export class StorageSource implements ByteSource {
  readonly size: number;
  readonly #file: ByteSource;
  readonly #key: string;
  readonly #find: FindStorage;
  #from = -1;

  constructor(file: ByteSource, size: number, key: string, find: FindStorage) {
    this.#file = file;
    this.size = size;
    this.#key = key;
    this.#find = find;
  }

  get notes(): readonly string[] {
    return [];
  }

  get name(): string {
    return this.#file.name;
  }

  get bytesRead(): number {
    return this.#file.bytesRead;
  }

  async read(from: number, length: number, signal?: AbortSignal): Promise<Uint8Array> {
    checkRange(this, from, length);
    if (this.#from < 0) this.#from = await this.#find(this.#key, signal);
    return this.#file.read(this.#from + from, length, signal);
  }

  beside(name: string, signal?: AbortSignal): Promise<ByteSource | null> {
    return this.#file.beside(name, signal);
  }
}
