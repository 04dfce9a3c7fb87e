/** The files that an index names, as far as they have been opened. Only headers are read, and the pickles of PyTorch. */
import type { Opened } from './directory.js';
import { badFile, type ByteSource } from './bytes/source.js';
import { listed } from './tables/tables.js';
import type { StoredTensor } from './tensors.js';

type ReadShard = (
  source: ByteSource,
  signal: AbortSignal | undefined,
) => Promise<Pick<Opened, 'format' | 'tensors' | 'metadata' | 'notes'>>;

export class ShardsOfIndex {
  readonly #index: ByteSource;
  /** The file of each tensor. */
  readonly #shards: ReadonlyMap<string, string>;
  readonly #sources: ByteSource[];
  readonly #tensors = new Map<string, StoredTensor>();
  readonly #metadata = new Map<string, string>();
  readonly #notes: string[] = [];
  /** In files, but not in the index. */
  readonly #unlisted: string[] = [];
  /** Files that have not been opened. */
  readonly #others: Set<string>;

  readonly #read: ReadShard;
  #format: Opened['format'] = 'safetensors';

  /** `read`: reads one of the files. */
  constructor(index: ByteSource, shards: ReadonlyMap<string, string>, read: ReadShard) {
    this.#index = index;
    this.#read = read;
    this.#shards = shards;
    this.#sources = [index];
    this.#others = new Set([...new Set(shards.values())].sort());
  }

  async open(file: string, signal: AbortSignal | undefined): Promise<void> {
    const shard = await this.#index.beside(file, signal);
    if (shard === null)
      throw badFile(this.#index.name, `it names '${file}', which is missing; expected all files with tables`);
    this.#sources.push(shard);
    const header = await this.#read(shard, signal);
    this.#format = header.format;
    for (const [key, text] of header.metadata) this.#metadata.set(key, text);
    this.#notes.push(...header.notes);
    for (const [name, tensor] of header.tensors) {
      const where = this.#shards.get(name);
      // Programs that load files whole do not look it up, so it counts.
      if (where === undefined) this.#unlisted.push(name);
      if ((where ?? file) !== file || this.#tensors.has(name))
        throw badFile(
          file,
          `it has '${name.slice(0, 120)}', which ${where === undefined ? 'another file has too' : `the index finds in ${where}`}; expected each tensor once`,
        );
      this.#tensors.set(name, tensor);
    }
    const missing = [...this.#shards].find(([name, where]) => where === file && !this.#tensors.has(name));
    if (missing)
      throw badFile(
        this.#index.name,
        `it says that ${missing[1]} has '${missing[0].slice(0, 120)}', but it does not; expected the same tensors in both`,
      );
    this.#others.delete(file);
  }

  /** As they are now. */
  opened(): Opened {
    const others = this.#others.size;
    return {
      ...{
        format: this.#format,
        tensors: new Map(this.#tensors),
        metadata: new Map(this.#metadata),
        sources: this.#sources,
      },
      ...{ values: new Map(), tokens: null },
      notes: [
        ...this.#notes,
        ...(this.#unlisted.length === 0
          ? []
          : [`Its files have ${listed(this.#unlisted)}, which the index does not list, as part of the model.`]),
        ...(others === 0
          ? []
          : [`Only files with a table were opened; ${others === 1 ? '1 other was' : `${others} others were`} not.`]),
      ],
      ...(others === 0
        ? {}
        : {
            names: new Set([...this.#shards.keys(), ...this.#unlisted]),
            openRest: async (signal?: AbortSignal): Promise<Opened> => {
              for (const file of [...this.#others]) await this.open(file, signal);
              return this.opened();
            },
          }),
    };
  }
}
