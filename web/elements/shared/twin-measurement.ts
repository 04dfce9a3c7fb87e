import { nothing, type ReactiveController } from 'lit';
import { formatNumber, formatWhole } from '../../charts/number-format.js';
import type { Lab } from '../../core/types.js';
import { button, segmented } from './controls.js';
import { codeOf } from './error-code.js';
import { said, type Content, type FigureParts } from './figure.js';
import type { LabLease } from './lab-lease.js';
import { Measurement, type MeasurementOptions } from './measurement.js';
import { ModelTwins, type Closable, type Listening } from './model-twins.js';
import { ModelsFileError } from './models-file-error.js';
import { newestModels, OwnModelsWatcher, type OwnModels } from './own-models.js';
import { UnknownWordsError, unknownWordsText } from './unknown-words.js';
import type { weightsStrings } from './weights.js';
import type { Host } from './when-gone.js';

export type TwinTexts = typeof weightsStrings & {
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
type Source = string | OwnModels;

interface ModelsChoice {
  readonly value: string;
  readonly label: string;
}

interface Asked<Question> {
  readonly source: Source | null;
  readonly question: Question;
}

/** What the measurement needs of its figure. */
export interface TwinFigure<Question, Measured, Opened extends Closable> extends Pick<
  MeasurementOptions<Question, Measured>,
  'question' | 'unasked' | 'report'
> {
  readonly labs: LabLease;
  readonly ready: () => boolean;
  readonly order?: MeasurementOptions<Question, Measured>['order'];
  readonly texts: () => TwinTexts;
  /** URL of the trained models. */
  readonly weights: () => string | null;
  /** Opens a file of models. `otherFile` completes the error message if the file does not contain them. */
  readonly openModels: (lab: Lab, bytes: Uint8Array, otherFile: string) => Promise<Opened>;
  /** The question that was measured, as plain data like `question`. */
  readonly questionOf: (measured: Measured) => Question;
  /** Null if the question is too short to be measured. */
  readonly measure: (lab: Lab, opened: Opened, question: Question, listening: Listening) => Promise<Measured | null>;
  /** What is being done, in words. */
  readonly working: (fraction: number | null) => string;
  /** Earlier measurements of the page's models, passed by the page. */
  readonly finished?: () => readonly Measured[];
  /** What the shown measurement is of, if it does not answer the question; null: nothing that is shown depends on it. */
  readonly otherQuestion?: (shown: Measured) => string | null;
  /** Says why the reader's input cannot be measured; null for no reason. Default: as a problem. */
  readonly refuse?: (reason: string | null) => void;
  readonly setProblem: (words: string | null) => void;
  readonly fail: (error: unknown) => void;
  /** Only for a figure that trains models itself until given ones are measured. */
  readonly training?: FigureTraining;
}

interface FigureTraining {
  /** Whether it trains its own models now, so that none of a file are measured; `choice`: which of `choices` holds. */
  readonly trains: (choice: string) => boolean;
  /** What the reader can choose besides their own models, if the page has a file, too. */
  readonly choices: () => readonly ModelsChoice[] | null;
  /** Texts for the figure's own models. */
  readonly words: () => { readonly label: string; readonly origin: string };
  /** Label of the button that measures given models. */
  readonly startWord: () => string;
}

const keyOf = (question: unknown): string => JSON.stringify(question);

/**
 * A figure's measurement of a tied model and its untied twin, made when the reader asks for it: of those of the file at `weights`,
 * or of those that the reader has trained on this page. It never fetches or opens them before. It has the choice of models, the start button
 * and the messages.
 */
export class TwinMeasurement<Question, Measured, Opened extends Closable> implements ReactiveController {
  readonly #figure: TwinFigure<Question, Measured, Opened>;
  readonly #twins: ModelTwins<Opened>;
  readonly #measuring: Measurement<Asked<Question>, Measured>;
  /** Which of the choices besides the reader's own models it is. */
  #pageChoice = 'page';
  /** The reader's models that are measured; null for the page's models. */
  #own: OwnModels | null = null;
  #weights: string | null = null;

  constructor(host: Host, figure: TwinFigure<Question, Measured, Opened>) {
    this.#figure = figure;
    this.#twins = new ModelTwins<Opened>(host, figure.labs, (...given) => figure.openModels(...given));
    // Its updates come before those of the measurement.
    host.addController(this);
    this.#measuring = new Measurement<Asked<Question>, Measured>(host, {
      order: figure.order ?? 'newest',
      question: () => ({ source: this.source, question: figure.question() }),
      possible: () => this.source !== null,
      same: (one, other) => one.source === other.source && keyOf(one.question) === keyOf(other.question),
      answers: (measured, { source, question }, of) =>
        (of === null ? this.#own === null : of.source === source) &&
        keyOf(figure.questionOf(measured)) === keyOf(question),
      given: () => this.#finished,
      ready: figure.ready,
      unasked: () => figure.unasked?.() ?? false,
      measure: ({ source, question }, listening) =>
        this.#twins.ask(source!, (lab, opened) => figure.measure(lab, opened, question, listening), {
          signal: listening.signal,
          otherFile: this.#texts.otherFile,
        }),
      tooShort: () => this.#refuse(this.#texts.tooShort ?? null),
      failed: (error) => this.#failed(error),
      report: figure.report,
    });
    new OwnModelsWatcher(host);
  }

  get #texts(): TwinTexts {
    return this.#figure.texts();
  }

  get #finished(): readonly Measured[] {
    return this.#figure.finished?.() ?? [];
  }

  #refuse(reason: string | null): void {
    const { refuse, setProblem } = this.#figure;
    (refuse ?? setProblem)(reason);
  }

  #failed(error: unknown): void {
    const { badPrompt, unknownWords, failed } = this.#texts;
    if (error instanceof ModelsFileError) {
      this.#measuring.dismiss();
      this.#figure.setProblem(failed(error.reason));
    } else if (error instanceof UnknownWordsError && unknownWords !== undefined) {
      this.#refuse(unknownWordsText({ unknownWords }, error));
    } else if (codeOf(error) === 'invalid-argument' && badPrompt !== undefined) {
      this.#refuse(badPrompt((error as Error).message));
    } else this.#figure.fail(error);
  }

  // ------------------------------------------------------------ the models

  /** Whether the figure trains models instead of measuring those of a file or the reader's. */
  get trains(): boolean {
    return this.#own === null && this.#figure.training?.trains(this.#pageChoice) === true;
  }

  get source(): Source | null {
    return this.trains ? null : (this.#own ?? this.#figure.weights());
  }

  /** Whether the reader's models are measured. */
  get measuresOwn(): boolean {
    return this.#own !== null;
  }

  /** Whether there is something to measure if the reader has trained nothing. */
  get #pageHasModels(): boolean {
    return this.#figure.training !== undefined || this.#figure.weights() !== null;
  }

  get canMeasure(): boolean {
    return this.#pageHasModels || newestModels() !== null;
  }

  /** Texts for the models that are measured instead of the reader's. */
  get #pageWords(): { readonly label: string; readonly origin: string } {
    const { training, weights } = this.#figure;
    if (training !== undefined && (weights() === null || this.trains)) return training.words();
    const { thePages: label, ofThePage: origin } = this.#texts;
    return { label, origin };
  }

  /** What the reader can choose besides their own models. */
  get #pageChoices(): readonly ModelsChoice[] {
    const chosen = { value: this.#pageChoice, label: this.#pageWords.label };
    return this.#figure.training?.choices() ?? (this.#pageHasModels ? [chosen] : []);
  }

  /** What completes a command that measures the models again; null for the reader's models, which no file has. */
  get commandOption(): string | null {
    const weights = this.#figure.weights();
    if (weights === null || this.#own !== null) return null;
    // A URL encodes double quotes and backticks, but no dollar signs.
    return ` --models "${new URL(weights, document.baseURI).href.replaceAll('$', '%24')}"`;
  }

  // ------------------------------------------------------------ measuring

  /** The measurement for these settings and models, if there is one; else the last one, until the reader measures again. */
  get shown(): Measured | null {
    return this.#measuring.shown;
  }

  get pending(): boolean {
    return this.#measuring.pending;
  }

  get cancelled(): boolean {
    return this.#measuring.stopped;
  }

  /** A measurement of a file is forgotten with its URL. */
  hostUpdate(): void {
    const weights = this.#figure.weights();
    const isOther = weights !== this.#weights;
    this.#weights = weights;
    if (isOther && typeof this.#measuring.taken?.question.source === 'string') this.#measuring.forget();
  }

  /** The figure has come near the screen, or has returned to it. */
  wake(): void {
    this.#measuring.wake();
  }

  /** The reader changes settings by `change`. */
  change(change: () => void): void {
    const before = keyOf(this.#figure.question());
    change();
    // The first use of a control asks for the measurement, too.
    this.#measuring.change(this.shown === null || keyOf(this.#figure.question()) !== before);
  }

  /** Of the newest models, where those are the reader's. */
  #start(own: OwnModels | null): void {
    if (own !== this.#own) this.#measuring.cancel();
    this.#own = own;
    if (this.source === null) this.#measuring.cancel();
    this.#figure.setProblem(null);
    this.#refuse(null);
    this.#measuring.ask();
  }

  // ------------------------------------------------------------ drawing

  /** What is being done, in words; null at rest. */
  get status(): string | null {
    const { fetched } = this.#twins;
    if (fetched !== null) return this.#texts.fetching(formatNumber(fetched / 1e6, { decimals: 1 }));
    return this.pending ? this.#figure.working(this.#measuring.fraction) : null;
  }

  /** What is shown until the reader measures again; null if it is what the settings ask for. */
  get #otherNote(): string | null {
    const { question, questionOf, otherQuestion } = this.#figure;
    const { shown } = this;
    const texts = this.#texts;
    if (shown === null || this.#measuring.fitting !== null) return null;
    const isAnswered = keyOf(questionOf(shown)) === keyOf(question());
    const other = otherQuestion === undefined ? texts.ofOtherSettings : otherQuestion(shown);
    const words = isAnswered ? texts.ofOtherModels : other;
    return words === null || this.pending || !this.canMeasure ? words : `${words} ${texts.forYours}`;
  }

  /** The status line: progress while measuring, otherwise the origin of what is shown, or `otherwise`. */
  noteOr(otherwise: Content): Content {
    const { shown, status } = this;
    const note = this.#otherNote;
    // Without progress, it is over before a longer note is read.
    const takesLong = this.#measuring.fraction !== null || this.#twins.fetched !== null;
    if (status !== null) return note === null || !takesLong ? status : `${status} ${note}`;
    if (note !== null) return note;
    return shown !== null && this.#finished.includes(shown) ? (this.#texts.finishedNote ?? nothing) : otherwise;
  }

  /** A button that starts or cancels; nothing if there is nothing to measure. */
  startButton(): Content {
    const [texts, own, measuring] = [this.#texts, this.#own, this.#measuring];
    if (measuring.state === 'working') return button({ label: texts.cancel, onPress: () => measuring.stop() });
    const newest = newestModels();
    if (measuring.state === 'shown' && (own === null || own === newest)) return nothing;
    return button({
      label: this.#figure.training?.startWord() ?? texts.start,
      icon: 'play',
      kind: 'primary',
      disabled: !this.canMeasure,
      onPress: () => this.#start(own !== null || !this.#pageHasModels ? newest : null),
    });
  }

  /** Whose models are measured; nothing as long as the reader has none. */
  modelsControl(): Content {
    const [texts, own] = [this.#texts, this.#own];
    const yours = own ?? newestModels();
    const choices = [...this.#pageChoices];
    if (yours !== null) choices.push({ value: 'own', label: texts.yours(formatWhole(yours.step)) });
    if (choices.length < 2) return nothing;
    return segmented({
      legend: texts.ownModels,
      name: 'models',
      value: own === null ? this.#pageChoice : 'own',
      choices,
      onChoose: (value) => {
        if (value !== 'own') this.#pageChoice = value;
        this.#start(value === 'own' ? newestModels() : null);
      },
    });
  }

  /** Whose models are shown, in words; nothing as long as the reader has none. */
  get origin(): string {
    const texts = this.#texts;
    const { taken, shown } = this.#measuring;
    const newest = newestModels();
    const source = taken !== null && taken.result === shown ? taken.question.source : null;
    if (source === null || typeof source === 'string') return newest === null ? '' : this.#pageWords.origin;
    const words = texts.ofYours(formatWhole(source.step), source.text);
    return newest === null || newest === source ? words : `${words} ${texts.newerModels(formatWhole(newest.step))}`;
  }
}

/** What is shown and whose models it is of, in words. `typeset`: how the words look, if they contain symbols. */
export function saidOf(
  { claim, rest }: { readonly claim: string; readonly rest: string },
  origin: string,
  typeset: (words: string) => Content = (words) => words,
): Pick<FigureParts, 'readOut' | 'announcement'> {
  const whole = [rest, origin].filter((part) => part !== '').join(' ');
  return said(claim, whole, typeset(whole));
}
