/** Things that are begun once and then shared. A failure is not kept, so that a later call tries again. */
export class OnceEach<Value> {
  readonly #begun = new Map<string, Promise<Value>>();

  get(key: string, begin: () => Promise<Value>): Promise<Value> {
    const known = this.#begun.get(key);
    if (known) return known;
    const begun = begin().catch((error: unknown) => {
      this.#begun.delete(key);
      throw error;
    });
    this.#begun.set(key, begun);
    return begun;
  }
}
