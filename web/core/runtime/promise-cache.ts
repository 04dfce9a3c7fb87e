/** Starts each task once and shares its promise. Failures are not cached, so a later call tries again. */
export class PromiseCache<Value> {
  readonly #started = new Map<string, Promise<Value>>();

  get(key: string, start: () => Promise<Value>): Promise<Value> {
    const known = this.#started.get(key);
    if (known) return known;
    const started = start().catch((error: unknown) => {
      this.#started.delete(key);
      throw error;
    });
    this.#started.set(key, started);
    return started;
  }
}
