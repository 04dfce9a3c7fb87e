import type { LabTrainer } from '../../../core/types.js';
import { codeOf } from '../../shared/error-code.js';
import { UnknownWordsError, type KnownText } from '../../shared/unknown-words.js';

/** The length of a sample in tokens: about three lines of text. */
const sampleTokens = 72;

export interface Prompting {
  readonly prompt: string;
  readonly temperature: number;
  readonly seed: number;
}

/** The text of both models from one prompt with one seed. */
export interface Sample extends Prompting {
  readonly step: number;
  /** In the order of the arms, without the prompt. */
  readonly texts: readonly string[];
  /** Words of the prompt that the models do not know, and did not read. */
  readonly leftOut?: readonly string[];
}

/** What a sample shows while it is being written. */
export type LiveSample = Pick<Sample, 'step' | 'prompt' | 'texts' | 'leftOut'>;

/** The newest sample up to a step, or null. */
export const newestSample = (samples: readonly Sample[], step: number): Sample | null =>
  samples.filter((sample) => sample.step <= step).at(-1) ?? null;

/** The newest sample of each step of a run, ascending by step, and the one in progress. */
export class SampleBook {
  #kept: Sample[] = [];
  #live: (Omit<LiveSample, 'texts'> & { readonly texts: string[] }) | null = null;

  get list(): readonly Sample[] {
    return this.#kept;
  }

  /** The sample in progress. */
  get live(): LiveSample | null {
    return this.#live;
  }

  begin(sample: Omit<LiveSample, 'texts'>, arms: number): void {
    this.#live = { ...sample, texts: new Array<string>(arms).fill('') };
  }

  grow(index: number, text: string): void {
    // Parts can arrive after a newer sample has started or after the text is complete; they are then shorter than what
    // is stored.
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

/** Models of the same step that generate together. */
export interface Writers {
  readonly step: number;
  readonly models: readonly Pick<LabTrainer, 'generate'>[];
  readonly encode: (prompt: string) => Promise<KnownText>;
  /** The new text as readers see it; `text` is the output of the model's own tokenizer. */
  readonly spell: (ids: Uint32Array, text: string | null) => string;
}

/** The prompt contains nothing that the text's tokens can express. */
export class PromptError extends Error {
  constructor(readonly prompt: string) {
    super(`“${prompt}” contains no token of this text.`);
    this.name = 'PromptError';
  }
}

/** Any error except those that the prompt itself caused. */
function isFatal(error: unknown): boolean {
  const code = codeOf(error);
  return !(error instanceof PromptError || error instanceof UnknownWordsError) && code !== 'invalid-argument';
}

/** Generates from several models with one prompt and one seed, and stores the samples. */
export class SampleWriter {
  readonly samples = new SampleBook();
  readonly #onChange: () => void;
  #problem: unknown = null;

  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  /** Why the last prompt cannot be used, or null. */
  get problem(): unknown {
    return this.#problem;
  }

  forgetProblem(): void {
    this.#problem = null;
  }

  /** Rejects, unless the prompt itself caused the error; then the error is in `problem`. */
  async write({ step, models, encode, spell }: Writers, { prompt, temperature, seed }: Prompting): Promise<void> {
    const { samples } = this;
    try {
      const { ids, ...unread } = await encode(prompt);
      if (ids.length === 0) throw new PromptError(prompt);
      samples.begin({ step, prompt, ...unread }, models.length);
      const texts = await Promise.all(
        models.map(async (model, index) => {
          let soFar = '';
          const onTokens = (tokenIds: Uint32Array, added: string | null): void => {
            soFar += spell(tokenIds, added);
            samples.grow(index, soFar);
            this.#onChange();
          };
          const sample = await model.generate({ prompt: ids, tokens: sampleTokens, temperature, seed, onTokens });
          return spell(sample.tokenIds, sample.text);
        }),
      );
      samples.keep({ step, prompt, temperature, seed, texts, ...unread });
      this.#problem = null;
    } catch (error) {
      samples.giveUp();
      if (isFatal(error)) throw error;
      this.#problem = error;
    }
  }
}
