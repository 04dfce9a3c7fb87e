import type { ComparisonFrame, LabComparison, LabCorpus, StepColumns } from '../../../core/types.js';
import type { Listening } from '../../shared/model-twins.js';
import type { MeasuredText } from '../../shared/models-file.js';
import type { WrittenModels } from '../../shared/models-file-writer.js';
import { GrowingSeries } from '../history.js';
import { RunController } from '../run-controller.js';
import type { Resumed } from '../kept/moment.js';
import { MEASURED_TOKENS, transformerPlan } from '../run-plan.js';
import { ofArms, RunArm, type ControllerOptions } from '../running.js';
import { readableText, type TokenNames } from '../../shared/token-names.js';
import { encodeKnown, type KnownText } from '../../shared/unknown-words.js';
import { TextError, type LabText } from '../text.js';
import type { TransformerArm, TransformerText } from './arms.js';
import type { Cards } from './model-cards.js';
import { type SampleBook, SampleWriter, type Writers } from './samples.js';
import type { ArmKind, TransformerSettings } from './settings.js';

/** The maximum number of training tokens in a file of the models: enough to train a lens. */
const writtenTokens = 60_000;
/** The number of words at the start of the text that form the first prompt. */
const promptWords = 3;
/** The number of steps over which the speed is averaged. */
const speedMemory = 8;

class TrainingArm extends RunArm<ArmKind> implements TransformerArm {
  parameters = 0;
  readonly inputShares = { matrix: new GrowingSeries(), position: new GrowingSeries() };
  readonly heldOut = { steps: [] as number[], losses: [] as number[] };
  untiedAt: number | null = null;
  tokensPerSecond: number | null = null;

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

export interface TransformerRunOptions extends ControllerOptions {
  /** What to generate from; a prompt of null is the beginning of the text. */
  readonly prompting: () => { prompt: string | null; temperature: number; seed: number };
}

/** Removes an incomplete last word, and line ends, which a prompt field cannot show. */
const firstWords = (opening: string): string => opening.trim().split(/\s+/).slice(0, promptWords).join(' ');

/** Throws a `TextError` if fewer training tokens remain than a sequence needs. */
function checkLength({ tokens, validationTokens }: LabCorpus, { contextLength }: TransformerSettings): void {
  const trained = tokens - validationTokens;
  if (trained <= contextLength) throw new TextError('too-short', String(trained), contextLength + 1);
}

/** Small GPTs that train together: records of every step, losses on held-out text, and samples from both. */
export class TransformerRun extends RunController<TransformerSettings, TransformerText, TrainingArm> {
  protected readonly plan = transformerPlan;
  protected readonly lookEveryMs = Number.POSITIVE_INFINITY;
  readonly #prompting: TransformerRunOptions['prompting'];
  readonly #writer = new SampleWriter(() => this.report());
  /** A sample was requested while the models were training. */
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
  /** Both models generate again from the current prompt: at once if they are paused, otherwise after the current frame. */
  async writeAgain(): Promise<void> {
    this.#writer.forgetProblem();
    this.view(null);
    if (this.phase === 'running') this.#writeSoon = true;
    else await this.whileStanding((comparison) => this.#write(comparison));
  }

  /** The models as a file, and the step that they have reached; null while they train, or without a tokenizer. */
  async writeModels(
    options: Pick<WrittenModels, 'precision' | 'about'> & { readonly withText: boolean },
  ): Promise<{ bytes: Uint8Array; step: number } | null> {
    const { writeModelsFile } = await import('../../shared/models-file-writer.js');
    const { text, arms } = this;
    const tokenizer = text?.corpus.tokenizer ?? null;
    if (text === null || tokenizer === null) return null;
    const written: { bytes: Uint8Array; step: number }[] = [];
    await this.whileStanding(async (comparison) => {
      const models = Object.fromEntries(arms.map(({ kind }) => [kind, comparison.arm(kind)]));
      const { withText, ...others } = options;
      const measured = withText ? { text: await measuredText(text) } : {};
      const bytes = await writeModelsFile({ models, tokenizer, ...measured, ...others });
      written.push({ bytes, step: comparison.step });
    });
    return written[0] ?? null;
  }

  /** The cards of the models as they are now; null while they train, or without held-out text. */
  async cards(listening: Listening): Promise<Cards | null> {
    const { text, arms } = this;
    if (text === null || text.heldOutTokens < 2) return null;
    const found: Cards[] = [];
    const { measureCards } = await import('./model-cards.js');
    await this.whileStanding(async (comparison) => {
      found.push(await measureCards(comparison, arms, text, listening));
    });
    return found[0] ?? null;
  }

  // ---------------------------------------------------------------- called by the base class

  protected override checkText({ corpus }: LabText, settings: TransformerSettings): void {
    checkLength(corpus, settings);
  }

  protected completeText(text: LabText): Promise<TransformerText> {
    const { corpus, opening } = text;
    return Promise.resolve({
      ...text,
      trainingTokens: corpus.tokens - corpus.validationTokens,
      heldOutTokens: Math.min(corpus.validationTokens, MEASURED_TOKENS),
      prompt: firstWords(opening),
    });
  }

  protected createArms({ arms }: TransformerSettings): TrainingArm[] {
    return arms.map((kind) => new TrainingArm(kind));
  }

  protected override recall({ recall }: Resumed): void {
    recall(this.arms, this.samples);
  }

  protected started(): void {
    this.#writer.forgetProblem();
  }

  protected override nextStop(step: number): number {
    const { every = 1 } = (this.settings && this.plan.measure(this.settings)) ?? {};
    return Math.min(super.nextStop(step), (Math.floor(step / every) + 1) * every);
  }

  protected override async advanced({ step, measured }: ComparisonFrame, comparison: LabComparison): Promise<void> {
    for (const arm of this.arms) {
      const loss = measured?.[arm.kind]?.loss;
      if (loss !== undefined) arm.measure(step, loss);
    }
    await this.#count(comparison);
  }

  protected async look(comparison: LabComparison): Promise<void> {
    await this.#count(comparison);
    await this.#write(comparison);
  }

  /**
   * Counts parameters in the models' own tables; if a model unties during training, its count increases at that point.
   */
  async #count(comparison: LabComparison): Promise<void> {
    const changing = this.arms.filter(({ kind, parameters }) => kind.startsWith('untied-') || parameters === 0);
    await ofArms(comparison, changing, async (model, arm) => {
      arm.parameters = (await model.parameters()).reduce((sum, { count }) => sum + count, 0);
      arm.untiedAt = model.tyingChangedAt;
    });
  }

  protected forget(after: number | null): void {
    this.samples.forget(after);
  }

  protected override wantsLook(): boolean {
    return this.#writeSoon;
  }

  /** If the prompt is unusable, its own sentence says so, and the run continues. */
  async #write(comparison: LabComparison): Promise<void> {
    const { text } = this;
    if (text === null) return;
    this.#writeSoon = false;
    const wanted = this.#prompting();
    const writers: Writers = {
      step: comparison.step,
      models: this.arms.map(({ kind }) => comparison.arm(kind)),
      encode: (prompt) => encode(text, prompt),
      spell: (ids, written) => spell(text, ids, written, this.names),
    };
    await this.#writer.write(writers, { ...wanted, prompt: wanted.prompt ?? text.prompt });
  }
}

const measuredText = async ({ corpus, trainingTokens, heldOutTokens }: TransformerText): Promise<MeasuredText> => ({
  training: await corpus.tokenIds('training', { first: 0, count: Math.min(trainingTokens, writtenTokens) }),
  heldOut: await corpus.tokenIds('validation', { first: 0, count: heldOutTokens }),
});

/** For a chain, the tokens are states. The beginning of the text may hold rare words, which share a token. */
async function encode(
  { corpus: { tokenizer }, tokens, prompt: first }: TransformerText,
  prompt: string,
): Promise<KnownText> {
  if (tokenizer !== null) {
    return prompt === first ? { ids: await tokenizer.encode(prompt) } : encodeKnown(tokenizer, prompt);
  }
  const ids = prompt.split(/\s+/).map((word) => tokens.indexOf(word));
  return { ids: Uint32Array.from(ids.filter((id) => id >= 0)) };
}

function spell({ corpus, tokens }: LabText, ids: Uint32Array, text: string | null, names: TokenNames): string {
  if (text === null) return Array.from(ids, (id) => ` ${tokens[id] ?? ''}`).join('');
  return readableText(corpus.tokenizer?.kind ?? '', text, names);
}
