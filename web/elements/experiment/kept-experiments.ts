/** Stores results in the browser, so a reload loses no training. */
import type { ExperimentResult, ExperimentState } from '../../core/types.js';

/** What is stored of one experiment. */
export interface Kept {
  readonly results: readonly ExperimentResult[];
  readonly states: Readonly<Record<string, ExperimentState>>;
}

type Entry = { readonly result: ExperimentResult } | { readonly id: string; readonly state: ExperimentState };

const databaseName = 'tied-embeddings-experiments';
/** [experiment, job] -> entry. */
const jobs = 'jobs';
/** Experiment -> when it was last used. */
const used = 'used';
/** The number of experiments that are stored: those used last. */
const most = 6;

const answerTo = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error('the storage failed'));
  });

const allOf = (experiment: string): IDBKeyRange => IDBKeyRange.bound([experiment], [experiment, []]);

export class KeptExperiments {
  readonly #database: IDBDatabase;

  private constructor(database: IDBDatabase) {
    this.#database = database;
    // Another tab has a later version of the page, or the reader is deleting what is stored.
    database.onversionchange = () => database.close();
  }

  /** Takes effect after operations that are under way. */
  close(): void {
    this.#database.close();
  }

  /** Rejects if the browser has no storage for this page, or refuses access to it. */
  static async open(): Promise<KeptExperiments> {
    const opening = indexedDB.open(databaseName, 1);
    opening.onupgradeneeded = () => {
      for (const name of [jobs, used]) opening.result.createObjectStore(name);
    };
    return new KeptExperiments(await answerTo(opening));
  }

  /** What is stored of an experiment. Deletes experiments that were not used for long. */
  async load(experiment: string): Promise<Kept> {
    const entries = await answerTo<Entry[]>(this.#store(jobs).getAll(allOf(experiment)));
    await answerTo(this.#store(used, 'readwrite').put(Date.now(), experiment));
    const names = await answerTo(this.#store(used).getAllKeys());
    const times = await answerTo<number[]>(this.#store(used).getAll());
    const byAge = names.map((name, at) => ({ name: String(name), time: times[at]! })).sort((a, b) => b.time - a.time);
    for (const { name } of byAge.slice(most)) {
      await this.forget(name);
      await answerTo(this.#store(used, 'readwrite').delete(name));
    }
    return {
      results: entries.flatMap((entry) => ('result' in entry ? entry.result : [])),
      states: Object.fromEntries(entries.flatMap((entry) => ('result' in entry ? [] : [[entry.id, entry.state]]))),
    };
  }

  async keepResult(experiment: string, result: ExperimentResult): Promise<void> {
    await this.#keep(experiment, result.run.id, { result });
  }

  async keepState(experiment: string, id: string, state: ExperimentState): Promise<void> {
    await this.#keep(experiment, id, { id, state });
  }

  async forget(experiment: string): Promise<void> {
    await answerTo(this.#store(jobs, 'readwrite').delete(allOf(experiment)));
  }

  async #keep(experiment: string, id: string, entry: Entry): Promise<void> {
    await answerTo(this.#store(jobs, 'readwrite').put(entry, [experiment, id]));
  }

  #store(name: string, mode: IDBTransactionMode = 'readonly'): IDBObjectStore {
    return this.#database.transaction(name, mode).objectStore(name);
  }
}
