import { html, type CSSResultGroup, type PropertyValues, type TemplateResult } from 'lit';
import { property } from 'lit/decorators.js';
import { formatWhole } from '../../charts/number-format.js';
import { dataTable, type FigureParts } from '../shared/figure.js';
import { pairKinds } from '../shared/model-pair.js';
import { positionSlider, positionSliderStyles } from '../shared/position-slider.js';
import { SeededMeasurement } from '../shared/seeded-measurement.js';
import type { Values } from '../shared/settings/setting.js';
import { withSettings } from '../shared/settings/with-settings.js';
import { TiedElement } from '../shared/tied-element.js';
import { WidthWatcher } from '../shared/width-watcher.js';
import { bandBars, bandName, norm } from './band-bars.js';
import { gradientLedgerPanel, gradientLedgerSettings } from './gradient-ledger.settings.js';
import { gradientLedgerStrings, type GradientLedgerStrings } from './gradient-ledger.strings.js';
import { gradientLedgerStyles } from './gradient-ledger.styles.js';
import { furthestAhead, measureLedgers, shownSteps, writingShare, type Measured, type PerModel } from './measure.js';
import { mark, percent, reachPlot, sharePlot, stepAt, type View } from './step-plot.js';

/** What `tied-change` of this element carries. */
export interface GradientLedgerChange {
  readonly step: number;
  /** The share of writing there. */
  readonly writing: PerModel<number>;
}

/**
 * `<tied-gradient-ledger>`: trains a tied and an untied small GPT and takes the gradients of their tables apart: reading and
 * writing, pull and push, frequent and rare tokens. Attributes: `definition` (`token`, `position`), `model` (`tied`,
 * `untied`), `chance` (`shown`, `hidden`), `seed`, `moment`. Property: `finished`, what was measured of a seed earlier.
 *
 * @fires {CustomEvent<GradientLedgerChange>} tied-change - The reader has measured, or looks at another step.
 */
export class GradientLedger extends withSettings(TiedElement<GradientLedgerStrings>, gradientLedgerSettings) {
  static override styles: CSSResultGroup = [TiedElement.styles, positionSliderStyles, gradientLedgerStyles];

  /** What was measured earlier, to show before the reader asks for another seed. */
  @property({ attribute: false }) finished: Measured | null = null;

  protected readonly ownStrings = gradientLedgerStrings;
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
    run: (seed, signal, onProgress) => this.askLab((lab) => measureLedgers(lab, seed, { signal, onProgress })),
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
    const { at, definition } = this.viewOf(shown);
    const { tied, untied } = shown.reports;
    const change: GradientLedgerChange = {
      step: shownSteps[at]!,
      writing: { tied: writingShare(tied[at]!, definition), untied: writingShare(untied[at]!, definition) },
    };
    this.changed(change);
  }

  // ------------------------------------------------------------ drawing

  private viewOf(measured: Measured): View {
    const { texts, definition, model, moment } = this;
    const at = moment === null ? furthestAhead(measured, definition) : moment - 1;
    return { texts, measured, definition, model, chance: this.chance === 'shown', at, width: this.width.width };
  }

  protected parts(): FigureParts {
    const { texts } = this;
    const { shown, status } = this.measurement;
    const frame: Omit<FigureParts, 'drawing'> = {
      title: texts.title,
      controls: this.panel(gradientLedgerPanel, { start: this.measurement.button() }),
      caption: texts.caption,
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

  private wordsOf({ texts, measured, definition, chance, at }: View): { claim: string; rest: string } {
    const { tied, untied } = measured.reports;
    const report = tied[at]!;
    const pushed = report.bands.reduce((sum, { pushedRows }) => sum + pushedRows, 0);
    const rows = report.bands.reduce((sum, { count }) => sum + count, 0);
    const shares = [report, untied[at]!].map((one) => percent(writingShare(one, definition))) as [string, string];
    return {
      claim: texts.claim(formatWhole(shownSteps[at]!), ...shares),
      rest: [
        texts.pushed(formatWhole(pushed), formatWhole(rows)),
        texts.reach(percent(report.reach.share)),
        ...(chance ? [texts.byChance(percent(report.reach.chance))] : []),
      ].join(' '),
    };
  }

  private renderBench(view: View): TemplateResult {
    const { texts, measured, definition, at } = view;
    const shares = pairKinds.map((kind) => percent(writingShare(measured.reports[kind][at]!, definition)));
    return html`
      <div>
        <p class="part-title" data-picture>${texts.shareTitle}</p>
        <div class="row note" data-picture>
          ${pairKinds.map(
            (kind) =>
              html`<span class="field"
                ><svg width="14" height="14" aria-hidden="true"><g class=${kind}>${mark(kind, 7, 7)}</g></svg
                >${texts.names[kind]}</span
              >`,
          )}
        </div>
        ${positionSlider({
          label: texts.slider,
          at,
          count: shownSteps.length,
          words: texts.stepText(formatWhole(shownSteps[at]!), shares[0]!, shares[1]!),
          positionAt: (x) => stepAt(x, view),
          onChoose: (chosen) => {
            this.changeSettings({ moment: chosen + 1 });
          },
          drawing: html`
            ${sharePlot(view)}
            <p class="part-title" data-picture>${texts.reachTitle}</p>
            ${reachPlot(view)}
          `,
        })}
        <p class="note" role="status">${this.measurement.note}</p>
      </div>
      <div>${bandBars(view)}</div>
    `;
  }

  private renderData({ texts, measured, model, at }: View): TemplateResult {
    const { tied, untied } = measured.reports;
    return html`
      ${dataTable({
        caption: texts.dataShares,
        head: [...texts.dataHead],
        rows: shownSteps.map((step, index) => [
          formatWhole(step),
          ...[tied, untied].flatMap((reports) =>
            (['token', 'position'] as const).map((definition) => percent(writingShare(reports[index]!, definition))),
          ),
        ]),
      })}
      ${dataTable({
        caption: texts.dataReach,
        head: [...texts.reachHead],
        rows: shownSteps.map((step, index) => [
          formatWhole(step),
          ...[tied, untied].map((reports) => percent(reports[index]!.reach.share)),
          percent(tied[index]!.reach.chance),
        ]),
      })}
      ${dataTable({
        caption: `${texts.dataBands} (${texts.names[model]}, ${formatWhole(shownSteps[at]!)})`,
        head: [...texts.bandsHead],
        rows: measured.reports[model][at]!.bands.map((band) => [
          bandName(texts, band),
          formatWhole(band.count),
          norm(band.input),
          norm(band.pull),
          norm(band.push),
          formatWhole(band.pushedRows),
        ]),
      })}
    `;
  }
}
