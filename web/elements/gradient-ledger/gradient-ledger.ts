import { html, nothing, type CSSResultGroup, type TemplateResult } from 'lit';
import { formatWhole } from '../../charts/number-format.js';
import { halfWidth } from '../shared/columns.js';
import { dataTable, titled } from '../shared/figure.js';
import { twinKinds, perModel, type PerModel } from '../shared/model-twins.js';
import type { Reports } from '../shared/twin-training.js';
import { SeededTwinElement, type Drawn } from '../shared/seeded-twin-element.js';
import { withSettings } from '../shared/settings/with-settings.js';
import { bandBars, nameOfModel } from './band-bars.js';
import { gradientLedgerPanel, gradientLedgerSettings } from './gradient-ledger.settings.js';
import { gradientLedgerStrings, type GradientLedgerStrings } from './gradient-ledger.strings.js';
import { gradientLedgerStyles } from './gradient-ledger.styles.js';
import { gainWords, lossPlot } from './loss-plot.js';
import { furthestAhead, measureModel, shownSteps, writingShare, type LedgerReport } from './measure.js';
import { isReachKnown, percent, reachPlot, sharePlot } from './step-plot.js';
import type { View } from './view.js';

/** Detail of this element's `tied-change`. */
export interface GradientLedgerChange {
  /** Null for models that were trained elsewhere. */
  readonly step: number | null;
  /** The share of writing at that step. */
  readonly writing: PerModel<number>;
}

/**
 * `<tied-gradient-ledger>`: trains a tied and an untied small GPT and splits the gradients of their tables by reading
 * and writing, pull and push, frequent and rare tokens; it also shows which tokens the losses come from.
 * `<tied-gradient-ledger weights="models.safetensors">` does the same for trained models. Attributes: `definition`
 * (`token`, `position`), `model` (`tied`, `untied`), `chance` (`shown`, `hidden`), `weights` (the URL of the trained
 * models), `trains-first` (train, until the reader chooses the trained models), `seed`, `moment` (when training).
 * Property: `finished`, an earlier measurement of a seed.
 *
 * @fires {CustomEvent<GradientLedgerChange>} tied-change - The reader has measured, or has chosen another step.
 */
export class GradientLedger extends withSettings(
  SeededTwinElement<GradientLedgerStrings, LedgerReport>,
  gradientLedgerSettings,
) {
  static override styles: CSSResultGroup = [SeededTwinElement.styles, gradientLedgerStyles];

  protected readonly ownStrings = gradientLedgerStrings;
  protected readonly controls = gradientLedgerPanel;
  protected readonly steps = shownSteps;
  protected readonly measureModel = measureModel;

  protected firstOf(trained: Reports<LedgerReport>): number {
    return furthestAhead(trained, this.definition);
  }

  protected changeAt({ measured, steps, at }: Drawn<LedgerReport>): GradientLedgerChange {
    const writing = perModel((kind) => writingShare(measured.reports[kind][at]!, this.definition));
    return { step: steps?.[at] ?? null, writing };
  }

  private viewOf(drawn: Drawn<LedgerReport>): View {
    const { texts, definition, model } = this;
    return { ...drawn, texts, definition, model, chance: this.chance === 'shown', width: halfWidth(this.width.width) };
  }

  protected captionOf(drawn: Drawn<LedgerReport> | null): string {
    const { texts } = this;
    return `${drawn?.steps === null ? '' : texts.chooseStep}${texts.caption}`;
  }

  /** The shares in the tied and in the untied model. */
  private sharesOf({ measured, definition, at }: View): [string, string] {
    return twinKinds.map((kind) => percent(writingShare(measured.reports[kind][at]!, definition))) as [string, string];
  }

  protected wordsOf(drawn: Drawn<LedgerReport>): { claim: string; rest: string } {
    const view = this.viewOf(drawn);
    const { texts, measured, steps, chance, at } = view;
    const { bands, reach } = measured.reports.tied[at]!;
    const pushed = bands.reduce((sum, { pushedRows }) => sum + pushedRows, 0);
    const rows = bands.reduce((sum, { count }) => sum + count, 0);
    const when = steps === null ? texts.inTheseModels : texts.atStep(formatWhole(steps[at]!));
    const reached = [texts.reach(percent(reach.share)), ...(chance ? [texts.byChance(percent(reach.chance))] : [])];
    return {
      claim: texts.claim(when, ...this.sharesOf(view)),
      rest: [
        texts.pushed(formatWhole(pushed), formatWhole(rows)),
        ...(isReachKnown(view) ? reached : [texts.noReach]),
        gainWords(view),
      ].join(' '),
    };
  }

  protected renderBench(drawn: Drawn<LedgerReport>): TemplateResult {
    const view = this.viewOf(drawn);
    const { texts, steps } = view;
    const shares = sharePlot(view);
    const reach = isReachKnown(view)
      ? html`<div class="rest">${titled(texts.reachTitle, { drawing: reachPlot(view).drawing })}</div>`
      : nothing;
    const drawing = this.stepSlider(drawn, {
      words: (step) => texts.stepText(step, ...this.sharesOf(view)),
      stepAt: shares.rowAt,
      drawing: html`${shares.drawing} ${reach}`,
    });
    return html`
      <div class="shares">
        ${titled(texts.shareTitle, steps === null ? { drawing } : { key: shares.key, drawing })} ${this.statusLine()}
      </div>
      <div class="bands">${titled(texts.bandsTitle(nameOfModel(texts, view)), bandBars(view))}</div>
      <div class="losses rest">${titled(texts.lossTitle, lossPlot(view))}</div>
    `;
  }

  protected renderData(drawn: Drawn<LedgerReport>): readonly TemplateResult[] {
    const view = this.viewOf(drawn);
    const overSteps = view.steps === null ? [] : [reachPlot(view)];
    return [sharePlot(view), ...overSteps, bandBars(view), lossPlot(view)].map(({ table }) => dataTable(table));
  }
}
