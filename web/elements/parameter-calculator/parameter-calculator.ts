import { html, nothing, type CSSResultGroup, type PropertyValues, type TemplateResult } from 'lit';
import { state } from 'lit/decorators.js';
import { formatWhole } from '../../charts/number-format.js';
import type { Architecture, ParameterCount, TableTying } from '../../core/accounting/types.js';
import type { Lab } from '../../core/types.js';
import { ArchitectureElement } from '../shared/architecture/architecture-element.js';
import type { ArchitectureState } from '../shared/architecture/architecture-state.js';
import { tablesId } from '../shared/architecture/presets.js';
import { stackOf } from '../shared/architecture/what-follows.js';
import type { FigureParts } from '../shared/figure.js';
import { withSettings } from '../shared/settings/with-settings.js';
import { TiedElement } from '../shared/tied-element.js';
import { WidthWatcher } from '../shared/width-watcher.js';
import { renderKey, renderWays } from './calculator-bars.js';
import type * as inFiles from './calculator-bytes.js';
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

type InFiles = typeof inFiles;

/** Detail of the calculator's `tied-change`, sent once the change has been counted. */
export interface ParameterCalculatorChange {
  readonly model: string;
  readonly architecture: Architecture;
  readonly tying: TableTying;
  readonly vocabSize: number;
  readonly dModel: number;
  /** Null if input and output vocabularies differ. */
  readonly tied: number | null;
  readonly untied: number;
  /** Parameters that sharing saves or would save. */
  readonly saved: number;
}

/**
 * `<tied-parameter-calculator model="gpt2" n-layers="24">`: how many parameters a model has, where they are, and what
 * sharing its tables saves, relative to the tied and to the untied model. Without a model: the cost of a table of
 * `vocab-size` by `d-model`.
 *
 * @fires {CustomEvent<ParameterCalculatorChange>} tied-change - The model has changed, and its parameters have been counted.
 */
export class ParameterCalculator extends withSettings(
  ArchitectureElement<ParameterCalculatorStrings, CountedState>,
  calculatorSettings,
) {
  static override styles: CSSResultGroup = [TiedElement.styles, parameterCalculatorStyles];

  @state() private compared: Compared | null = null;
  /** The tables in the note on encoder-decoders. */
  @state() private three: ParameterCount | null = null;

  protected readonly ownStrings = parameterCalculatorStrings;
  protected readonly start: string = tablesId;
  private readonly waysWidth = new WidthWatcher(this, '.ways', 640);
  private readonly chartWidth = new WidthWatcher(this, '.bars', 400);

  /** What lists bytes in files; null until the exact numbers are open. */
  @state() private inFiles: InFiles | null = null;
  private readonly loadingFiles = this.task<void, InFiles>({
    run: () => import('./calculator-bytes.js'),
    done: (inFiles) => {
      this.inFiles = inFiles;
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

  // ------------------------------------------------------------ counting

  protected answerTo(lab: Lab, state: ArchitectureState): Promise<CountedState> {
    return countState(lab, state);
  }

  protected changeOf({ state, shared, untied }: CountedState): ParameterCalculatorChange {
    const { model, architecture, tying } = state;
    return {
      model,
      architecture,
      tying,
      vocabSize: architecture.vocabSize,
      dModel: architecture.dModel,
      tied: shared.count.tied,
      untied: untied.count.stored,
      saved: shared.count.saved,
    };
  }

  /** The sizes to compare with do not depend on the model, and bytes are not the lab's. */
  protected override asksFor(setting: string): boolean {
    return setting !== 'compare' && setting !== 'files';
  }

  protected override willUpdate(changed: PropertyValues): void {
    super.willUpdate(changed);
    if (!this.screen.woken || this.tablesAlone) return;
    if (this.compared?.as !== this.compare) this.comparison.want(this.compare);
    if (this.twoStacks && this.three === null) this.threeTables.want();
  }

  // ------------------------------------------------------------ the figure

  private get tablesAlone(): boolean {
    return this.drawn?.model === tablesId;
  }

  private get twoStacks(): boolean {
    return this.drawn !== null && stackOf(this.drawn.architecture) === 'encoder-decoder';
  }

  protected parts(): FigureParts {
    const { texts, answer: counted, tablesAlone, twoStacks } = this;
    const sentence = counted === null ? null : readOut(texts, counted, tablesAlone);
    return {
      title: texts.title,
      controls: this.renderPicker({
        tyings: ['tied', 'untied', 'tied-linear', 'tied-mlp', 'tied-low-rank', 'tied-inputs', 'tied-decoder'],
      }),
      drawing: this.renderDrawing(),
      readOut:
        sentence === null
          ? texts.waiting
          : html`<strong class="is-tied">${sentence.claim}</strong>${sentence.rest}<span class="rest"
                >${sentence.totals}</span
              >`,
      ...(sentence === null ? {} : { announcement: `${sentence.claim}${sentence.rest}${sentence.totals}` }),
      caption: html`${tablesAlone ? texts.caption : texts.modelCaption}${this.renderThreeTables()}`,
      ...(counted === null
        ? {}
        : {
            data: () =>
              html`${renderTables(texts, counted, this.compared, { tablesAlone, twoStacks })}${this.bytesOf(counted)}`,
          }),
    };
  }

  /** Asks for what it needs after the update in which it is first shown. */
  private bytesOf({ chosen }: CountedState): TemplateResult | typeof nothing {
    if (this.inFiles === null) queueMicrotask(() => this.loadingFiles.want());
    return this.inFiles?.bytesTable(this.texts, chosen.count.architecture, this.files) ?? nothing;
  }

  private renderDrawing(): TemplateResult {
    const { texts, answer: counted, tablesAlone, twoStacks, drawn } = this;
    const ways = renderWays({
      texts,
      width: tablesAlone ? this.chartWidth.width : this.waysWidth.width,
      ways: drawn === null ? ['tied', 'untied'] : shownWays(drawn),
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
    const rows = savingRows(texts, this.compared, counted);
    return html`
      <p class="chart-title rest" data-picture>${texts.partsTitle}</p>
      <div class="ways">${ways}</div>
      ${renderKey(texts, counted, twoStacks)}
      <div class="comparison row rest">${this.panel(['compare', 'files'])}</div>
      <div class="charts rest">
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
