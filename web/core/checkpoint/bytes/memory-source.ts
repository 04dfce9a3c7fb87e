/** Bytes in memory, and Blobs and Files, which the browser reads from disk on request. */
import { badFile, checkRange, orAborted, throwIfAborted, type ByteSource } from './source.js';

type Beside = (name: string) => ByteSource | null;
const nothingBeside: Beside = () => null;

export class BytesSource implements ByteSource {
  readonly name: string;
  readonly size: number;
  readonly notes: readonly string[] = [];
  bytesRead = 0;
  readonly #bytes: Uint8Array;

  constructor(bytes: Uint8Array, name = 'bytes') {
    this.#bytes = bytes;
    this.size = bytes.length;
    this.name = name;
  }

  read(from: number, length: number, signal?: AbortSignal): Promise<Uint8Array> {
    try {
      throwIfAborted(signal);
      checkRange(this, from, length);
    } catch (error) {
      return Promise.reject(error as Error);
    }
    this.bytesRead += length;
    return Promise.resolve(this.#bytes.subarray(from, from + length));
  }

  beside(): Promise<null> {
    return Promise.resolve(null);
  }
}

class BlobSource implements ByteSource {
  readonly name: string;
  readonly size: number;
  readonly notes: readonly string[] = [];
  bytesRead = 0;
  readonly #blob: Blob;
  readonly #beside: Beside;

  constructor(blob: Blob, name: string, beside: Beside = nothingBeside) {
    this.#blob = blob;
    this.size = blob.size;
    this.name = name;
    this.#beside = beside;
  }

  async read(from: number, length: number, signal?: AbortSignal): Promise<Uint8Array> {
    throwIfAborted(signal);
    checkRange(this, from, length);
    let bytes: Uint8Array;
    try {
      bytes = new Uint8Array(await orAborted(this.#blob.slice(from, from + length).arrayBuffer(), signal));
    } catch (error) {
      throwIfAborted(signal);
      throw badFile(this.name, 'it cannot be read: it may have been changed or moved since it was chosen', error);
    }
    this.bytesRead += bytes.length;
    if (bytes.length !== length) throw badFile(this.name, `${bytes.length} bytes were read; expected ${length}`);
    return bytes;
  }

  beside(name: string): Promise<ByteSource | null> {
    return Promise.resolve(this.#beside(name));
  }
}

/** Sources of files chosen together, each beside the others. */
export function sourcesOf(blobs: readonly Blob[]): BlobSource[] {
  const sources: BlobSource[] = [];
  const beside: Beside = (wanted) => sources.find(({ name }) => name === wanted) ?? null;
  for (const [at, blob] of blobs.entries()) {
    const { name } = blob as { name?: unknown };
    sources.push(new BlobSource(blob, typeof name === 'string' && name !== '' ? name : `file ${at + 1}`, beside));
  }
  return sources;
}
