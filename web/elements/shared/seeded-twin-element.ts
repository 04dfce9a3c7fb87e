import { html, type TemplateResult } from 'lit';
import { property } from 'lit/decorators.js';
import { formatWhole } from '../../charts/number-format.js';
import type { Code, Content, FigureParts } from './figure.js';
import { wholePercent } from './in-words.js';
import { openTwins, type OpenedTwins } from './model-twins.js';
import { newestModels } from './own-models.js';
import { saidOf, TwinMeasurement } from './twin-measurement.js';
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
export abstract class SeededTwinElement<Strings extends SeededTwinStrings, Report> extends TiedElement<Strings> {
  static override styles = [TiedElement.styles, positionSliderStyles];

  // Settings of the figure.
  abstract weights: string | null;
  abstract seed: number;
  abstract moment: number | null;
  /** Whether it trains, until the reader chooses the models at `weights`. */
  abstract trainsFirst: boolean;
  /** What was measured earlier, to show until the reader asks for another seed. */
  @property({ attribute: false }) finished: SeededReports<Report> | null = null;

  protected readonly width = new WidthWatcher(this, '.bench', 600);
  /** Of models that it trains. */
  private readonly measurement = new SeededMeasurement<SeededReports<Report>>(this, {
    seed: () => this.seed,
    finished: () => this.finished,
    possible: () => this.given.trains,
    texts: () => this.texts,
    measure: (seed, listening) =>
      this.askLab((lab) => trainTwins(lab, { seed, steps: this.steps }, this.measureModel, listening)),
    failed: (error) => this.fail(error),
    onStart: () => {
      this.problem = null;
    },
    report: () => {
      const { drawn } = this;
      const { trains } = this.given;
      if (trains && drawn !== null) this.changed(this.changeAt(drawn));
      return trains;
    },
  });
  /** Of given models, which are always measured in the same way. */
  private readonly given = new TwinMeasurement<null, Reports<Report>, OpenedTwins>(this, {
    ...this.ofFigure,
    weights: () => this.weights,
    openModels: openTwins,
    question: () => null,
    questionOf: () => null,
    measure: (lab, twins, _, listening) => measureTwins(lab, twins, this.measureModel, listening),
    working: (done) => this.texts.measuring(wholePercent(done ?? 0)),
    report: (measured) => {
      this.changed(this.changeAt({ measured, steps: null, at: 0 }));
      return true;
    },
    training: {
      trains: (choice) => this.weights === null || (this.trainsFirst && choice === 'page'),
      choices: () => {
        if (this.weights === null || !this.trainsFirst) return null;
        const { trainedHere, thePages } = this.texts;
        return [
          { value: 'page', label: trainedHere },
          { value: 'file', label: thePages },
        ];
      },
      words: () => ({ label: this.texts.trainedHere, origin: this.texts.ofThisFigure }),
      startWord: () => this.texts.measureNow,
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

  // ------------------------------------------------------------ the measurements

  protected override wake(): void {
    this.given.wake();
    this.measurement.wake();
  }

  protected override changeSettings(changes: Values): void {
    this.given.change(() => super.changeSettings(changes));
    this.measurement.change(false);
  }

  // ------------------------------------------------------------ drawing

  /** What is drawn: the models that the figure has trained, until given models are measured. */
  private get drawn(): Drawn<Report> | null {
    const { moment, steps, given } = this;
    if (!given.trains && given.shown !== null) return { measured: given.shown, steps: null, at: 0 };
    const trained = this.measurement.shown;
    return trained && { measured: trained, steps, at: moment === null ? this.firstOf(trained) : moment - 1 };
  }

  protected parts(): FigureParts {
    const { texts, drawn, given, measurement } = this;
    const { trains } = given;
    const start = trains ? measurement.button() : given.startButton();
    const frame: Omit<FigureParts, 'drawing'> = {
      title: texts.title,
      controls: this.panel(this.controls, { models: given.modelsControl(), start }, { trains }),
      caption: this.captionOf(drawn),
    };
    if (drawn === null) {
      const waiting = trains ? texts.waiting : texts.waitingForModels;
      return {
        ...frame,
        drawing: html`<div class="bench"></div>`,
        readOut: (trains ? measurement : given).status ?? waiting,
        hasPicture: false,
      };
    }
    return {
      ...frame,
      drawing: html`<div class="bench">${this.renderBench(drawn)}</div>`,
      ...saidOf(this.wordsOf(drawn), this.origin),
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
    return html`<p class="note" role="status">
      ${this.given.trains ? this.measurement.note : (this.given.status as Content)}
    </p>`;
  }

  /** Whose models are shown, in words. */
  private get origin(): string {
    if (this.drawn?.steps === null) return this.given.origin;
    return newestModels() === null ? '' : this.texts.ofThisFigure;
  }

  protected override pictureNote(): string {
    return this.origin;
  }

  /** Given models cannot be measured again elsewhere: no link has them. */
  protected override command(): (Code & { readonly label: string }) | null {
    return this.given.trains ? this.replayCommand(this.texts.repeatHint) : null;
  }
}
