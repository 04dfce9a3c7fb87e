import type { Lab } from '../../../core/types.js';
import { nextKeptStep } from '../history.js';
import { RunController } from '../run-controller.js';
import type { ControllerOptions, Preparation } from '../running.js';
import type { TextSource } from '../text-source.js';
import { TransformerArms, type TransformerArm } from './arms.js';
import { SampleBook } from './samples.js';
import { transformerProblems, type TransformerSettings } from './settings.js';
import { readTransformerText, type TransformerText } from './text.js';

/** A step takes tens of milliseconds; both arms wait for each other at the end of a chunk. */
const pace = { chunkMs: 160, longestChunk: 50, lookEveryMs: Number.POSITIVE_INFINITY, firstGuessMs: 100 };

/** Measurements on held-out text in a planned run. */
const measurements = 16;
/** Tokens of a sample: some three lines of text. */
const sampleTokens = 72;

export interface TransformerControllerOptions extends ControllerOptions {
  /** What to write from now; a prompt of null is the beginning of the text. */
  prompting: () => { prompt: string | null; temperature: number; seed: number };
}

/** The prompt holds nothing that the text's tokens can say. */
export class PromptError extends Error {
  constructor(readonly prompt: string) {
    super(`Nothing of “${prompt}” is a token of this text.`);
    this.name = 'PromptError';
  }
}

/** The lab of small GPTs without its drawings: held-out text, records of every step, and what both models write. */
export class TransformerController extends RunController<TransformerSettings, TransformerText, TransformerArms> {
  readonly #prompting: TransformerControllerOptions['prompting'];
  readonly #samples = new SampleBook();
  #viewedStep: number | null = null;
  #promptProblem: unknown = null;
  /** A sample was asked for while the models ran. */
  #writeSoon = false;

  constructor(options: TransformerControllerOptions) {
    super(options, pace);
    this.#prompting = options.prompting;
  }

  get arms(): readonly TransformerArm[] {
    return this.models?.list ?? [];
  }
  get samples(): SampleBook {
    return this.#samples;
  }
  /** Why no sample could be written, or null. */
  get promptProblem(): unknown {
    return this.#promptProblem;
  }
  /** The step that is looked at: the newest unless the reader went back. */
  get viewedStep(): number {
    return Math.min(this.#viewedStep ?? this.step, this.step);
  }
  get viewsNewest(): boolean {
    return this.#viewedStep === null;
  }

  /** Looks at any step done; null is the newest. */
  view(step: number | null): void {
    this.#viewedStep = step === null || step >= this.step ? null : Math.max(0, step);
    this.tell();
  }

  /** Both models write again, from the prompt as it is now: at once where they stand, else after the present chunk. */
  async writeAgain(): Promise<void> {
    this.#promptProblem = null;
    this.viewNewest();
    if (this.phase === 'running') this.#writeSoon = true;
    else await this.whileStanding(async (models) => this.#write(models));
  }

  // ---------------------------------------------------------------- what the base asks for

  protected canBeRun(settings: TransformerSettings): boolean {
    return transformerProblems(settings).length === 0;
  }

  protected sameText(source: TextSource, before: TransformerSettings, after: TransformerSettings): boolean {
    const rewritten = source.kind === 'markov-chain' || source.kind === 'stories';
    const sameTokens = before.tokenizer === after.tokenizer && before.vocabSize === after.vocabSize;
    return sameTokens && !(rewritten && before.seed !== after.seed);
  }

  protected readText(preparation: Preparation<TransformerSettings>): Promise<TransformerText> {
    return readTransformerText(preparation);
  }

  protected override releaseText(text: TransformerText): void {
    text.codec.dispose();
  }

  protected createModels(
    labs: readonly Lab[],
    settings: TransformerSettings,
    text: TransformerText,
  ): Promise<TransformerArms> {
    return TransformerArms.create(labs, settings, text);
  }

  protected started(): void {
    this.#promptProblem = null;
  }

  #measuresAt(step: number): boolean {
    const planned = this.settings?.steps ?? 1;
    return step === planned || step % Math.max(1, Math.round(planned / measurements)) === 0;
  }

  protected nextStop(step: number): number {
    let stop = step + 1;
    const kept = nextKeptStep(step);
    while (stop < kept && !this.#measuresAt(stop)) stop += 1;
    return stop;
  }

  protected async look(models: TransformerArms): Promise<void> {
    if (this.#measuresAt(models.step)) await models.measure();
    await this.#write(models);
  }

  protected forget(after: number | null): void {
    this.#samples.forget(after);
  }

  protected viewNewest(): void {
    this.#viewedStep = null;
  }

  protected override wantsLook(): boolean {
    return this.#writeSoon;
  }

  /** A prompt that cannot be used is said where it stands, and the run goes on. */
  async #write(models: TransformerArms): Promise<void> {
    const { text } = this;
    // During a preparation the text is not in force before the models stand on it.
    if (text === null) return;
    this.#writeSoon = false;
    const wanted = this.#prompting();
    const prompt = wanted.prompt ?? text.prompt;
    const { temperature, seed } = wanted;
    const { step } = models;
    try {
      const ids = await text.codec.encode(prompt);
      if (ids.length === 0) throw new PromptError(prompt);
      this.#samples.begin(step, prompt, models.list.length);
      const writing = { prompt: ids, tokens: sampleTokens, temperature, seed };
      const texts = await models.write(writing, (index, soFar) => {
        this.#samples.grow(index, soFar);
        this.tell();
      });
      this.#samples.keep({ step, prompt, temperature, seed, texts });
      this.#promptProblem = null;
    } catch (error) {
      this.#samples.giveUp();
      if (isFatal(error)) throw error;
      this.#promptProblem = error;
    }
  }
}

/** Everything but what the prompt itself brought about. */
function isFatal(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code;
  return !(error instanceof PromptError) && code !== 'invalid-argument';
}
