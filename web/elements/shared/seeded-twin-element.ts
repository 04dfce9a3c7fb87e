import { html, type TemplateResult } from 'lit';
import { property } from 'lit/decorators.js';
import { formatWhole } from '../../charts/number-format.js';
import type { Lab } from '../../core/types.js';
import type { Code, Content, FigureParts } from './figure.js';
import { wholePercent } from './in-words.js';
import { openTwins, type Listening, type OpenedTwins } from './model-twins.js';
import { newestModels } from './own-models.js';
import { TwinElement, type ModelsChoice, type Source } from './twin-element.js';
import { measureTwins, trainTwins, type MeasureModel, type Reports, type SeededReports } from './twin-training.js';
import { positionSlider, positionSliderStyles } from './position-slider.js';
import { SeededMeasurement } from './seeded-measurement.js';
import type { seededTwinStrings } from './seeded-twins.js';
import type { Panel } from './settings/panel-parts.js';
import type { Values } from './settings/setting.js';
import { TiedElement } from './tied-element.js';
import { WidthWatcher } from './width-watcher.js';

type SeededTwinStrings = typeof seededTwinStrings & {
  readonly title: string;
  /** What it takes to train and measure, and to measure models that are given. */
  readonly waiting: string;
  readonly waitingForModels: string;
  readonly measuring: (percent: string) => string;
};

/** Given models are always measured in the same way. */
type Question = Readonly<Record<string, never>>;

/** What is drawn. */
export interface Drawn<Report> {
  readonly measured: Reports<Report>;
  /** The steps of its reports; null for given models, which have one report each. */
  readonly steps: readonly number[] | null;
  /** The chosen step, by its index. */
  readonly at: number;
}

/**
 * A figure that trains a tied and an untied model from its seed and measures them on the way, step by step; or that measures
 * given models, of a file or the reader's, as they are.
 */
export abstract class SeededTwinElement<Strings extends SeededTwinStrings, Report> extends TwinElement<
  Strings,
  Question,
  Reports<Report>,
  OpenedTwins
> {
  static override styles = [TiedElement.styles, positionSliderStyles];

  // Settings of the figure.
  abstract seed: number;
  abstract moment: number | null;
  /** Whether it trains, until the reader chooses the models at `weights`. */
  abstract trainsFirst: boolean;
  /** What was measured earlier, to show until the reader asks for another seed. */
  @property({ attribute: false }) finished: SeededReports<Report> | null = null;

  protected readonly openModels = openTwins;
  protected readonly question: Question = {};
  protected readonly width = new WidthWatcher(this, '.bench', 600);
  private readonly measurement = new SeededMeasurement<SeededReports<Report>>(this, {
    seed: () => this.seed,
    finished: () => this.finished,
    possible: () => this.trains,
    texts: () => this.texts,
    measure: (seed, listening) =>
      this.askLab((lab) => trainTwins(lab, { seed, steps: this.steps }, this.measureModel, listening)),
    failed: (error) => this.fail(error),
    onStart: () => {
      this.problem = null;
    },
    report: () => {
      const { trains, drawn } = this;
      if (trains && drawn !== null) this.changed(this.changeAt(drawn));
      return trains;
    },
  });

  // ------------------------------------------------------------ for the figure to fill in

  /** The steps after which models in training are measured. */
  protected abstract readonly steps: readonly number[];
  protected abstract readonly measureModel: MeasureModel<Report>;
  protected abstract readonly controls: Panel;
  /** The step that is shown until the reader chooses one, by its index. */
  protected abstract firstOf(trained: Reports<Report>): number;
  protected abstract captionOf(drawn: Drawn<Report> | null): string;
  protected abstract renderBench(drawn: Drawn<Report>): TemplateResult;
  protected abstract renderData(drawn: Drawn<Report>): Content;
  protected abstract wordsOf(drawn: Drawn<Report>): { readonly claim: string; readonly rest: string };
  /** The detail of `tied-change`. */
  protected abstract changeAt(drawn: Drawn<Report>): unknown;

  // ------------------------------------------------------------ measuring given models

  protected questionOf(): Question {
    return this.question;
  }

  protected async measureWith(
    lab: Lab,
    twins: OpenedTwins,
    _: Question,
    listening: Listening,
  ): Promise<Reports<Report>> {
    return measureTwins(lab, twins, this.measureModel, listening);
  }

  protected working(done: number | null): string {
    return this.texts.measuring(wholePercent(done ?? 0));
  }

  protected changeOf(measured: Reports<Report>): unknown {
    return this.changeAt({ measured, steps: null, at: 0 });
  }

  /** Without a file of models, the figure trains its own. */
  protected override get pageHasModels(): boolean {
    return true;
  }

  protected override get pageWords(): { readonly label: string; readonly origin: string } {
    const { trainedHere: label, ofThisFigure: origin } = this.texts;
    return this.weights === null || this.trains ? { label, origin } : super.pageWords;
  }

  protected override get pageChoices(): readonly ModelsChoice[] {
    if (this.weights === null || !this.trainsFirst) return super.pageChoices;
    const { trainedHere, thePages } = this.texts;
    return [
      { value: 'page', label: trainedHere },
      { value: 'file', label: thePages },
    ];
  }

  protected override get source(): Source | null {
    return this.trains ? null : super.source;
  }

  protected override get startWord(): string {
    return this.texts.measureNow;
  }

  /** Whether the figure trains models instead of measuring those of a file or the reader's. */
  private get trains(): boolean {
    if (this.measuresOwn) return false;
    return this.weights === null || (this.trainsFirst && this.pageChoice === 'page');
  }

  // ------------------------------------------------------------ training

  protected override wake(): void {
    super.wake();
    this.measurement.wake();
  }

  protected override changeSettings(changes: Values): void {
    super.changeSettings(changes);
    this.measurement.change(false);
  }

  // ------------------------------------------------------------ drawing

  /** What is drawn: the models that the figure has trained, until given models are measured. */
  private get drawn(): Drawn<Report> | null {
    const { moment, steps, shown } = this;
    if (!this.trains && shown !== null) return { measured: shown, steps: null, at: 0 };
    const trained = this.measurement.shown;
    return trained && { measured: trained, steps, at: moment === null ? this.firstOf(trained) : moment - 1 };
  }

  protected parts(): FigureParts {
    const { texts, trains, drawn } = this;
    const start = trains ? this.measurement.button() : this.startButton();
    const frame: Omit<FigureParts, 'drawing'> = {
      title: texts.title,
      controls: this.panel(this.controls, { models: this.modelsControl(), start }, { trains }),
      caption: this.captionOf(drawn),
    };
    if (drawn === null) {
      const waiting = trains ? texts.waiting : texts.waitingForModels;
      return {
        ...frame,
        drawing: html`<div class="bench"></div>`,
        readOut: (trains ? this.measurement.status : this.status) ?? waiting,
        hasPicture: false,
      };
    }
    return {
      ...frame,
      drawing: html`<div class="bench">${this.renderBench(drawn)}</div>`,
      ...this.said(this.wordsOf(drawn)),
      data: () => this.renderData(drawn),
    };
  }

  /** A drawing of the steps, in which the reader can choose one; given models have no steps, and nothing to choose. */
  protected stepSlider(
    { steps, at }: Pick<Drawn<Report>, 'steps' | 'at'>,
    options: {
      /** The values at the chosen step. */
      readonly words: (step: string) => string;
      readonly stepAt: (x: number) => number;
      readonly drawing: TemplateResult;
    },
  ): TemplateResult {
    const { words, stepAt: positionAt, drawing } = options;
    if (steps === null) return drawing;
    return positionSlider({
      label: this.texts.slider,
      at,
      count: steps.length,
      words: words(formatWhole(steps[at]!)),
      positionAt,
      onChoose: (chosen) => this.changeSettings({ moment: chosen + 1 }),
      drawing,
    });
  }

  /** What is being done; at rest, where the shown measurement comes from. */
  protected statusLine(): TemplateResult {
    return html`<p class="note" role="status">${this.trains ? this.measurement.note : (this.status as Content)}</p>`;
  }

  protected override get origin(): string {
    if (this.drawn?.steps === null) return super.origin;
    return newestModels() === null ? '' : this.texts.ofThisFigure;
  }

  protected override pictureNote(): string {
    return this.origin;
  }

  /** Given models cannot be measured again elsewhere: no link has them. */
  protected override command(): (Code & { readonly label: string }) | null {
    return this.trains ? this.replayCommand(this.texts.repeatHint) : null;
  }
}
