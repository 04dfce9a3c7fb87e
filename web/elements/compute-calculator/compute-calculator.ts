import {
  html,
  nothing,
  type CSSResultGroup,
  type PropertyDeclarations,
  type PropertyValues,
  type TemplateResult,
} from 'lit';
import { formatWhole } from '../../charts/number-format.js';
import type { Architecture, Batch } from '../../core/accounting-types.js';
import { ArchitectureElement } from '../shared/architecture/architecture-element.js';
import type { ArchitectureState } from '../shared/architecture/architecture-state.js';
import type { FigureParts } from '../shared/figure.js';
import { controlsOf } from '../shared/settings/setting-control.js';
import { valuesOf, withSettings } from '../shared/settings/with-settings.js';
import { WidthWatcher } from '../shared/width-watcher.js';
import { batchOf, chosenHeads, headSizes, type HeadSizes } from './batch.js';
import {
  batchSettings,
  computeSettings,
  headSettings,
  type BatchSettings,
  type HeadSettings,
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

interface Question {
  readonly state: ArchitectureState;
  readonly architecture: Architecture;
  readonly batch: Batch;
  readonly byReader: boolean;
}

const settingNames = Object.keys(computeSettings);

/**
 * `<tied-compute-calculator model="llama" sequences="4" tokens="128">`: the cost of a batch in a model, in
 * multiply-accumulates and in memory, tied and untied, and the cost of other heads. Attributes: those of the model, as
 * in every accounting element; `sequences`, `tokens`, `precision`, `optimizer`, `flop-per-second`, `bytes-per-second`;
 * sizes of other heads: `sampled`, `adaptive="2000 8000"`, `culled`, `clustered`.
 *
 * @fires {CustomEvent<ComputeCalculatorChange>} tied-change - The model or the batch has changed, and its cost has been counted.
 */
export class ComputeCalculator extends withSettings(ArchitectureElement<ComputeCalculatorStrings>, computeSettings) {
  static override properties: PropertyDeclarations = {
    counts: { state: true },
  };

  static override styles: CSSResultGroup = [ArchitectureElement.styles, computeCalculatorStyles];

  declare private counts: BothCounts | null;

  protected readonly ownStrings = computeCalculatorStrings;
  /** Whether the reader made the latest change. */
  private byReader = false;
  // 32,000 tokens of width 4,096, as in a published example.
  protected readonly start = 'llama';
  /** The question that the drawing answers. */
  private answered: Question | null = null;
  private readonly barWidth = new WidthWatcher(this, '.bars', 460);
  private readonly headWidth = new WidthWatcher(this, '.head-bars', 640);
  private readonly answer = this.task<Question, BothCounts>({
    run: ({ architecture, batch }) => this.askLab((lab) => countBoth(lab, architecture, batch)),
    done: (counts, question) => {
      this.counts = counts;
      this.answered = question;
      if (question.byReader) this.changed(counts satisfies ComputeCalculatorChange);
    },
    failed: (error) => {
      this.fail(error);
      if (this.problem !== null && this.counts !== null) this.problem = this.texts.refused(this.problem);
    },
  });

  constructor() {
    super();
    this.counts = null;
  }

  // ------------------------------------------------------------ state

  protected override willUpdate(changed: PropertyValues): void {
    super.willUpdate(changed);
    if (!settingNames.some((name) => changed.has(name))) return;
    this.ask(this.byReader);
    this.byReader = false;
  }

  private get batchSettings(): BatchSettings {
    return valuesOf(batchSettings, this);
  }

  private get chosenHeads(): HeadSizes {
    return chosenHeads(valuesOf(headSettings, this));
  }

  protected override get drawn(): ArchitectureState | null {
    return this.answered?.state ?? this.current;
  }

  protected override pictureNote(): string {
    const { texts } = this;
    const {
      sequences,
      tokens,
      precision = 'float32',
      optimizer = 'adamw',
    } = this.answered?.batch ?? this.batchSettings;
    const batch = texts.batch(formatWhole(sequences), formatWhole(tokens));
    return `${super.pictureNote()}. ${batch}, ${texts.precisionName(precision)}, ${texts.optimizerName(optimizer)}`;
  }

  // ------------------------------------------------------------ counting

  protected override stateChanged(_state: unknown, byReader: boolean): void {
    this.ask(byReader);
  }

  protected override wake(): void {
    super.wake();
    this.ask(false);
  }

  private ask(byReader: boolean): void {
    const { current } = this;
    if (current === null || !this.screen.woken) return;
    const { architecture } = current;
    const batch = batchOf(this.batchSettings, architecture, this.chosenHeads);
    void this.answer.request({ state: current, architecture, batch, byReader });
  }

  private set(change: Partial<BatchSettings & HeadSettings>): void {
    const values = this as unknown as Readonly<Record<string, unknown>>;
    // The end of a drag, or Enter after typing: the value has not changed.
    if (Object.entries(change).every(([name, value]) => values[name] === value)) return;
    this.problem = null;
    this.byReader = true;
    Object.assign(this, change);
  }

  private setHeads({ adaptive, ...counts }: HeadSizes): void {
    this.set({ ...counts, ...(adaptive === undefined ? {} : { adaptive: adaptive.join(' ') }) });
  }

  // ------------------------------------------------------------ the figure

  protected parts(): FigureParts {
    const { texts, counts } = this;
    const control = controlsOf(batchSettings, {
      texts,
      values: this.batchSettings,
      change: (change) => {
        this.set(change);
      },
    });
    const controls = html`
      ${this.renderPicker()}
      <div class="batch">${control('sequences')} ${control('tokens')}</div>
      <div class="choices">
        ${control('precision')} ${control('optimizer')} ${control('flopPerSecond')} ${control('bytesPerSecond')}
      </div>
    `;
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
          <p class="aside">${timeSentence(counts, this.flopPerSecond, texts)}</p>
        </div>
        <div>
          <p class="chart-title" data-picture>${texts.memoryTitle}</p>
          ${memoryChart({ texts, width, tied, untied })}
          <p class="aside">${servingSentence(counts, this.batchSettings, texts)}</p>
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
      : html`<div class="heads">
          <p class="chart-title" data-picture>${texts.headsTitle}</p>
          ${headsChart({
            texts,
            width: this.headWidth.width,
            vocabSize,
            sizes,
            heads: untied.heads,
            onSizes: (change) => {
              this.setHeads(change);
            },
          })}
        </div>`;
  }
}
