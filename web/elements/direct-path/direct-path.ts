import { html, type CSSResultGroup, type PropertyValues, type TemplateResult } from 'lit';
import { property } from 'lit/decorators.js';
import { formatNumber, formatWhole } from '../../charts/number-format.js';
import type { Lab } from '../../core/types.js';
import { dataTable, type Content, type FigureParts } from '../shared/figure.js';
import { openPair, pairKinds, type Listening, type OpenedPair, type PairKind } from '../shared/model-pair.js';
import { newestModels } from '../shared/own-models.js';
import { PairElement } from '../shared/pair-element.js';
import type { PerModel } from '../shared/pair-training.js';
import { positionSlider, positionSliderStyles } from '../shared/position-slider.js';
import { SeededMeasurement } from '../shared/seeded-measurement.js';
import type { Values } from '../shared/settings/setting.js';
import { withSettings } from '../shared/settings/with-settings.js';
import { TiedElement } from '../shared/tied-element.js';
import { WidthWatcher } from '../shared/width-watcher.js';
import { directPathPanel, directPathSettings } from './direct-path.settings.js';
import { directPathStrings, type DirectPathStrings } from './direct-path.strings.js';
import { directPathStyles } from './direct-path.styles.js';
import {
  bigramsOf,
  measurePair,
  measurePaths,
  pathNames,
  shownSteps,
  valueOf,
  type Measured,
  type MeasureName,
  type PathName,
  type Paths,
} from './measure.js';
import { chanceOf, pathPlot, pathsOf, plotKey, stepAt, written, type View } from './path-plot.js';

/** What `tied-change` of this element carries. */
export interface DirectPathChange {
  /** Null for models that were trained elsewhere. */
  readonly step: number | null;
  readonly measure: MeasureName;
  /** The measure there, by path; null where it does not exist. */
  readonly values: PerModel<Readonly<Record<PathName, number | null>>>;
}

/** There is one thing to measure of trained models. */
type Question = Readonly<Record<string, never>>;

/**
 * `<tied-direct-path>`: trains a tied and an untied small GPT and reads their direct paths beside the bigrams: the tables
 * alone, with the final norm, with the first MLP, and the whole model; `<tied-direct-path weights="models.safetensors">`
 * reads those of trained models. Attributes: `measure` (`correlation`, `loss`, `self-prediction`, ...), `chance` (`shown`,
 * `hidden`), `weights` (the URL of the trained models), `seed`, `moment` (where it trains). Property: `finished`, what was
 * measured earlier.
 *
 * @fires {CustomEvent<DirectPathChange>} tied-change - The reader has measured, or looks at another step or measure.
 */
export class DirectPath extends withSettings(
  PairElement<DirectPathStrings, Question, Paths, OpenedPair>,
  directPathSettings,
) {
  static override styles: CSSResultGroup = [TiedElement.styles, positionSliderStyles, directPathStyles];

  /** What was measured earlier, to show until the reader asks for another seed. */
  @property({ attribute: false }) finished: Measured | null = null;

  protected readonly ownStrings = directPathStrings;
  protected readonly openModels = openPair;
  private trainedByReader = false;
  private readonly width = new WidthWatcher(this, '.bench', 600);
  private readonly measurement = new SeededMeasurement<Measured>({
    seed: () => this.seed,
    finished: () => this.finished,
    texts: () => this.texts,
    requestUpdate: () => {
      this.requestUpdate();
    },
    task: (options) => this.task(options),
    run: (seed, signal, onProgress) => this.askLab((lab) => measurePaths(lab, { seed }, { signal, onProgress })),
    onStart: () => {
      this.problem = null;
      this.trainedByReader = true;
    },
  });

  // ------------------------------------------------------------ measuring trained models

  protected readonly question: Question = {};

  protected questionOf(): Question {
    return this.question;
  }

  protected measureWith(lab: Lab, pair: OpenedPair, _: Question, listening: Listening): Promise<Paths> {
    return measurePair(lab, pair, listening);
  }

  protected working(done: number | null): string {
    return this.texts.measuring(formatNumber(100 * (done ?? 0), { decimals: 0 }));
  }

  protected changeOf(shown: Paths): DirectPathChange {
    return this.changeAt(shown, 0, null);
  }

  /** Where it has no file of models, the figure trains its own. */
  protected override get pageHasModels(): boolean {
    return true;
  }

  protected override get pageWords(): { readonly label: string; readonly origin: string } {
    const { trainedHere: label, ofThisFigure: origin } = this.texts;
    return this.weights === null ? { label, origin } : super.pageWords;
  }

  protected override get startWord(): string {
    return this.texts.measureNow;
  }

  /** Whether the figure trains models, and does not measure those of a file or of the reader's. */
  private get trains(): boolean {
    return this.weights === null && !this.measuresOwn;
  }

  // ------------------------------------------------------------ training

  protected override willUpdate(changed: PropertyValues): void {
    super.willUpdate(changed);
    if (this.trains && changed.has('seed')) this.measurement.update();
  }

  protected override wake(): void {
    super.wake();
    if (this.trains) this.measurement.update();
  }

  protected override changeSettings(changes: Values): void {
    super.changeSettings(changes);
    this.trainedByReader = true;
  }

  protected override updated(): void {
    if (!this.trains) {
      super.updated();
      return;
    }
    const { shown, pending, fits } = this.measurement;
    if (!this.trainedByReader || shown === null || pending || !fits) return;
    this.trainedByReader = false;
    const { at } = this.viewOf(shown, shownSteps);
    this.changed(this.changeAt(shown, at, shownSteps[at]!));
  }

  private changeAt({ reports }: Paths, at: number, step: number | null): DirectPathChange {
    const { measure } = this;
    const of = (kind: PairKind): Record<PathName, number | null> => {
      const values = pathNames.map((path) => [path, valueOf(reports[kind][at]!, path, measure)] as const);
      return Object.fromEntries(values) as Record<PathName, number | null>;
    };
    return { step, measure, values: { tied: of('tied'), untied: of('untied') } };
  }

  // ------------------------------------------------------------ drawing

  private viewOf(measured: Paths, steps: View['steps']): View {
    const { texts, measure, moment } = this;
    const at = steps === null ? 0 : (moment ?? steps.length) - 1;
    return { texts, measured, steps, measure, chance: this.chance === 'shown', at, width: this.width.width };
  }

  /** What is drawn: until trained models are measured, those that the figure has trained. */
  private get view(): View | null {
    const { shown: trained } = this.measurement;
    if (!this.trains && this.shown !== null) return this.viewOf(this.shown, null);
    return trained === null ? null : this.viewOf(trained, shownSteps);
  }

  private startOrCancel(): Content {
    return this.trains ? this.measurement.button() : this.startButton();
  }

  protected parts(): FigureParts {
    const { texts, trains, view } = this;
    const frame: Omit<FigureParts, 'drawing'> = {
      title: texts.title,
      controls: this.panel(directPathPanel, { models: this.modelsControl(), start: this.startOrCancel() }, { trains }),
      caption: texts.caption(view?.steps === null ? '' : texts.chooseStep, texts.explanations[this.measure]),
    };
    if (view === null) {
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
      drawing: html`<div class="bench">${this.renderBench(view)}</div>`,
      ...this.said(this.wordsOf(view)),
      data: () => (view.steps === null ? this.renderPaths(view) : this.renderSteps(view, view.steps)),
    };
  }

  protected override get origin(): string {
    if (this.view?.steps === null) return super.origin;
    return newestModels() === null ? '' : this.texts.ofThisFigure;
  }

  protected override pictureNote(): string {
    return this.origin;
  }

  /** The values of a path in both models at the chosen step. */
  private both({ measured, measure, at }: View, path: PathName): [string, string] | null {
    const values = pairKinds.map((kind) => valueOf(measured.reports[kind][at]!, path, measure));
    if (values.some((value) => value === null)) return null;
    return values.map((value) => written(value!, measure)) as [string, string];
  }

  private wordsOf(view: View): { claim: string; rest: string } {
    const { texts, measured, steps, measure, at } = view;
    const whole = this.both(view, 'model');
    const bigrams = bigramsOf(measured.reports.tied[at]!, measure);
    const when = steps === null ? texts.inTheseModels : texts.atStep(formatWhole(steps[at]!));
    return {
      claim: texts.claim[measure](when, ...this.both(view, 'embeddings')!),
      rest: [
        texts.rest(...this.both(view, 'mlp0')!),
        ...(whole === null ? [] : [texts.whole(...whole)]),
        ...(bigrams === null ? [] : [texts.bigrams(written(bigrams, measure))]),
      ].join(' '),
    };
  }

  private renderBench(view: View): TemplateResult {
    const { texts, steps, measure, at, width } = view;
    return html`
      <p class="part-title" data-picture>${texts.measures[measure]}</p>
      ${plotKey(view)}
      ${
        steps === null
          ? pathPlot(view)
          : positionSlider({
              label: texts.slider,
              at,
              count: steps.length,
              words: texts.stepText(formatWhole(steps[at]!), ...this.both(view, 'mlp0')!),
              positionAt: (x) => stepAt(x, width),
              onChoose: (chosen) => {
                this.changeSettings({ moment: chosen + 1 });
              },
              drawing: pathPlot(view),
            })
      }
      <p class="note" role="status">${this.trains ? this.measurement.note : this.status}</p>
    `;
  }

  private renderSteps(view: View, steps: readonly number[]): TemplateResult {
    const { texts, measured, measure } = view;
    const paths = pathsOf(view);
    return dataTable({
      caption: texts.measures[measure],
      head: [
        ...texts.dataHead(
          paths.map((path) => texts.paths[path]),
          texts.names.tied,
          texts.names.untied,
        ),
      ],
      rows: steps.map((step, index) => [
        formatWhole(step),
        ...pairKinds.flatMap((kind) =>
          paths.map((path) => {
            const value = valueOf(measured.reports[kind][index]!, path, measure);
            return value === null ? texts.none : written(value, measure);
          }),
        ),
      ]),
    });
  }

  private renderPaths(view: View): TemplateResult {
    const { texts, measured, measure } = view;
    const bigrams = bigramsOf(measured.reports.tied[0]!, measure);
    const row = (name: string, value: number): string[] => [name, written(value, measure), written(value, measure)];
    return dataTable({
      caption: texts.measures[measure],
      head: [...texts.dataPathsHead(texts.names.tied, texts.names.untied)],
      rows: [
        ...pathsOf(view).map((path) => [texts.paths[path], ...this.both(view, path)!]),
        ...(bigrams === null ? [] : [row(texts.dataBigrams, bigrams)]),
        row(texts.dataChance, chanceOf(view)),
      ],
    });
  }
}
