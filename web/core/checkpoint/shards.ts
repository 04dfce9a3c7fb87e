/** The files of one model: those that an index names, as far as they have been opened, or those with numbers. Only headers are read, and the pickles of PyTorch. */
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

  /** Names by files; empty until one is opened. */
  readonly #byFile = new Map<string, string[]>();
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
    const missing = this.#namesOf(file).find((name) => !this.#tensors.has(name));
    if (missing !== undefined)
      throw badFile(
        this.#index.name,
        `it says that ${file} has '${missing.slice(0, 120)}', but it does not; expected the same tensors in both`,
      );
    this.#others.delete(file);
  }

  /** By the index. */
  #namesOf(file: string): readonly string[] {
    if (this.#byFile.size === 0)
      for (const [name, where] of this.#shards) {
        const names = this.#byFile.get(where);
        if (names === undefined) this.#byFile.set(where, [name]);
        else names.push(name);
      }
    return this.#byFile.get(file) ?? [];
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

/** A model in several files: NAME-00001-of-00003.safetensors. */
const NUMBERED = /(^|\/)([^/]*)-(\d{5})-of-(\d{5})\.(safetensors|bin)$/i;
const MOST_PARTS = 1_000;

/** True for names of parts of one model. */
export function arePartsOfOne(names: readonly string[]): boolean {
  const models = names.map((name) => {
    const [, , stem, , count, ending] = NUMBERED.exec(name) ?? [];
    return stem === undefined ? null : `${stem} ${count!} ${ending!}`;
  });
  return models[0] !== null && new Set(models).size === 1;
}

/**
 * A file whose name says that it is one of several, with those that are beside it; where some are not, it says so. None is looked for behind a
 * URL, where only an index says what is there.
 */
export async function withOtherParts(
  opened: Opened,
  source: ByteSource,
  read: ReadShard,
  signal: AbortSignal | undefined,
): Promise<Opened> {
  const [, , stem, own, last, ending] = NUMBERED.exec(source.name) ?? [];
  const count = Number(last ?? 1);
  if (count < 2) return opened;
  const tensors = new Map(opened.tensors);
  const metadata = new Map(opened.metadata);
  const sources = [...opened.sources];
  const notes = [...opened.notes];
  let found = 1;
  const isLocal = !/^https?:/i.test(source.name) && count <= MOST_PARTS;
  for (let number = 1; isLocal && number <= count; number++) {
    if (number === Number(own)) continue;
    const part = await source.beside(`${stem!}-${String(number).padStart(5, '0')}-of-${last!}.${ending!}`, signal);
    if (part === null) continue;
    const header = await read(part, signal);
    for (const [name, tensor] of header.tensors) {
      if (tensors.has(name))
        throw badFile(
          part.name,
          `it has '${name.slice(0, 120)}', which another file has too; expected each tensor once`,
        );
      tensors.set(name, tensor);
    }
    for (const [key, text] of header.metadata) metadata.set(key, text);
    notes.push(...header.notes);
    sources.push(part);
    found++;
  }
  const all = { ...opened, tensors, metadata, sources, notes };
  // Nothing but their names says that they belong together.
  if (found === count)
    return {
      ...all,
      notes: [`Its ${count} files were found by the numbers in their names, without an index.`, ...notes],
    };
  const which = found === 1 ? `This is one of ${count} files` : `These are ${found} of ${count} files`;
  return {
    ...all,
    isPart: true,
    notes: [`${which}, opened without their index: the others may have a table too.`, ...notes],
  };
}
