import { html, nothing, type CSSResultGroup, type TemplateResult } from 'lit';
import { formatWhole } from '../../charts/number-format.js';
import { halfWidth } from '../shared/columns.js';
import { dataTable } from '../shared/figure.js';
import { pairKinds } from '../shared/model-pair.js';
import type { PerModel, Reports } from '../shared/pair-training.js';
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
    const { tied, untied } = measured.reports;
    const { definition } = this;
    return {
      step: steps?.[at] ?? null,
      writing: { tied: writingShare(tied[at]!, definition), untied: writingShare(untied[at]!, definition) },
    };
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
    return pairKinds.map((kind) => percent(writingShare(measured.reports[kind][at]!, definition))) as [string, string];
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
    const { texts, steps, at } = view;
    const [shares, bands, losses] = [sharePlot(view), bandBars(view), lossPlot(view)];
    const plots = html`
      ${shares.drawing}
      ${
        isReachKnown(view)
          ? html`<p class="part-title" data-picture>${texts.reachTitle}</p>
              ${reachPlot(view).drawing}`
          : nothing
      }
    `;
    return html`
      <div class="shares">
        <p class="part-title" data-picture>${texts.shareTitle}</p>
        ${
          steps === null
            ? plots
            : html`${shares.key}
              ${this.stepSlider(
                { steps, at },
                {
                  words: (step) => texts.stepText(step, ...this.sharesOf(view)),
                  stepAt: shares.rowAt,
                  drawing: plots,
                },
              )}`
        }
        ${this.statusLine()}
      </div>
      <div class="bands">
        <p class="part-title" data-picture>${texts.bandsTitle(nameOfModel(texts, view))}</p>
        ${bands.key} ${bands.drawing}
      </div>
      <div class="losses">
        <p class="part-title" data-picture>${texts.lossTitle}</p>
        ${losses.key} ${losses.drawing}
      </div>
    `;
  }

  protected renderData(drawn: Drawn<LedgerReport>): readonly TemplateResult[] {
    const view = this.viewOf(drawn);
    const overSteps = view.steps === null ? [] : [reachPlot(view)];
    return [sharePlot(view), ...overSteps, bandBars(view), lossPlot(view)].map(({ table }) => dataTable(table));
  }
}
