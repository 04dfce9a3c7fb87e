import type { ComparisonFrame, LabComparison, LabCorpus, StepColumns } from '../../../core/types.js';
import { GrowingSeries, nextStoredStep } from '../history.js';
import { RunController } from '../run-controller.js';
import { ofArms, type ArmOptions, type ControllerOptions, type RunArm } from '../running.js';
import { readableText, TextError, type LabText } from '../text.js';
import { SampleBook } from './samples.js';
import {
  transformerConfig,
  transformerProblems,
  transformerTraining,
  type ArmKind,
  type TransformerSettings,
} from './settings.js';

/** Fraction of the tokens that is held out, and how many of those a measurement reads: enough for the second decimal. */
const validation = 0.1;
const measuredTokens = 8192;
/** Measurements on held-out text in a planned run. */
const measurements = 16;
/** Tokens of a sample: some three lines of text. */
const sampleTokens = 72;
/** Words of the text's beginning that the first prompt takes. */
const promptWords = 3;
/** Steps over which the speed is averaged. */
const speedMemory = 8;

/** Which norm the input part of the gradient is measured by: of the scattered [V, d] matrix, or of each position. */
export type ShareDefinition = 'matrix' | 'position';

/** Losses on text that was held out, of the weights after some steps. */
export interface HeldOut {
  readonly steps: readonly number[];
  readonly losses: readonly number[];
}

/** What is known of a model: one value per step, the first of step 1. Each is of the step's batch, before its update. */
export interface TransformerArm {
  readonly kind: ArmKind;
  readonly parameters: number;
  /** Nats per token. */
  readonly losses: GrowingSeries;
  /** Share of the input role in the norms of the embedding's gradient, 0 to 1. */
  readonly inputShares: Readonly<Record<ShareDefinition, GrowingSeries>>;
  readonly heldOut: HeldOut;
  /** Null before the first step. */
  readonly tokensPerSecond: number | null;
}

class TrainingArm implements TransformerArm, RunArm {
  parameters = 0;
  readonly losses = new GrowingSeries();
  readonly inputShares = { matrix: new GrowingSeries(), position: new GrowingSeries() };
  readonly heldOut = { steps: [] as number[], losses: [] as number[] };
  tokensPerSecond: number | null = null;
  readonly name: string;

  constructor(readonly kind: ArmKind) {
    this.name = kind;
  }

  add(from: number, { loss, inputShare, inputPositionShare, tokensPerSecond }: StepColumns): void {
    this.truncate(from);
    this.losses.append(loss);
    this.inputShares.matrix.append(inputShare);
    this.inputShares.position.append(inputPositionShare);
    for (const speed of tokensPerSecond) {
      const before = this.tokensPerSecond ?? speed;
      this.tokensPerSecond = before + (speed - before) / speedMemory;
    }
  }

  measure(step: number, loss: number): void {
    this.heldOut.steps.push(step);
    this.heldOut.losses.push(loss);
  }

  truncate(step: number): void {
    for (const series of [this.losses, this.inputShares.matrix, this.inputShares.position]) series.truncate(step);
    while ((this.heldOut.steps.at(-1) ?? 0) > step) {
      this.heldOut.steps.pop();
      this.heldOut.losses.pop();
    }
  }
}

export interface TransformerText extends LabText {
  readonly trainingTokens: number;
  /** Those that measurements read; 0 where the text is too short to hold any out. */
  readonly heldOutTokens: number;
  /** A few words to begin with. */
  readonly prompt: string;
}

export interface TransformerRunOptions extends ControllerOptions {
  /** What to write from now; a prompt of null is the beginning of the text. */
  readonly prompting: () => { prompt: string | null; temperature: number; seed: number };
}

/** The prompt holds nothing that the text's tokens can express. */
export class PromptError extends Error {
  constructor(readonly prompt: string) {
    super(`Nothing of “${prompt}” is a token of this text.`);
    this.name = 'PromptError';
  }
}

/** Leaves out a broken last word, and line ends, which a prompt field cannot show. */
const firstWords = (opening: string): string => opening.trim().split(/\s+/).slice(0, promptWords).join(' ');

const measuresEvery = ({ steps }: TransformerSettings): number => Math.max(1, Math.round(steps / measurements));

/** Throws a `TextError` where fewer tokens are left to train on than a sequence needs. */
function checkLength({ tokens, validationTokens }: LabCorpus, { contextLength }: TransformerSettings): void {
  const trained = tokens - validationTokens;
  if (trained <= contextLength) throw new TextError('too-short', String(trained), contextLength + 1);
}

/** Small GPTs that train side by side: records of every step, losses on held-out text, and what both write. */
export class TransformerRun extends RunController<TransformerSettings, TransformerText, TrainingArm> {
  readonly #prompting: TransformerRunOptions['prompting'];
  readonly #samples = new SampleBook();
  #viewedStep: number | null = null;
  #promptProblem: unknown = null;
  /** A sample was asked for while the models ran. */
  #writeSoon = false;

  constructor(options: TransformerRunOptions) {
    super(options, {
      validation,
      alphabet: 'text',
      lookEveryMs: Number.POSITIVE_INFINITY,
      measure: (settings, { corpus }) =>
        corpus.validationTokens === 0 ? null : { every: measuresEvery(settings), tokens: measuredTokens },
    });
    this.#prompting = options.prompting;
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

  /** Both models write again, from the prompt as it is now: at once where they stand, else after the present frame. */
  async writeAgain(): Promise<void> {
    this.#promptProblem = null;
    this.viewNewest();
    if (this.phase === 'running') this.#writeSoon = true;
    else await this.whileStanding((comparison) => this.#write(comparison));
  }

  // ---------------------------------------------------------------- what the base asks for

  protected canBeRun(settings: TransformerSettings): boolean {
    return transformerProblems(settings).length === 0;
  }

  protected completeText(text: LabText, settings: TransformerSettings): Promise<TransformerText> {
    const { corpus, opening } = text;
    checkLength(corpus, settings);
    return Promise.resolve({
      ...text,
      trainingTokens: corpus.tokens - corpus.validationTokens,
      heldOutTokens: Math.min(corpus.validationTokens, measuredTokens),
      prompt: firstWords(opening),
    });
  }

  protected armOptions(settings: TransformerSettings, { corpus }: TransformerText): ArmOptions {
    checkLength(corpus, settings);
    const training = transformerTraining(settings);
    return Object.fromEntries(
      settings.arms.map((kind) => [kind, { model: transformerConfig(settings, kind), training }]),
    );
  }

  protected createArms({ arms }: TransformerSettings): TrainingArm[] {
    return arms.map((kind) => new TrainingArm(kind));
  }

  protected started(): void {
    this.#promptProblem = null;
  }

  protected nextStop(step: number): number {
    const every = this.settings === null ? 1 : measuresEvery(this.settings);
    return Math.min(nextStoredStep(step), (Math.floor(step / every) + 1) * every);
  }

  protected async advanced({ step, measured }: ComparisonFrame, comparison: LabComparison): Promise<void> {
    for (const arm of this.arms) {
      const loss = measured?.[arm.name]?.loss;
      if (loss !== undefined) arm.measure(step, loss);
    }
    await this.#count(comparison);
  }

  protected async look(comparison: LabComparison): Promise<void> {
    await this.#count(comparison);
    await this.#write(comparison);
  }

  /** Counts parameters by the models' own tables; a model that unties during training has more from then on. */
  async #count(comparison: LabComparison): Promise<void> {
    const changing = this.arms.filter(({ kind, parameters }) => kind === 'untied-later' || parameters === 0);
    await ofArms(comparison, changing, async (model, arm) => {
      arm.parameters = (await model.parameters()).reduce((sum, { count }) => sum + count, 0);
    });
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

  /** A prompt that cannot be used has its own sentence, and the run goes on. */
  async #write(comparison: LabComparison): Promise<void> {
    const { text } = this;
    if (text === null) return;
    this.#writeSoon = false;
    const wanted = this.#prompting();
    const prompt = wanted.prompt ?? text.prompt;
    const { temperature, seed } = wanted;
    const { step } = comparison;
    try {
      const ids = await encode(text, prompt);
      if (ids.length === 0) throw new PromptError(prompt);
      this.#samples.begin(step, prompt, this.arms.length);
      const texts = await ofArms(comparison, this.arms, async (model, _, index) => {
        let soFar = '';
        const onTokens = (tokenIds: Uint32Array, added: string | null): void => {
          soFar += written(text, tokenIds, added);
          this.#samples.grow(index, soFar);
          this.tell();
        };
        const sample = await model.generate({ prompt: ids, tokens: sampleTokens, temperature, seed, onTokens });
        return written(text, sample.tokenIds, sample.text);
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

/** A chain's states are its words. */
function encode({ corpus, tokens }: LabText, prompt: string): Promise<Uint32Array> {
  if (corpus.tokenizer !== null) return corpus.tokenizer.encode(prompt);
  const ids = prompt.split(/\s+/).map((word) => tokens.indexOf(word));
  return Promise.resolve(Uint32Array.from(ids.filter((id) => id >= 0)));
}

function written({ corpus, tokens }: LabText, ids: Uint32Array, text: string | null): string {
  if (text === null) return Array.from(ids, (id) => ` ${tokens[id] ?? ''}`).join('');
  return readableText(corpus.tokenizer?.kind ?? '', text);
}

/** Everything but what the prompt itself brought about. */
function isFatal(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code;
  return !(error instanceof PromptError) && code !== 'invalid-argument';
}
