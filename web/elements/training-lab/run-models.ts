import type { Lab, LabComparison } from '../../core/types.js';
import { commonStrings } from '../shared/strings.js';
import type { TokenNames } from '../shared/token-names.js';
import type { Resumed } from './kept/moment.js';
import { compareOptions, type RunPlan } from './run-plan.js';
import { compareBeyond, type ControllerOptions, type RunArm, type RunSettings, type Standing } from './running.js';
import type { SettingProblem } from './settings.js';
import { openText, type LabText, type PreparationStage } from './text.js';
import type { TextSource } from './text-source.js';

/** What models are created for. */
interface Asked<Settings> {
  readonly source: TextSource;
  readonly settings: Settings;
  readonly signal: AbortSignal;
  readonly onStage: (stage: PreparationStage) => void;
  /** A stored run to continue; null begins at step 0. */
  readonly resumed: Resumed | null;
}

/** The models of a run with their text and settings: source -> corpus -> comparison. */
export abstract class RunModels<Settings extends RunSettings, Text extends LabText, Arm extends RunArm> {
  /** The lab that was last asked for models. */
  #lab: Lab | undefined;
  #standing: Standing<Settings, Text, Arm> | null = null;

  constructor(protected readonly options: ControllerOptions) {}

  // ------------------------------------------------------------ to be implemented by each kind of model

  protected abstract readonly plan: RunPlan<Settings>;
  /** Fetches what is drawn of a text. */
  protected abstract completeText(text: LabText): Promise<Text>;
  /** Throws if the text does not fit the settings. */
  protected checkText(_text: LabText, _settings: Settings): void {}
  protected abstract createArms(settings: Settings): Arm[];
  /** New models were created on this text, which may have changed. */
  protected abstract started(text: Text, newText: boolean): void;
  /** Restores what is drawn of a run that continues. */
  protected recall(_resumed: Resumed): void {}
  /** Drops what was stored about later steps; everything for null. */
  protected abstract forget(after: number | null): void;

  // ------------------------------------------------------------ state

  get text(): Text | null {
    return this.#standing?.text ?? null;
  }
  /** The source that `text` was read from. */
  get source(): TextSource | null {
    return this.#standing?.source ?? null;
  }
  /** The settings of the current models. */
  get settings(): Settings | null {
    return this.#standing?.settings ?? null;
  }
  get arms(): readonly Arm[] {
    return this.#standing?.arms ?? [];
  }
  /** Steps done. */
  get step(): number {
    return this.#standing?.comparison.step ?? 0;
  }
  /** Whether several arms share one worker because there is no second one. */
  get takesTurns(): boolean {
    return this.#standing?.comparison.workers === 1 && this.arms.length > 1;
  }

  /** How many cores of the machine work while the models train. */
  get cores(): number {
    return this.lab?.threads ?? 1;
  }

  protected get comparison(): LabComparison | null {
    return this.#standing?.comparison ?? null;
  }
  protected get standing(): Standing<Settings, Text, Arm> | null {
    return this.#standing;
  }
  /** The lab that has the models, or else the one that was last asked for some. */
  protected get lab(): Lab | undefined {
    return this.#standing?.lab ?? this.#lab;
  }
  /** Names of a word tokenizer's special tokens. */
  protected get names(): TokenNames {
    return this.options.names?.() ?? commonStrings;
  }

  /** The problems of these settings, for this text if it is known; empty if they can be run. */
  problems(settings: Settings, text: Text | null): SettingProblem[] {
    return this.plan.problems(settings, text === null ? undefined : text.corpus.tokens - text.corpus.validationTokens);
  }

  // ------------------------------------------------------------ creating and releasing

  /**
   * Reads the source, unless the current text is the same, and replaces the models by new ones. False if `signal` was
   * aborted first; then, and if this fails, the previous models are unchanged.
   */
  protected async create(asked: Asked<Settings>): Promise<boolean> {
    const { source, settings, signal, onStage, resumed } = asked;
    const lab = await this.options.labs.lab();
    if (signal.aborted) return false;
    this.#lab = lab;
    const before = this.#textFor(lab, asked);
    const text = before ?? (await this.#readText(lab, asked));
    let comparison: LabComparison | null = null;
    let stands = false;
    try {
      if (signal.aborted) return false;
      onStage('building');
      this.checkText(text, settings);
      const options = compareOptions(this.plan, settings, text.corpus);
      for (const [name, saved] of Object.entries(resumed?.saved ?? {})) Object.assign(options.arms[name]!, { saved });
      comparison = await compareBeyond(signal, lab, text.corpus, options);
      if (signal.aborted) return false;
      stands = true;
      this.#stand({ lab, comparison, arms: this.createArms(settings), text, source, settings });
      if (resumed !== null) this.recall(resumed);
      return true;
    } finally {
      if (!stands) comparison?.dispose();
      if (!stands && text !== before) text.corpus.dispose();
    }
  }

  protected release(): void {
    const standing = this.#standing;
    this.#standing = null;
    standing?.comparison.dispose();
    standing?.text.corpus.dispose();
    this.forget(null);
  }

  /** The current text, if this lab has it and reading the source with these settings would give the same text. */
  #textFor(lab: Lab, { source, settings }: Asked<Settings>): Text | null {
    const standing = this.#standing;
    // Another figure may have found the lab dead, and it was replaced.
    if (standing?.lab !== lab || standing.source !== source) return null;
    const before = standing.settings;
    // For a generated text, the run's seed is also the text's seed.
    const written = source.kind === 'markov-chain' || source.kind === 'stories';
    const sameTokens = before.tokenizer === settings.tokenizer && before.vocabSize === settings.vocabSize;
    return sameTokens && !(written && before.seed !== settings.seed) ? standing.text : null;
  }

  async #readText(lab: Lab, asked: Asked<Settings>): Promise<Text> {
    const { names } = this;
    const { loadBuiltIn } = this.options;
    const { validation, alphabet } = this.plan;
    const text = await openText(lab, { ...asked, validation, alphabet, names, loadBuiltIn });
    try {
      asked.signal.throwIfAborted();
      this.checkText(text, asked.settings);
      return await this.completeText(text);
    } catch (error) {
      text.corpus.dispose();
      throw error;
    }
  }

  #stand(standing: Standing<Settings, Text, Arm>): void {
    const before = this.#standing;
    const newText = standing.text !== before?.text;
    before?.comparison.dispose();
    if (newText) before?.text.corpus.dispose();
    this.forget(null);
    this.#standing = standing;
    this.started(standing.text, newText);
  }
}
