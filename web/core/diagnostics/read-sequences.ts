/**
 * Caches what a trainer computed for the sequences of a text, for verbs that read the same text with the same weights: a forward pass is
 * most of their work.
 */

/** Maximum cached elements: 80 MB, the states of about 50,000 tokens at width 64 with four layers. */
const MOST_NUMBERS = 20 * 2 ** 20;

interface Kept {
  found: Float32Array;
  /** The number of the verb that used it last. */
  verb: number;
}

export class ReadSequences {
  readonly #most: number;
  /** The most recently used entries are at the end. */
  readonly #kept = new Map<string, Kept>();
  #numbers = 0;
  #verb = 0;

  constructor(most = MOST_NUMBERS) {
    this.#most = most;
  }

  /** Call this when a verb begins to read; entries that it does not use may then be evicted. */
  begin(): void {
    this.#verb++;
  }

  /**
   * Returns what `compute` returns for sequences of these ids; nobody may change it.
   * @param what - its name
   */
  find(what: 'states' | 'losses', ids: readonly Uint32Array[], compute: () => Float32Array): Float32Array {
    const key = `${what} ${ids.join(' ')}`;
    const found = this.#kept.get(key)?.found ?? compute();
    this.#drop(key);
    this.#makeRoom(found.length);
    if (this.#numbers + found.length <= this.#most) {
      this.#numbers += found.length;
      this.#kept.set(key, { found, verb: this.#verb });
    }
    return found;
  }

  /**
   * Discards the least recently used entries, but not those that this verb has used. Otherwise, if a text does not fit, the next verb
   * would not find the beginning.
   */
  #makeRoom(size: number): void {
    if (size > this.#most) return;
    for (const [key, { verb }] of this.#kept) {
      if (this.#numbers + size <= this.#most || verb === this.#verb) return;
      this.#drop(key);
    }
  }

  #drop(key: string): void {
    this.#numbers -= this.#kept.get(key)?.found.length ?? 0;
    this.#kept.delete(key);
  }

  /** Call this before the weights change. */
  forget(): void {
    this.#kept.clear();
    this.#numbers = 0;
  }
}
