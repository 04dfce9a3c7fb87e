import type { ComparisonFrame, LabComparison, LabCorpus, StepColumns } from '../../../core/types.js';
import { GrowingSeries, nextStoredStep } from '../history.js';
import { RunController } from '../run-controller.js';
import { ofArms, RunArm, type ArmOptions, type ControllerOptions } from '../running.js';
import { readableText, type TokenNames } from '../../shared/token-names.js';
import { TextError, type LabText } from '../text.js';
import type { SampleBook } from './samples.js';
import {
  transformerConfig,
  transformerProblems,
  transformerTraining,
  type ArmKind,
  type TransformerSettings,
} from './settings.js';
import { SampleWriter, type Writers } from './writer.js';

/** Fraction of the tokens that is held out, and how many of those a measurement reads: enough for the second decimal. */
const validation = 0.1;
const measuredTokens = 8192;
/** Measurements on held-out text in a planned run. */
const measurements = 16;
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

class TrainingArm extends RunArm<ArmKind> implements TransformerArm {
  parameters = 0;
  readonly inputShares = { matrix: new GrowingSeries(), position: new GrowingSeries() };
  readonly heldOut = { steps: [] as number[], losses: [] as number[] };
  tokensPerSecond: number | null = null;

  get kind(): ArmKind {
    return this.name;
  }

  override add(from: number, columns: StepColumns): void {
    super.add(from, columns);
    const { inputShare, inputPositionShare, tokensPerSecond } = columns;
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

  override truncate(step: number): void {
    super.truncate(step);
    for (const series of [this.inputShares.matrix, this.inputShares.position]) series.truncate(step);
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
  protected readonly validation = validation;
  protected readonly alphabet = 'text';
  protected readonly lookEveryMs = Number.POSITIVE_INFINITY;
  readonly #prompting: TransformerRunOptions['prompting'];
  readonly #writer = new SampleWriter(() => {
    this.tell();
  });
  /** A sample was asked for while the models ran. */
  #writeSoon = false;

  constructor(options: TransformerRunOptions) {
    super(options);
    this.#prompting = options.prompting;
  }

  get samples(): SampleBook {
    return this.#writer.samples;
  }
  /** Why no sample could be written, or null. */
  get promptProblem(): unknown {
    return this.#writer.problem;
  }
  /** Both models write again, from the prompt as it is now: at once where they stand, else after the present frame. */
  async writeAgain(): Promise<void> {
    this.#writer.forgetProblem();
    this.view(null);
    if (this.phase === 'running') this.#writeSoon = true;
    else await this.whileStanding((comparison) => this.#write(comparison));
  }

  // ---------------------------------------------------------------- what the base asks for

  protected measure(settings: TransformerSettings, { corpus }: LabText): { every: number; tokens: number } | null {
    return corpus.validationTokens === 0 ? null : { every: measuresEvery(settings), tokens: measuredTokens };
  }

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
    this.#writer.forgetProblem();
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
    this.samples.forget(after);
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
    const writers: Writers = {
      step: comparison.step,
      models: this.arms.map(({ name }) => comparison.arm(name)),
      encode: (prompt) => encode(text, prompt),
      spell: (ids, written) => spell(text, ids, written, this.names),
    };
    await this.#writer.write(writers, { ...wanted, prompt: wanted.prompt ?? text.prompt });
  }
}

/** A chain's states are its words. */
function encode({ corpus, tokens }: LabText, prompt: string): Promise<Uint32Array> {
  if (corpus.tokenizer !== null) return corpus.tokenizer.encode(prompt);
  const ids = prompt.split(/\s+/).map((word) => tokens.indexOf(word));
  return Promise.resolve(Uint32Array.from(ids.filter((id) => id >= 0)));
}

function spell({ corpus, tokens }: LabText, ids: Uint32Array, text: string | null, names: TokenNames): string {
  if (text === null) return Array.from(ids, (id) => ` ${tokens[id] ?? ''}`).join('');
  return readableText(corpus.tokenizer?.kind ?? '', text, names);
}
