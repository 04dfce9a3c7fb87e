/** The text of both models from one prompt with one seed. */
export interface Sample {
  readonly step: number;
  readonly prompt: string;
  readonly temperature: number;
  readonly seed: number;
  /** In the order of the arms, without the prompt. */
  readonly texts: readonly string[];
}

/** The newest sample up to a step, or null. */
export const newestSample = (samples: readonly Sample[], step: number): Sample | null =>
  samples.filter((sample) => sample.step <= step).at(-1) ?? null;

/** The newest sample of each step of a run, ascending by step, and the one in progress. */
export class SampleBook {
  #kept: Sample[] = [];
  #live: { step: number; prompt: string; texts: string[] } | null = null;

  get list(): readonly Sample[] {
    return this.#kept;
  }

  /** The sample in progress. */
  get live(): Pick<Sample, 'step' | 'prompt' | 'texts'> | null {
    return this.#live;
  }

  begin(step: number, prompt: string, arms: number): void {
    this.#live = { step, prompt, texts: new Array<string>(arms).fill('') };
  }

  grow(index: number, text: string): void {
    // Parts can arrive after a newer sample has started or the text is complete; they are shorter than what is stored.
    if (this.#live !== null && text.length > (this.#live.texts[index]?.length ?? 0)) this.#live.texts[index] = text;
  }

  keep(sample: Sample): void {
    this.#live = null;
    this.#kept = [...this.#kept.filter(({ step }) => step !== sample.step), sample].sort((a, b) => a.step - b.step);
  }

  /** Drops the sample in progress. */
  giveUp(): void {
    this.#live = null;
  }

  /** Drops the samples of later steps; all of them for null. */
  forget(after: number | null): void {
    this.#live = null;
    this.#kept = after === null ? [] : this.#kept.filter(({ step }) => step <= after);
  }
}
