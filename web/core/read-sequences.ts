/**
 * What a trainer computed of the sequences of a text, for the verbs that read the same text with the same weights: a forward pass is most of
 * their work.
 */

/** Of everything that is kept: 64 MB. Sequences beyond it are computed each time. */
const MOST_NUMBERS = 2 ** 24;

export class ReadSequences {
  readonly #most: number;
  readonly #found = new Map<string, Float32Array>();
  #numbers = 0;

  constructor(most = MOST_NUMBERS) {
    this.#most = most;
  }

  /**
   * What `compute` returns for sequences of these ids, which nobody may change.
   * @param what - its name
   */
  find(what: 'states' | 'losses', ids: readonly Uint32Array[], compute: () => Float32Array): Float32Array {
    const key = `${what} ${ids.join(' ')}`;
    const known = this.#found.get(key);
    if (known !== undefined) return known;
    const found = compute();
    if (this.#numbers + found.length <= this.#most) {
      this.#numbers += found.length;
      this.#found.set(key, found);
    }
    return found;
  }

  /** To be called before the weights change. */
  forget(): void {
    this.#found.clear();
    this.#numbers = 0;
  }
}
