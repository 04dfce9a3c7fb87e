import { nothing, type PropertyDeclarations, type PropertyValues } from 'lit';
import { state } from 'lit/decorators.js';
import { formatNumber, formatWhole } from '../../charts/number-format.js';
import type { Lab } from '../../core/types.js';
import { button, segmented } from './controls.js';
import { codeOf } from './error-code.js';
import { said, type Code, type Content, type FigureParts } from './figure.js';
import { Measurement } from './measurement.js';
import { ModelTwins, type Closable, type Listening } from './model-twins.js';
import { ModelsFileError } from './models-file-error.js';
import { newestModels, OwnModelsWatcher, type OwnModels } from './own-models.js';
import type { Settings, Values } from './settings/setting.js';
import { propertiesOf } from './settings/with-settings.js';
import type { TaskOrder } from './task.js';
import { TiedElement } from './tied-element.js';
import { UnknownWordsError, unknownWordsText } from './unknown-words.js';
import { weightsSetting, type weightsStrings } from './weights.js';

type PairStrings = typeof weightsStrings & {
  readonly cancel: string;
  readonly otherFile: string;
  /** For figures to which the page may pass earlier measurements. */
  readonly finishedNote?: string;
  /** For figures that measure the reader's own input. */
  readonly tooShort?: string;
  readonly badPrompt?: (reason: string) => string;
  readonly unknownWords?: (words: string, known: string) => string;
};

/** The models: the URL of a file, or the reader's. */
export type Source = string | OwnModels;

export interface ModelsChoice {
  readonly value: string;
  readonly label: string;
}

interface Asked<Question> {
  readonly source: Source | null;
  readonly question: Question;
}

const keyOf = (question: unknown): string => JSON.stringify(question);

/**
 * A figure that measures a tied model and its untied twin when the reader asks for it: those of the file at `weights`,
 * or those that the reader has trained on this page. It never fetches or opens them before.
 */
export abstract class TwinElement<
  Strings extends PairStrings,
  Question,
  Measured,
  Opened extends Closable,
> extends TiedElement<Strings> {
  static override properties: PropertyDeclarations = propertiesOf({ weights: weightsSetting });
  static override readonly declared: Settings = { weights: weightsSetting };

  /** URL of the trained models. */
  declare weights: string | null;
  /** Which of `pageChoices` it is. */
  @state() protected pageChoice = 'page';
  /** The reader's models that are measured; null for the page's models. */
  @state() private own: OwnModels | null = null;

  private readonly twins = new ModelTwins<Opened>(this, this.labs, (...given) => this.openModels(...given));
  private readonly measuring = new Measurement<Asked<Question>, Measured>(this, {
    order: this.order(),
    question: () => ({ source: this.source, question: this.question }),
    possible: () => this.source !== null,
    same: (one, other) => one.source === other.source && keyOf(one.question) === keyOf(other.question),
    answers: (measured, { source, question }, of) =>
      (of === null ? this.own === null : of.source === source) && keyOf(this.questionOf(measured)) === keyOf(question),
    given: () => this.finishedOnes,
    ready: () => this.screen.woken,
    unasked: () => this.measuresUnasked(),
    measure: ({ source, question }, listening) =>
      this.twins.ask(source!, (lab, opened) => this.measureWith(lab, opened, question, listening), {
        signal: listening.signal,
        otherFile: this.texts.otherFile,
      }),
    tooShort: () => {
      this.refuse(this.texts.tooShort ?? null);
    },
    failed: (error) => {
      const { badPrompt, unknownWords } = this.texts;
      if (error instanceof ModelsFileError) {
        this.measuring.dismiss();
        this.problem = this.texts.failed(error.reason);
      } else if (error instanceof UnknownWordsError && unknownWords !== undefined) {
        this.refuse(unknownWordsText({ unknownWords }, error));
      } else if (codeOf(error) === 'invalid-argument' && badPrompt !== undefined) {
        this.refuse(badPrompt((error as Error).message));
      } else this.fail(error);
    },
    report: (fitting) => {
      if (this.isSettled()) this.changed(this.changeOf(fitting));
      return this.isSettled();
    },
  });

  constructor() {
    super();
    new OwnModelsWatcher(this);
  }

  // ------------------------------------------------------------ for the figure to fill in

  /** Opens a file of models. `otherFile` completes the error message if the file does not contain them. */
  protected abstract openModels(lab: Lab, bytes: Uint8Array, otherFile: string): Promise<Opened>;
  /** What the current settings ask for, as plain data. */
  protected abstract get question(): Question;
  /** The question that was measured. */
  protected abstract questionOf(measured: Measured): Question;
  /** Null if the question is too short to be measured. */
  protected abstract measureWith(
    lab: Lab,
    opened: Opened,
    question: Question,
    listening: Listening,
  ): Promise<Measured | null>;
  /** What is being done, in words. */
  protected abstract working(fraction: number | null): string;
  /** The detail of `tied-change`. */
  protected abstract changeOf(shown: Measured): unknown;

  /** What a newer question does to a running one. */
  protected order(): TaskOrder {
    return 'newest';
  }
  /** Earlier measurements of the page's models, passed by the page. */
  protected get finishedOnes(): readonly Measured[] {
    return [];
  }
  /** Whether a new question is measured without the reader asking for it. */
  protected measuresUnasked(): boolean {
    return false;
  }
  /** Whether there is something to measure if the reader has trained nothing. */
  protected get pageHasModels(): boolean {
    return this.weights !== null;
  }
  protected get canMeasure(): boolean {
    return this.pageHasModels || newestModels() !== null;
  }
  /** Texts for the models that are measured instead of the reader's. */
  protected get pageWords(): { readonly label: string; readonly origin: string } {
    const { thePages: label, ofThePage: origin } = this.texts;
    return { label, origin };
  }
  /** What the reader can choose besides their own models. */
  protected get pageChoices(): readonly ModelsChoice[] {
    return this.pageHasModels ? [{ value: this.pageChoice, label: this.pageWords.label }] : [];
  }
  /** Label of the start button. */
  protected get startWord(): string {
    return this.texts.start;
  }
  /** Says why the reader's input cannot be measured; null for no reason. */
  protected refuse(reason: string | null): void {
    this.problem = reason;
  }
  /** Whether everything that the event reports is available. */
  protected isSettled(): boolean {
    return true;
  }

  // ------------------------------------------------------------ measuring

  protected get source(): Source | null {
    return this.own ?? this.weights;
  }

  /** Whether the reader's models are measured. */
  protected get measuresOwn(): boolean {
    return this.own !== null;
  }

  /** The measurement for these settings and models, if there is one; else the last one, until the reader measures again. */
  protected get shown(): Measured | null {
    return this.measuring.shown;
  }

  protected get pending(): boolean {
    return this.measuring.pending;
  }

  protected get cancelled(): boolean {
    return this.measuring.stopped;
  }

  protected override willUpdate(changed: PropertyValues): void {
    super.willUpdate(changed);
    if (changed.has('weights') && typeof this.measuring.taken?.question.source === 'string') this.measuring.forget();
  }

  protected override wake(): void {
    this.measuring.wake();
  }

  /** Of the newest models, where those are the reader's. */
  private start(own: OwnModels | null): void {
    if (own !== this.own) this.measuring.cancel();
    this.own = own;
    if (this.source === null) this.measuring.cancel();
    this.problem = null;
    this.refuse(null);
    this.measuring.ask();
  }

  protected override changeSettings(changes: Values): void {
    const before = keyOf(this.question);
    super.changeSettings(changes);
    // The first use of a control asks for the measurement, too.
    this.measuring.change(this.shown === null || keyOf(this.question) !== before);
  }

  /** Embed code is for other pages, so the file's URL is absolute there. */
  protected override settings(): Record<string, string> {
    const { weights, ...others } = super.settings();
    return weights === undefined ? others : { ...others, weights: new URL(weights, document.baseURI).href };
  }

  /** The reader's models cannot be measured again elsewhere: no file has them. */
  protected override command(): (Code & { readonly label: string }) | null {
    if (this.weights === null || this.own !== null) return null;
    // A URL encodes double quotes and backticks, but no dollar signs.
    const file = new URL(this.weights, document.baseURI).href.replaceAll('$', '%24');
    return this.replayCommand(this.texts.repeatMeasureHint, ` --models "${file}"`);
  }

  // ------------------------------------------------------------ drawing

  /** What is being done, in words; null at rest. */
  protected get status(): string | null {
    const { fetched } = this.twins;
    if (fetched !== null) return this.texts.fetching(formatNumber(fetched / 1e6, { decimals: 1 }));
    return this.pending ? this.working(this.measuring.fraction) : null;
  }

  /** What the shown measurement is of, if it does not answer the question; null: nothing that is shown depends on it. */
  protected otherQuestion(_shown: Measured): string | null {
    return this.texts.ofOtherSettings;
  }

  /** What is shown until the reader measures again; null if it is what the settings ask for. */
  private get otherNote(): string | null {
    const { shown, texts } = this;
    if (shown === null || this.measuring.fitting !== null) return null;
    const isAnswered = keyOf(this.questionOf(shown)) === keyOf(this.question);
    const words = isAnswered ? texts.ofOtherModels : this.otherQuestion(shown);
    return words === null || this.pending || !this.canMeasure ? words : `${words} ${texts.forYours}`;
  }

  /** Whether what is being done reports its progress; other measurements are over before a longer note is read. */
  private get takesLong(): boolean {
    return this.measuring.fraction !== null || this.twins.fetched !== null;
  }

  /** The status line: progress while measuring, otherwise the origin of what is shown, or `otherwise`. */
  protected noteOr(otherwise: Content): Content {
    const { shown, texts, status, otherNote } = this;
    if (status !== null) return otherNote === null || !this.takesLong ? status : `${status} ${otherNote}`;
    if (otherNote !== null) return otherNote;
    return shown !== null && this.finishedOnes.includes(shown) ? (texts.finishedNote ?? nothing) : otherwise;
  }

  /** A button that starts or cancels; nothing if there is nothing to measure. */
  protected startButton(): Content {
    const { texts, own, measuring } = this;
    if (measuring.state === 'working') return button({ label: texts.cancel, onPress: () => measuring.stop() });
    const newest = newestModels();
    if (measuring.state === 'shown' && (own === null || own === newest)) return nothing;
    return button({
      label: this.startWord,
      icon: 'play',
      kind: 'primary',
      disabled: !this.canMeasure,
      onPress: () => this.start(own !== null || !this.pageHasModels ? newest : null),
    });
  }

  /** Whose models are measured; nothing as long as the reader has none. */
  protected modelsControl(): Content {
    const { texts, own } = this;
    const yours = own ?? newestModels();
    const choices = [...this.pageChoices];
    if (yours !== null) choices.push({ value: 'own', label: texts.yours(formatWhole(yours.step)) });
    if (choices.length < 2) return nothing;
    return segmented({
      legend: texts.ownModels,
      name: 'models',
      value: own === null ? this.pageChoice : 'own',
      choices,
      onChoose: (value) => {
        if (value !== 'own') this.pageChoice = value;
        this.start(value === 'own' ? newestModels() : null);
      },
    });
  }

  /** Whose models are shown, in words; nothing as long as the reader has none. */
  protected get origin(): string {
    const { texts } = this;
    const { taken, shown } = this.measuring;
    const newest = newestModels();
    const source = taken !== null && taken.result === shown ? taken.question.source : null;
    if (source === null || typeof source === 'string') return newest === null ? '' : this.pageWords.origin;
    const words = texts.ofYours(formatWhole(source.step), source.text);
    return newest === null || newest === source ? words : `${words} ${texts.newerModels(formatWhole(newest.step))}`;
  }

  /** What is shown and whose models it is of, in words. */
  protected said({ claim, rest }: { claim: string; rest: string }): Pick<FigureParts, 'readOut' | 'announcement'> {
    const whole = [rest, this.origin].filter((part) => part !== '').join(' ');
    return said(claim, whole, this.typeset(whole));
  }

  /** How the words of the read-out look, if they contain symbols. */
  protected typeset(words: string): Content {
    return words;
  }
}
