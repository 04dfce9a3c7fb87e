/** A site's private file system in memory, with faults on request. */
export class FakeStorage {
  readonly files = new Map<string, Uint8Array>();
  /** Bytes that fit; reported by `estimate` unless `silent`. */
  quota = Number.POSITIVE_INFINITY;
  silent = false;
  /** What opening the storage throws, as in a private window. */
  refusal: DOMException | null = null;
  /** What the next writes throw. */
  fault: DOMException | null = null;

  get usage(): number {
    return [...this.files.values()].reduce((sum, { length }) => sum + length, 0);
  }

  readonly estimate = (): Promise<StorageEstimate> =>
    Promise.resolve(this.silent ? {} : { quota: this.quota, usage: this.usage });

  readonly getDirectory = (): Promise<FileSystemDirectoryHandle> =>
    this.refusal === null ? Promise.resolve(this.#root as never) : Promise.reject(this.refusal);

  readonly #handle = (name: string): object => ({
    kind: 'file',
    getFile: () => {
      const bytes = this.files.get(name);
      if (bytes === undefined) return Promise.reject(new DOMException('', 'NotFoundError'));
      return Promise.resolve(new Blob([bytes as Uint8Array<ArrayBuffer>]));
    },
    createWritable: () => {
      const pieces: Uint8Array[] = [];
      return Promise.resolve({
        write: (piece: Uint8Array) => {
          if (this.fault !== null) return Promise.reject(this.fault);
          pieces.push(piece.slice());
          const size = pieces.reduce((sum, { length }) => sum + length, 0);
          if (this.usage + size <= this.quota) return Promise.resolve();
          return Promise.reject(new DOMException('', 'QuotaExceededError'));
        },
        close: async () => {
          this.files.set(name, new Uint8Array(await new Blob(pieces as Uint8Array<ArrayBuffer>[]).arrayBuffer()));
        },
        abort: () => Promise.resolve(),
      });
    },
  });

  readonly #folder = {
    getFileHandle: (name: string, { create = false } = {}) => {
      if (!create && !this.files.has(name)) return Promise.reject(new DOMException('', 'NotFoundError'));
      if (create && !this.files.has(name)) this.files.set(name, new Uint8Array());
      return Promise.resolve(this.#handle(name));
    },
    removeEntry: (name: string) => {
      this.files.delete(name);
      return Promise.resolve();
    },
    entries: () => [...this.files.keys()].map((name) => [name, this.#handle(name)]),
    keys: () => [...this.files.keys()],
  };

  readonly #root = { getDirectoryHandle: () => Promise.resolve(this.#folder) };
}
