/** The files that an index names, as far as they have been opened. Only headers are read. */
import type { Opened } from './directory.js';
import { readSafetensors } from './safetensors.js';
import { badFile, type ByteSource } from './source.js';
import { noteOfUnknownTypes } from './stored-types.js';
import { listed } from './tables.js';
import type { StoredTensor } from './tensors.js';

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

  constructor(index: ByteSource, shards: ReadonlyMap<string, string>) {
    this.#index = index;
    this.#shards = shards;
    this.#sources = [index];
    this.#others = new Set([...new Set(shards.values())].sort());
  }

  async open(file: string, signal: AbortSignal | undefined): Promise<void> {
    const shard = await this.#index.beside(file, signal);
    if (shard === null)
      throw badFile(this.#index.name, `it names '${file}', which is missing; expected all files with tables`);
    this.#sources.push(shard);
    const header = await readSafetensors(shard, signal);
    for (const [key, text] of header.metadata) this.#metadata.set(key, text);
    this.#notes.push(...noteOfUnknownTypes(file, header.tensors.values()));
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
        format: 'safetensors',
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
