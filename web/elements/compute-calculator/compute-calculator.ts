import { html, nothing, type CSSResultGroup, type TemplateResult } from 'lit';
import { formatWhole } from '../../charts/number-format.js';
import type { Batch } from '../../core/accounting/types.js';
import type { Lab } from '../../core/types.js';
import { ArchitectureElement } from '../shared/architecture/architecture-element.js';
import type { ArchitectureState } from '../shared/architecture/architecture-state.js';
import type { FigureParts } from '../shared/figure.js';
import { valuesOf, withSettings } from '../shared/settings/with-settings.js';
import { WidthWatcher } from '../shared/width-watcher.js';
import { batchOf, chosenHeads, headSizes, type HeadSizes } from './batch.js';
import {
  batchPanel,
  batchSettings,
  computeSettings,
  headSettings,
  type BatchSettings,
} from './compute-calculator.settings.js';
import { computeCalculatorStrings, type ComputeCalculatorStrings } from './compute-calculator.strings.js';
import { computeCalculatorStyles } from './compute-calculator.styles.js';
import { computeData } from './compute-data.js';
import { countBoth, type BothCounts } from './count-both.js';
import { headsChart } from './heads-chart.js';
import { memoryChart } from './memory-chart.js';
import { readOutSentence, servingSentence, timeSentence } from './sentences.js';
import { workChart } from './work-chart.js';

/** Detail of this element's `tied-change`: `untied`, and `tied` unless the vocabularies differ. */
export type ComputeCalculatorChange = BothCounts;

/** The counts, and the batch that was counted. */
interface ComputeAnswer extends BothCounts {
  readonly batch: Batch;
}

/**
 * `<tied-compute-calculator model="llama" sequences="4" tokens="128">`: the cost of a batch in a model, in
 * multiply-accumulates and in memory, tied and untied, and the cost of other heads. Attributes: the model's, as in
 * every accounting element; `sequences`, `tokens`, `precision`, `optimizer`, `flop-per-second`, `bytes-per-second`;
 * sizes of other heads: `sampled`, `adaptive="2000 8000"`, `culled`, `clustered`.
 *
 * @fires {CustomEvent<ComputeCalculatorChange>} tied-change - The model or the batch has changed, and its cost has been counted.
 */
export class ComputeCalculator extends withSettings(
  ArchitectureElement<ComputeCalculatorStrings, ComputeAnswer>,
  computeSettings,
) {
  static override styles: CSSResultGroup = [ArchitectureElement.styles, computeCalculatorStyles];

  protected readonly ownStrings = computeCalculatorStrings;
  // 32,000 tokens of width 4,096, as in a published example.
  protected readonly start = 'llama';
  private readonly barWidth = new WidthWatcher(this, '.bars', 460);
  private readonly headWidth = new WidthWatcher(this, '.head-bars', 640);
  // ------------------------------------------------------------ counting

  private get batchSettings(): BatchSettings {
    return valuesOf(batchSettings, this);
  }

  private get chosenHeads(): HeadSizes {
    return chosenHeads(valuesOf(headSettings, this));
  }

  protected override pictureNote(): string {
    const { texts } = this;
    const { sequences, tokens, precision = 'float32', optimizer = 'adamw' } = this.answer?.batch ?? this.batchSettings;
    const batch = texts.batch(formatWhole(sequences), formatWhole(tokens));
    return `${super.pictureNote()}. ${batch}, ${texts.precisionName(precision)}, ${texts.optimizerName(optimizer)}`;
  }

  protected async answerTo(lab: Lab, { architecture }: ArchitectureState): Promise<ComputeAnswer> {
    const batch = batchOf(this.batchSettings, architecture, this.chosenHeads);
    return { ...(await countBoth(lab, architecture, batch)), batch };
  }

  protected changeOf({ tied, untied }: ComputeAnswer): ComputeCalculatorChange {
    return { tied, untied };
  }

  // ------------------------------------------------------------ the figure

  protected parts(): FigureParts {
    const { texts, answer: counts } = this;
    const controls = html`${this.renderPicker()}${this.panel(batchPanel)}`;
    if (counts === null) {
      const waiting = html`<p class="waiting">${this.problem === null ? texts.working : nothing}</p>`;
      return { title: texts.title, controls, drawing: waiting, hasPicture: false };
    }
    const sentence = readOutSentence(counts, texts);
    return {
      title: texts.title,
      controls,
      drawing: html`${this.renderCharts(counts)}
        <p class="read-out" part="read-out">${sentence}</p>
        ${this.renderHeads(counts)}`,
      announcement: sentence,
      caption: texts.caption,
      data: () => computeData(counts, texts),
    };
  }

  private renderCharts(counts: BothCounts): TemplateResult {
    const { texts } = this;
    const { width } = this.barWidth;
    const { tied, untied } = counts;
    return html`
      <div class="charts">
        <div>
          <p class="chart-title" data-picture>${texts.workTitle}</p>
          ${workChart(untied, width, texts)}
          <p class="aside rest">${timeSentence(counts, this.flopPerSecond, texts)}</p>
        </div>
        <div>
          <p class="chart-title" data-picture>${texts.memoryTitle}</p>
          ${memoryChart({ texts, width, tied, untied })}
          <p class="aside rest">${servingSentence(counts, this.batchSettings, texts)}</p>
        </div>
      </div>
    `;
  }

  private renderHeads({ untied }: BothCounts): TemplateResult | typeof nothing {
    const { texts } = this;
    const vocabSize = untied.architecture.outputVocabSize;
    const sizes = headSizes(vocabSize, this.chosenHeads);
    return sizes === null
      ? nothing
      : html`<div class="heads rest">
          <p class="chart-title" data-picture>${texts.headsTitle}</p>
          ${headsChart({
            texts,
            width: this.headWidth.width,
            vocabSize,
            sizes,
            heads: untied.heads,
            onSizes: ({ adaptive, ...counts }) =>
              this.changeSettings({ ...counts, ...(adaptive === undefined ? {} : { adaptive: adaptive.join(' ') }) }),
          })}
        </div>`;
  }
}
