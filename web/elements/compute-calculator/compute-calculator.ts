import {
  html,
  nothing,
  type CSSResultGroup,
  type PropertyDeclarations,
  type PropertyValues,
  type TemplateResult,
} from 'lit';
import { formatWhole } from '../../charts/number-format.js';
import type { Architecture, Batch, Precision } from '../../core/accounting-types.js';
import { ArchitectureElement } from '../shared/architecture/architecture-element.js';
import type { ArchitectureState } from '../shared/architecture/architecture-state.js';
import type { FigureParts } from '../shared/figure.js';
import { LatestAnswer } from '../shared/latest-answer.js';
import { WidthWatcher } from '../shared/width-watcher.js';
import { batchControls } from './batch-controls.js';
import { computeCalculatorStrings, type ComputeCalculatorStrings } from './compute-calculator.strings.js';
import { computeCalculatorStyles } from './compute-calculator.styles.js';
import { computeData } from './compute-data.js';
import {
  batchOf,
  headSizes,
  isCount,
  isSetting,
  optimizers,
  parseCutoffs,
  precisions,
  settingAttributes,
  startSettings,
  type ComputeSettings,
  type HeadSizes,
  type Optimizer,
} from './compute-settings.js';
import { countBoth, type BothCounts } from './count-both.js';
import { headsChart } from './heads-chart.js';
import { memoryChart } from './memory-chart.js';
import { readOutSentence, servingSentence, timeSentence } from './sentences.js';
import { workChart } from './work-chart.js';

/** What `tied-change` of this element carries: `untied`, and `tied` unless vocabularies differ. */
export type ComputeCalculatorChange = BothCounts;

interface Question {
  readonly state: ArchitectureState;
  readonly architecture: Architecture;
  readonly batch: Batch;
  readonly byReader: boolean;
}

type HeadAttributes = Partial<Record<'sampled' | 'culled' | 'clustered', number>> & { readonly adaptive?: string };

const settingNames = Object.keys(settingAttributes) as (keyof ComputeSettings)[];
const headCounts = ['sampled', 'culled', 'clustered'] as const;

/**
 * `<tied-compute-calculator model="llama" sequences="4" tokens="128">`: what a batch costs in a model, in
 * multiply-accumulates and in memory, tied and untied, and what other heads would cost. Attributes: those of the model, as
 * for every element of accounting; `sequences`, `tokens`, `precision`, `optimizer`, `flop-per-second`,
 * `bytes-per-second`; sizes of other heads: `sampled`, `adaptive="2000 8000"`, `culled`, `clustered`. Event: `tied-change`.
 */
export class ComputeCalculator extends ArchitectureElement<ComputeCalculatorStrings> {
  static override properties: PropertyDeclarations = {
    ...Object.fromEntries(
      settingNames.map((name) => [
        name,
        {
          attribute: settingAttributes[name],
          reflect: true,
          type: name === 'precision' || name === 'optimizer' ? String : Number,
        },
      ]),
    ),
    ...Object.fromEntries(headCounts.map((name) => [name, { type: Number, reflect: true }])),
    adaptive: { type: String, reflect: true },
    counts: { state: true },
  };

  static override styles: CSSResultGroup = [ArchitectureElement.styles, computeCalculatorStyles];

  static override readonly linkSettings: readonly string[] = [
    ...ArchitectureElement.linkSettings,
    ...Object.values(settingAttributes),
    ...headCounts,
    'adaptive',
  ];

  declare sequences: number;
  declare tokens: number;
  declare precision: Precision;
  declare optimizer: Optimizer;
  declare flopPerSecond: number;
  declare bytesPerSecond: number;
  /** Sizes of other heads; null = what goes with the vocabulary. */
  declare sampled: number | null;
  /** Two rising ids, as in '2000 8000'. */
  declare adaptive: string | null;
  declare culled: number | null;
  declare clustered: number | null;
  declare private counts: BothCounts | null;

  protected readonly ownStrings = computeCalculatorStrings;
  /** Whether the settings that have just changed were the reader's doing. */
  private byReader = false;
  // 32,000 tokens of width 4,096, as in a published worked example.
  protected readonly start = 'llama';
  /** What the drawing is of. */
  private answered: Question | null = null;
  private readonly barWidth = new WidthWatcher(this, '.bars', 460);
  private readonly headWidth = new WidthWatcher(this, '.head-bars', 640);
  private readonly answer = new LatestAnswer<Question, BothCounts | null>(
    ({ architecture, batch }) => this.askLab((lab) => countBoth(lab, architecture, batch)),
    (counts, question) => {
      if (counts === null) return;
      this.counts = counts;
      this.answered = question;
      if (question.byReader) this.changed(counts satisfies ComputeCalculatorChange);
    },
    (error) => {
      this.fail(error);
      if (this.problem !== null && this.counts !== null) this.problem = this.texts.refused(this.problem);
    },
  );

  constructor() {
    super();
    Object.assign(this, startSettings);
    this.sampled = null;
    this.adaptive = null;
    this.culled = null;
    this.clustered = null;
    this.counts = null;
  }

  // ------------------------------------------------------------ state

  protected override willUpdate(changed: PropertyValues): void {
    super.willUpdate(changed);
    const own = [...settingNames, ...headCounts, 'adaptive'].filter((name) => changed.has(name));
    if (own.length === 0) return;
    this.checkSettings();
    this.ask(this.byReader);
    this.byReader = false;
  }

  /** Attributes may hold anything: what is wrong is named, and the figure's own takes its place. */
  private checkSettings(): void {
    const { texts } = this;
    const values = this as unknown as Record<string, unknown>;
    const refuse = (
      name: string,
      attribute: string,
      expected: string,
      used: unknown,
      usedName = String(used),
    ): void => {
      this.problem = texts.badAttribute(
        attribute,
        this.getAttribute(attribute) ?? String(values[name]),
        expected,
        usedName,
      );
      values[name] = used;
    };
    for (const name of settingNames) {
      if (isSetting(name, values[name])) continue;
      const expected =
        name === 'precision'
          ? texts.expectedOneOf(precisions.join(', '))
          : name === 'optimizer'
            ? texts.expectedOneOf(optimizers.join(', '))
            : name === 'sequences' || name === 'tokens'
              ? texts.expectedCount
              : texts.expectedRate;
      refuse(name, settingAttributes[name], expected, startSettings[name]);
    }
    for (const name of headCounts) {
      if (this[name] === null || isCount(this[name])) continue;
      refuse(name, name, texts.expectedCount, null, texts.fromVocabulary);
    }
    if (this.adaptive !== null && parseCutoffs(this.adaptive) === null) {
      refuse('adaptive', 'adaptive', texts.expectedCutoffs, null, texts.fromVocabulary);
    }
  }

  private get batchSettings(): ComputeSettings {
    const { sequences, tokens, precision, optimizer, flopPerSecond, bytesPerSecond } = this;
    return { sequences, tokens, precision, optimizer, flopPerSecond, bytesPerSecond };
  }

  private get chosenHeads(): HeadSizes {
    const { sampled, adaptive, culled, clustered } = this;
    const cutoffs = adaptive === null ? null : parseCutoffs(adaptive);
    return {
      ...(sampled === null ? {} : { sampled }),
      ...(cutoffs === null ? {} : { adaptive: cutoffs }),
      ...(culled === null ? {} : { culled }),
      ...(clustered === null ? {} : { clustered }),
    };
  }

  protected override settings(): Record<string, string> {
    const settings = this.batchSettings;
    const own = settingNames
      .filter((name) => name === 'sequences' || name === 'tokens' || settings[name] !== startSettings[name])
      .map((name) => [settingAttributes[name], String(settings[name])]);
    const heads = (['sampled', 'adaptive', 'culled', 'clustered'] as const).flatMap((name) =>
      this[name] === null ? [] : [[name, String(this[name])]],
    );
    return { ...super.settings(), ...Object.fromEntries([...own, ...heads]) };
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
    this.answer.request({ state: current, architecture, batch, byReader });
  }

  private set(change: Partial<ComputeSettings> & HeadAttributes): void {
    const values = this as unknown as Readonly<Record<string, unknown>>;
    // The end of a drag, or Enter after typing: what was said of this value holds.
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
    const controls = html`
      ${this.renderPicker()}
      ${batchControls({
        texts,
        settings: this.batchSettings,
        onChange: (change) => {
          this.set(change);
        },
      })}
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
