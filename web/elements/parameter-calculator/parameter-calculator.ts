import {
  html,
  nothing,
  type CSSResultGroup,
  type PropertyDeclarations,
  type PropertyValues,
  type TemplateResult,
} from 'lit';
import { formatWhole } from '../../charts/number-format.js';
import type { Architecture, ParameterCount, TableTying } from '../../core/accounting-types.js';
import { ArchitectureElement } from '../shared/architecture/architecture-element.js';
import type { ArchitectureState } from '../shared/architecture/architecture-state.js';
import { tablesId } from '../shared/architecture/presets.js';
import { stackOf } from '../shared/architecture/what-follows.js';
import type { FigureParts } from '../shared/figure.js';
import { controlsOf } from '../shared/settings/setting-control.js';
import { withSettings } from '../shared/settings/with-settings.js';
import { TiedElement } from '../shared/tied-element.js';
import { WidthWatcher } from '../shared/width-watcher.js';
import { renderKey, renderWays } from './calculator-bars.js';
import {
  countConfigurations,
  countState,
  shownWays,
  threeTables,
  type Compared,
  type Comparison,
  type CountedState,
} from './calculator-counts.js';
import { renderNominal, renderSaved, renderShares, savingRows } from './calculator-savings.js';
import { renderTables } from './calculator-tables.js';
import { percentOf, readOut } from './calculator-words.js';
import { calculatorSettings } from './parameter-calculator.settings.js';
import { parameterCalculatorStrings, type ParameterCalculatorStrings } from './parameter-calculator.strings.js';
import { parameterCalculatorStyles } from './parameter-calculator.styles.js';

/** Detail of the calculator's `tied-change`, sent once the change has been counted. */
export interface ParameterCalculatorChange {
  readonly model: string;
  readonly architecture: Architecture;
  readonly tying: TableTying;
  readonly vocabSize: number;
  readonly dModel: number;
  /** Null where input and output vocabularies differ. */
  readonly tied: number | null;
  readonly untied: number;
  /** Parameters that sharing saves or would save. */
  readonly saved: number;
}

interface Question {
  readonly state: ArchitectureState;
  readonly byReader: boolean;
}

/**
 * `<tied-parameter-calculator model="gpt2" n-layers="24">`: how many parameters a model has, where they are, and what
 * sharing its tables saves, relative to the tied and to the untied model. Without a model: the cost of a table of
 * `vocab-size` by `d-model`.
 *
 * @fires {CustomEvent<ParameterCalculatorChange>} tied-change - The model has changed, and its parameters have been counted.
 */
export class ParameterCalculator extends withSettings(
  ArchitectureElement<ParameterCalculatorStrings>,
  calculatorSettings,
) {
  static override properties: PropertyDeclarations = {
    counted: { state: true },
    compared: { state: true },
    three: { state: true },
  };

  static override styles: CSSResultGroup = [TiedElement.styles, parameterCalculatorStyles];

  declare private counted: CountedState | null;
  declare private compared: Compared | null;
  /** The tables in the note on encoder-decoders. */
  declare private three: ParameterCount | null;

  protected readonly ownStrings = parameterCalculatorStrings;
  protected readonly start: string = tablesId;
  private readonly waysWidth = new WidthWatcher(this, '.ways', 640);
  private readonly chartWidth = new WidthWatcher(this, '.bars', 400);

  private readonly counts = this.task<Question, CountedState>({
    run: ({ state, byReader }) => this.askLab((lab) => countState(lab, state, byReader)),
    done: (counted) => {
      this.take(counted);
    },
    failed: (error) => {
      this.fail(error);
      if (this.problem !== null && this.counted !== null) this.problem = this.texts.refused(this.problem);
    },
  });
  private readonly comparison = this.task<Comparison, Compared['rows']>({
    run: (as) => this.askLab((lab) => countConfigurations(lab, as)),
    done: (rows, as) => {
      this.compared = { as, rows };
    },
  });
  private readonly threeTables = this.task<void, ParameterCount>({
    run: () => this.askLab((lab) => lab.countParameters(threeTables, 'tied')),
    done: (three) => {
      this.three = three;
    },
  });

  constructor() {
    super();
    this.counted = null;
    this.compared = null;
    this.three = null;
  }

  // ------------------------------------------------------------ counting

  /** Counting starts when the figure comes near the screen. */
  protected override wake(): void {
    super.wake();
    if (this.current !== null) this.count(this.current, false);
  }

  protected override stateChanged(state: ArchitectureState, byReader: boolean): void {
    if (this.screen.woken) this.count(state, byReader);
  }

  private count(state: ArchitectureState, byReader: boolean): void {
    void this.counts.request({ state, byReader });
  }

  private take(counted: CountedState): void {
    this.counted = counted;
    if (!counted.byReader) return;
    const { state, shared, untied } = counted;
    const { model, architecture, tying } = state;
    const change: ParameterCalculatorChange = {
      model,
      architecture,
      tying,
      vocabSize: architecture.vocabSize,
      dModel: architecture.dModel,
      tied: shared.count.tied,
      untied: untied.count.stored,
      saved: shared.count.saved,
    };
    this.changed(change);
  }

  protected override willUpdate(changed: PropertyValues): void {
    super.willUpdate(changed);
    if (!this.screen.woken || this.tablesAlone) return;
    if (this.compared?.as !== this.compare) void this.comparison.request(this.compare);
    if (this.twoStacks && this.three === null) void this.threeTables.request();
  }

  // ------------------------------------------------------------ the figure

  /** The state to draw: the last one counted, otherwise the pending one. */
  private get shown(): ArchitectureState | null {
    return this.counted?.state ?? this.current;
  }

  protected override get drawn(): ArchitectureState | null {
    return this.shown;
  }

  private get tablesAlone(): boolean {
    return this.shown?.model === tablesId;
  }

  private get twoStacks(): boolean {
    return this.shown !== null && stackOf(this.shown.architecture) === 'encoder-decoder';
  }

  protected parts(): FigureParts {
    const { texts, counted, tablesAlone, twoStacks } = this;
    const sentence = counted === null ? null : readOut(texts, counted, tablesAlone);
    return {
      title: texts.title,
      controls: this.renderPicker({
        tyings: ['tied', 'untied', 'tied-linear', 'tied-mlp', 'tied-low-rank', 'tied-inputs', 'tied-decoder'],
      }),
      drawing: this.renderDrawing(),
      readOut:
        sentence === null ? texts.waiting : html`<strong class="is-tied">${sentence.claim}</strong>${sentence.rest}`,
      ...(sentence === null ? {} : { announcement: `${sentence.claim}${sentence.rest}` }),
      caption: html`${tablesAlone ? texts.caption : texts.modelCaption}${this.renderThreeTables()}`,
      ...(counted === null
        ? {}
        : { data: () => renderTables(texts, counted, this.compared, { tablesAlone, twoStacks }) }),
    };
  }

  private renderDrawing(): TemplateResult {
    const { texts, counted, tablesAlone, twoStacks, shown } = this;
    const ways = renderWays({
      texts,
      width: tablesAlone ? this.chartWidth.width : this.waysWidth.width,
      ways: shown === null ? ['tied', 'untied'] : shownWays(shown),
      twoStacks,
      counted,
    });
    if (tablesAlone) {
      return html`
        <div class="charts">
          <div>
            <p class="chart-title" data-picture>${texts.tablesTitle}</p>
            <div class="bars">${ways}</div>
          </div>
          <div>
            <p class="chart-title" data-picture>${texts.modelsTitle}</p>
            <div class="bars">${renderNominal(texts, this.chartWidth.width, counted)}</div>
          </div>
        </div>
      `;
    }
    const control = controlsOf(calculatorSettings, {
      texts,
      values: { compare: this.compare },
      change: (change) => Object.assign(this, change),
    });
    const rows = savingRows(texts, this.compared, counted);
    return html`
      <p class="chart-title" data-picture>${texts.partsTitle}</p>
      <div class="ways">${ways}</div>
      ${renderKey(texts, counted, twoStacks)}
      <div class="comparison">
        ${control('compare')}
        <span class="note">${this.compare === 'formula' ? texts.formulaNote : texts.gptNote}</span>
      </div>
      <div class="charts">
        <div>
          <p class="chart-title" data-picture>${texts.savedTitle}</p>
          <div class="bars">${renderSaved(texts, this.chartWidth.width, rows)}</div>
        </div>
        <div>
          <p class="chart-title" data-picture>${texts.sharesTitle}</p>
          <div class="bars">${renderShares(texts, this.chartWidth.width, rows)}</div>
        </div>
      </div>
    `;
  }

  private renderThreeTables(): TemplateResult | typeof nothing {
    const { texts, three } = this;
    if (!this.twoStacks || three === null) return nothing;
    const words = texts.threeTables({
      untied: formatWhole(three.untied),
      tied: formatWhole(three.stored),
      saved: formatWhole(three.saved),
      ofUntied: percentOf(texts, three.savedOfUntied),
    });
    return html`<p class="aside">${words}</p>`;
  }
}
