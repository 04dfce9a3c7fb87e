/** Runs in the browser's own storage for this site (the origin private file system), where they stay after the tab is closed. */
import { fileOf, indexOf, partOf, type Part, type RunFacts, type RunIndex } from './run-file.js';
import { runFolder } from './run-folder.js';
import { writerInWorker, type FileWriter } from './write-in-worker.js';

const ending = '.tiedrun';
/** The number of runs that are stored, and their bytes in all: the oldest go first. */
export const mostRuns = 3;
const mostBytes = 1e9;
/** Bytes per write: browsers copy what is written. */
const chunk = 8 * 2 ** 20;

/**
 * Why a run cannot be stored.
 * - `none`: the browser offers this page no storage, as in some private windows and in frames of other sites
 * - `full`: it has no room left
 */
export class StorageError extends Error {
  constructor(
    readonly kind: 'none' | 'full',
    cause?: unknown,
  ) {
    super(kind === 'full' ? 'The storage is full.' : 'There is no storage.', { cause });
    this.name = 'StorageError';
  }
}

/** A stored moment of a run. */
export interface StoredRun extends RunIndex {
  readonly name: string;
  readonly bytes: number;
}

/** What the store needs of the browser; tests pass another. */
export interface SiteStorage {
  getDirectory(): Promise<FileSystemDirectoryHandle>;
  estimate?(): Promise<StorageEstimate>;
}

const nameOf = (error: unknown): string => (error instanceof DOMException ? error.name : '');

export class RunStore {
  readonly #folder: FileSystemDirectoryHandle;
  readonly #storage: SiteStorage;

  private constructor(folder: FileSystemDirectoryHandle, storage: SiteStorage) {
    this.#folder = folder;
    this.#storage = storage;
  }

  /** Rejects with a `StorageError` of kind 'none' if this page may not store anything. */
  static async open(storage: Partial<SiteStorage> | undefined = navigator.storage): Promise<RunStore> {
    try {
      const root = await storage!.getDirectory!();
      const folder = await root.getDirectoryHandle(runFolder, { create: true });
      return new RunStore(folder, storage as SiteStorage);
    } catch (cause) {
      throw new StorageError('none', cause);
    }
  }

  /** All complete runs, the newest first. Files that are broken are removed. */
  async list(): Promise<StoredRun[]> {
    const runs: StoredRun[] = [];
    const broken: string[] = [];
    for await (const [name, handle] of this.#folder.entries()) {
      if (handle.kind !== 'file' || !name.endsWith(ending)) continue;
      try {
        const file = await handle.getFile();
        runs.push({ ...(await indexOf(file)), name, bytes: file.size });
      } catch {
        broken.push(name);
      }
    }
    for (const name of broken) await this.#remove(name);
    return runs.sort((a, b) => b.facts.time - a.facts.time);
  }

  /**
   * Stores a run and removes its older moments, then the oldest runs beyond the limits. The older moment stays until the new one is complete.
   * Rejects with a `StorageError`, or with what `parts` throws.
   */
  async keep(facts: RunFacts, bytes: number, parts: () => AsyncIterable<Part>): Promise<void> {
    const name = `${facts.id}.${facts.step}${ending}`;
    const others = (await this.list()).filter((run) => run.facts.id !== facts.id);
    await this.#makeRoom(bytes, others);
    for (;;) {
      try {
        await this.#write(name, fileOf(facts, parts()));
        break;
      } catch (error) {
        await this.#remove(name);
        if (nameOf(error) === 'QuotaExceededError') {
          const oldest = others.pop();
          if (oldest === undefined) throw new StorageError('full', error);
          await this.#remove(oldest.name);
        } else if (error instanceof DOMException) throw new StorageError('none', error);
        else throw error;
      }
    }
    let total = 0;
    const kept = new Set<string>();
    for (const run of await this.list()) {
      const older = run.facts.id === facts.id && run.name !== name;
      total += older ? 0 : run.bytes;
      if (older || (run.name !== name && (kept.size === mostRuns || total > mostBytes))) await this.#remove(run.name);
      else kept.add(run.name);
    }
  }

  /** Removes runs, the oldest first, until the browser has room. */
  async #makeRoom(bytes: number, others: StoredRun[]): Promise<void> {
    for (;;) {
      const { quota, usage } = (await this.#storage.estimate?.().catch(() => null)) ?? {};
      if (quota === undefined || usage === undefined || quota - usage >= bytes) return;
      const oldest = others.pop();
      if (oldest === undefined) throw new StorageError('full');
      await this.#remove(oldest.name);
    }
  }

  async #write(name: string, pieces: AsyncIterable<Uint8Array>): Promise<void> {
    const writer = await this.#writer(name);
    try {
      for await (const piece of pieces) {
        for (let at = 0; at < piece.length; at += chunk) await writer.write(piece.subarray(at, at + chunk));
      }
      await writer.close();
    } catch (error) {
      await writer.abort().catch(() => undefined);
      throw error;
    }
  }

  async #writer(name: string): Promise<FileWriter> {
    const handle = await this.#folder.getFileHandle(name, { create: true });
    if (!('createWritable' in handle)) return writerInWorker(runFolder, name);
    const stream = await handle.createWritable();
    return {
      write: (bytes) => stream.write(bytes as Uint8Array<ArrayBuffer>),
      close: () => stream.close(),
      abort: () => stream.abort(),
    };
  }

  /** Rejects with 'bad-file' if the file is broken, and with a DOMException if it is gone. */
  async read(run: StoredRun, part: string): Promise<Uint8Array> {
    return partOf(await (await this.#folder.getFileHandle(run.name)).getFile(), run, part);
  }

  /** Removes all moments of a run. */
  async forget(id: string): Promise<void> {
    for await (const name of this.#folder.keys()) if (name.startsWith(`${id}.`)) await this.#remove(name);
  }

  /** A file that is gone already, or that another tab reads, is no reason to fail. */
  async #remove(name: string): Promise<void> {
    await this.#folder.removeEntry(name).catch(() => undefined);
  }
}
