import { html, type CSSResultGroup, type PropertyValues, type TemplateResult } from 'lit';
import { property } from 'lit/decorators.js';
import { formatWhole } from '../../charts/number-format.js';
import { dataTable, type FigureParts } from '../shared/figure.js';
import { pairKinds, type PairKind } from '../shared/model-pair.js';
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
  measurePaths,
  pathNames,
  shownSteps,
  valueOf,
  type Measured,
  type MeasureName,
  type PathName,
} from './measure.js';
import { pathPlot, plotKey, stepAt, written, type View } from './path-plot.js';

/** What `tied-change` of this element carries. */
export interface DirectPathChange {
  readonly step: number;
  readonly measure: MeasureName;
  /** The measure there, by path; null where it does not exist. */
  readonly values: PerModel<Readonly<Record<PathName, number | null>>>;
}

/**
 * `<tied-direct-path>`: trains a tied and an untied small GPT and reads their direct paths beside the bigrams: the tables
 * alone, with the final norm, with the first MLP, and the whole model. Attributes: `measure` (`correlation`, `loss`,
 * `self-prediction`, ...), `chance` (`shown`, `hidden`), `seed`, `moment`. Property: `finished`, what was measured earlier.
 *
 * @fires {CustomEvent<DirectPathChange>} tied-change - The reader has measured, or looks at another step or measure.
 */
export class DirectPath extends withSettings(TiedElement<DirectPathStrings>, directPathSettings) {
  static override styles: CSSResultGroup = [TiedElement.styles, positionSliderStyles, directPathStyles];

  /** What was measured earlier, to show until the reader asks for another seed. */
  @property({ attribute: false }) finished: Measured | null = null;

  protected readonly ownStrings = directPathStrings;
  private byReader = false;
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
      this.byReader = true;
    },
  });

  // ------------------------------------------------------------ measuring

  protected override willUpdate(changed: PropertyValues): void {
    super.willUpdate(changed);
    if (changed.has('seed')) this.measurement.update();
  }

  protected override wake(): void {
    this.measurement.update();
  }

  protected override changeSettings(changes: Values): void {
    super.changeSettings(changes);
    this.byReader = true;
  }

  protected override updated(): void {
    const { shown, pending, fits } = this.measurement;
    if (!this.byReader || shown === null || pending || !fits) return;
    this.byReader = false;
    const { at, measure } = this.viewOf(shown);
    const of = (kind: PairKind): Record<PathName, number | null> => {
      const values = pathNames.map((path) => [path, valueOf(shown.reports[kind][at]!, path, measure)] as const);
      return Object.fromEntries(values) as Record<PathName, number | null>;
    };
    const change: DirectPathChange = {
      step: shownSteps[at]!,
      measure,
      values: { tied: of('tied'), untied: of('untied') },
    };
    this.changed(change);
  }

  // ------------------------------------------------------------ drawing

  private viewOf(measured: Measured): View {
    const { texts, measure, moment } = this;
    const at = (moment ?? shownSteps.length) - 1;
    return { texts, measured, measure, chance: this.chance === 'shown', at, width: this.width.width };
  }

  protected parts(): FigureParts {
    const { texts } = this;
    const { shown, status } = this.measurement;
    const frame: Omit<FigureParts, 'drawing'> = {
      title: texts.title,
      controls: this.panel(directPathPanel, { start: this.measurement.button() }),
      caption: texts.caption(texts.explanations[this.measure]),
    };
    if (shown === null) {
      return {
        ...frame,
        drawing: html`<div class="bench"></div>`,
        readOut: status ?? texts.waiting,
        hasPicture: false,
      };
    }
    const view = this.viewOf(shown);
    const { claim, rest } = this.wordsOf(view);
    return {
      ...frame,
      drawing: html`<div class="bench">${this.renderBench(view)}</div>`,
      readOut: html`<strong>${claim}</strong> ${rest}`,
      announcement: `${claim} ${rest}`,
      data: () => this.renderData(view),
    };
  }

  /** The values of a path in both models at the chosen step. */
  private both({ measured, measure, at }: View, path: PathName): [string, string] | null {
    const values = pairKinds.map((kind) => valueOf(measured.reports[kind][at]!, path, measure));
    if (values.some((value) => value === null)) return null;
    return values.map((value) => written(value!, measure)) as [string, string];
  }

  private wordsOf(view: View): { claim: string; rest: string } {
    const { texts, measured, measure, at } = view;
    const whole = this.both(view, 'model');
    const bigrams = bigramsOf(measured.reports.tied[at]!, measure);
    return {
      claim: texts.claim[measure](formatWhole(shownSteps[at]!), ...this.both(view, 'embeddings')!),
      rest: [
        texts.rest(...this.both(view, 'mlp0')!),
        ...(whole === null ? [] : [texts.whole(...whole)]),
        ...(bigrams === null ? [] : [texts.bigrams(written(bigrams, measure))]),
      ].join(' '),
    };
  }

  private renderBench(view: View): TemplateResult {
    const { texts, measure, at, width } = view;
    return html`
      <p class="part-title" data-picture>${texts.measures[measure]}</p>
      ${plotKey(view)}
      ${positionSlider({
        label: texts.slider,
        at,
        count: shownSteps.length,
        words: texts.stepText(formatWhole(shownSteps[at]!), ...this.both(view, 'mlp0')!),
        positionAt: (x) => stepAt(x, width),
        onChoose: (chosen) => {
          this.changeSettings({ moment: chosen + 1 });
        },
        drawing: pathPlot(view),
      })}
      <p class="note" role="status">${this.measurement.note}</p>
    `;
  }

  private renderData({ texts, measured, measure }: View): TemplateResult {
    const paths = pathNames.filter((path) => valueOf(measured.reports.tied[0]!, path, measure) !== null);
    return dataTable({
      caption: texts.measures[measure],
      head: [
        ...texts.dataHead(
          paths.map((path) => texts.paths[path]),
          texts.names.tied,
          texts.names.untied,
        ),
      ],
      rows: shownSteps.map((step, index) => [
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
}
