/** Code that is fetched when it is first needed. */
export class Later<Code> {
  readonly #load: () => Promise<Code>;
  readonly #loaded: () => void;
  #code: Code | null = null;
  #asked = false;

  /** `loaded` is called once it is there. */
  constructor(load: () => Promise<Code>, loaded: () => void) {
    this.#load = load;
    this.#loaded = loaded;
  }

  /** Null until it is there; if it cannot be fetched, the next call tries again. */
  get code(): Code | null {
    if (!this.#asked) {
      this.#asked = true;
      this.#load().then(
        (code) => {
          this.#code = code;
          this.#loaded();
        },
        () => (this.#asked = false),
      );
    }
    return this.#code;
  }
}
