/** What both models wrote from one prompt with one seed. */
export interface Sample {
  readonly step: number;
  readonly prompt: string;
  readonly temperature: number;
  readonly seed: number;
  /** In the order of the arms, without the prompt. */
  readonly texts: readonly string[];
}

/** Samples of a run by step, ascending, the newest of each step; and the one that is being written. */
export class SampleBook {
  #kept: Sample[] = [];
  #live: { step: number; prompt: string; texts: string[] } | null = null;

  get list(): readonly Sample[] {
    return this.#kept;
  }

  /** What is being written: half a sample. */
  get live(): Pick<Sample, 'step' | 'prompt' | 'texts'> | null {
    return this.#live;
  }

  begin(step: number, prompt: string, arms: number): void {
    this.#live = { step, prompt, texts: new Array<string>(arms).fill('') };
  }

  grow(index: number, text: string): void {
    // Pieces can arrive after a newer sample has begun or the text is whole; those are shorter than what is there.
    if (this.#live !== null && text.length > (this.#live.texts[index]?.length ?? 0)) this.#live.texts[index] = text;
  }

  keep(sample: Sample): void {
    this.#live = null;
    this.#kept = [...this.#kept.filter(({ step }) => step !== sample.step), sample].sort((a, b) => a.step - b.step);
  }

  /** Forgets what is being written. */
  giveUp(): void {
    this.#live = null;
  }

  /** Forgets the samples of later steps; null: all of them. */
  forget(after: number | null): void {
    this.#live = null;
    this.#kept = after === null ? [] : this.#kept.filter(({ step }) => step <= after);
  }

  /** The newest that is not of a later step, or null. */
  at(step: number): Sample | null {
    return this.#kept.filter((sample) => sample.step <= step).at(-1) ?? null;
  }
}
