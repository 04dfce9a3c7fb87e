import type { LabTrainer } from '../../../core/types.js';
import { SampleBook } from './samples.js';

/** The length of a sample in tokens: about three lines of text. */
const sampleTokens = 72;

/** Models of the same step that generate together. */
export interface Writers {
  readonly step: number;
  readonly models: readonly Pick<LabTrainer, 'generate'>[];
  readonly encode: (prompt: string) => Promise<Uint32Array>;
  /** The new text as readers see it; `text` is the output of the model's own tokenizer. */
  readonly spell: (ids: Uint32Array, text: string | null) => string;
}

export interface Prompting {
  readonly prompt: string;
  readonly temperature: number;
  readonly seed: number;
}

/** The prompt contains nothing that the text's tokens can express. */
export class PromptError extends Error {
  constructor(readonly prompt: string) {
    super(`Nothing of “${prompt}” is a token of this text.`);
    this.name = 'PromptError';
  }
}

/** Any error except those that the prompt itself caused. */
function isFatal(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code;
  return !(error instanceof PromptError) && code !== 'invalid-argument';
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

  /** Rejects, unless the prompt itself caused the error; that is then in `problem`. */
  async write({ step, models, encode, spell }: Writers, { prompt, temperature, seed }: Prompting): Promise<void> {
    const { samples } = this;
    try {
      const ids = await encode(prompt);
      if (ids.length === 0) throw new PromptError(prompt);
      samples.begin(step, prompt, models.length);
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
      samples.keep({ step, prompt, temperature, seed, texts });
      this.#problem = null;
    } catch (error) {
      samples.giveUp();
      if (isFatal(error)) throw error;
      this.#problem = error;
    }
  }
}
