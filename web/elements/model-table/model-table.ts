import { html, nothing, type CSSResultGroup, type PropertyValues, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import { formatWhole } from '../../charts/number-format.js';
import type { KnownModel } from '../../core/accounting/types.js';
import { button } from '../shared/controls.js';
import type { FigureParts } from '../shared/figure.js';
import type { Values } from '../shared/settings/setting.js';
import { withSettings } from '../shared/settings/with-settings.js';
import { TiedElement } from '../shared/tied-element.js';
import { webLink } from '../shared/web-link.js';
import { WidthWatcher } from '../shared/width-watcher.js';
import { firstOrder, sortedRows, type SortOrder } from './columns.js';
import { loadRows } from './load-rows.js';
import { modelTableStrings, type ModelTableStrings, type SortKey } from './model-table.strings.js';
import { modelTableStyles } from './model-table.styles.js';
import { rowsCardsStyles } from './rows-cards.styles.js';
import { rowsTableStyles } from './rows-table.styles.js';
import { savingsChartStyles } from './savings-chart.styles.js';
import { familiesOf, filteredRows, type ModelRow, type RowFilter } from './model-rows.js';
import { linkToModel, openModelIn } from './open-model.js';
import { rowsTable } from './rows-table.js';
import { savingsChart } from './savings-chart.js';
import { modelSentence, summarySentence } from './sentences.js';
import {
  chartPanel,
  filterPanel,
  firstRows,
  isFiltered,
  isMoved,
  sortPanel,
  start,
  startFilter,
  tableSettings,
} from './model-table.settings.js';
import { tableData } from './table-data.js';

/** Detail of the table's `tied-change`. */
export interface ModelTableChange {
  /** Ids of the filtered models, in the order shown. */
  readonly models: readonly string[];
  readonly sort: SortKey;
  readonly order: SortOrder;
  /** Id of the model whose details are open. */
  readonly opened: string | null;
}

/** Detail of `tied-model`: the reader wants to open this model elsewhere. */
export interface ModelChoice {
  readonly id: string;
  readonly model: KnownModel;
}

/**
 * `<tied-model-table for="calculator">`: known language models, tied and untied, with what tying saves or would save,
 * as a chart and a sortable table. Attributes `sort`, `order`, `tying`, `family`, `search`, `model` (whose details are
 * open), and `chart`: 'rule', the quantity of the rule of thumb with its thresholds, or 'saved', what tying saves. A
 * row's model opens in the elements whose ids are in `for`, through their attribute `model`; without `for`, through the
 * link `calculator-link` (http, https or relative), in which `{model}` stands for the id. `for=""` shows the buttons
 * for a page that only listens.
 *
 * @fires {CustomEvent<ModelTableChange>} tied-change - The reader has sorted, filtered or opened a row.
 * @fires {CustomEvent<ModelChoice>} tied-model - The reader wants to open a model elsewhere. `preventDefault` prevents it.
 */
export class ModelTable extends withSettings(TiedElement<ModelTableStrings>, tableSettings) {
  static override styles: CSSResultGroup = [
    TiedElement.styles,
    modelTableStyles,
    savingsChartStyles,
    rowsTableStyles,
    // After the table's styles, which it overrides.
    rowsCardsStyles,
  ];

  @property({ type: String, attribute: 'for' }) htmlFor: string | null = null;
  @property({ type: String, attribute: 'calculator-link' }) calculatorLink: string | null = null;
  /** Every known model; null until they have been counted. */
  @state() private rows: readonly ModelRow[] | null = null;
  /** Whether all rows are shown. */
  @state() private all = false;
  /** Id of the model under the pointer or focus in the chart. */
  @state() private pointed: string | null = null;

  protected readonly ownStrings = modelTableStrings;
  private readonly chartWidth = new WidthWatcher(this, '.chart-place', 640);
  private readonly loading = this.task<void, readonly ModelRow[]>({
    run: () => this.askLab(loadRows),
    done: (rows) => {
      this.rows = rows;
    },
  });
  /** The mark that Tab focuses first. */
  private tabStop: string | null = null;

  // ------------------------------------------------------------ state

  protected override willUpdate(changed: PropertyValues): void {
    super.willUpdate(changed);
    const link = this.calculatorLink;
    if (link !== null && webLink(linkToModel(link, 'model')) === null) {
      this.problem = this.texts.badLink('calculator-link', link);
      this.calculatorLink = null;
    }
    const { rows } = this;
    if (rows === null) return;
    const families: readonly string[] = familiesOf(rows);
    if (this.family !== '' && !families.includes(this.family)) {
      const expected = this.texts.expectedOneOf(families.join(', '));
      this.problem = this.texts.badAttribute('family', this.family, expected, this.texts.allFamilies);
      this.family = '';
    }
    if (this.model === null || !(changed.has('model') || changed.has('rows'))) return;
    if (!rows.some(({ model }) => model.id === this.model)) {
      this.problem = this.texts.noSuchModel(this.model);
      this.model = null;
    } else if (!this.shownRows.some(({ model }) => model.id === this.model)) {
      // A requested model is shown even if a filter would hide it.
      if (!this.chosenRows.some(({ model }) => model.id === this.model)) Object.assign(this, startFilter);
      this.all = true;
    }
  }

  private get filter(): RowFilter {
    return { tying: this.tying, family: this.family, search: this.search };
  }

  private get chosenRows(): ModelRow[] {
    return sortedRows(filteredRows(this.rows ?? [], this.filter), this.sort, this.order);
  }

  private get shownRows(): ModelRow[] {
    const chosen = this.chosenRows;
    return this.all ? chosen : chosen.slice(0, firstRows(this.chartWidth.width));
  }

  protected override wake(): void {
    if (this.rows === null) void this.loading.request();
  }

  // ------------------------------------------------------------ what the reader does

  private report(): void {
    this.problem = null;
    const change: ModelTableChange = {
      models: this.chosenRows.map(({ model }) => model.id),
      sort: this.sort,
      order: this.order,
      opened: this.model,
    };
    this.changed(change);
  }

  /** A second press on the same column reverses the order. */
  private sortBy(key: SortKey): void {
    const turned = this.order === 'ascending' ? 'descending' : 'ascending';
    this.order = key === this.sort ? turned : firstOrder(key);
    this.sort = key;
    this.report();
  }

  protected override changeSettings(changes: Values): void {
    if ('sort' in changes) {
      this.sortBy(changes['sort'] as SortKey);
      return;
    }
    super.changeSettings(changes);
    const { model } = this;
    if (model !== null && !this.chosenRows.some((row) => row.model.id === model)) this.model = null;
    this.report();
  }

  private toggle(id: string): void {
    this.model = this.model === id ? null : id;
    this.report();
  }

  /** Moves from the chart to the row. */
  private async find(id: string): Promise<void> {
    this.tabStop = id;
    this.model = id;
    this.report();
    await this.updateComplete;
    const row = this.renderRoot.querySelector(`tr[data-model="${CSS.escape(id)}"]`);
    row?.querySelector<HTMLElement>('.toggle')?.focus({ preventScroll: true });
    row?.scrollIntoView({ block: 'center' });
  }

  private openElsewhere({ model }: ModelRow, event: Event): void {
    const detail: ModelChoice = { id: model.id, model };
    const choice = new CustomEvent('tied-model', { detail, bubbles: true, composed: true, cancelable: true });
    if (!this.dispatchEvent(choice)) {
      event.preventDefault();
      return;
    }
    const ids = this.htmlFor?.trim() ?? '';
    if (ids === '') return;
    this.problem = openModelIn(this, ids, model.id) ? null : this.texts.noTarget(ids);
  }

  // ------------------------------------------------------------ the figure

  protected parts(): FigureParts {
    const { texts, rows } = this;
    if (rows === null) {
      const waiting = html`<p class="waiting">${this.problem === null ? texts.working : nothing}</p>`;
      return { title: texts.title, drawing: waiting, hasPicture: false };
    }
    const chosen = this.chosenRows;
    const opened = rows.find(({ model }) => model.id === this.model);
    const sentence =
      opened === undefined ? summarySentence(chosen, isFiltered(this), texts) : modelSentence(opened, texts);
    return {
      title: texts.title,
      controls: this.panel(filterPanel, { reset: this.renderReset() }, { families: familiesOf(rows) }),
      drawing: html`
        ${this.panel(chartPanel)}
        <div class="chart-place">${this.renderChart(rows, chosen)}</div>
        <p class="read-out" part="read-out">${sentence}</p>
        <div class=${this.model === null ? 'rest' : ''}>
          ${this.panel(sortPanel, { turn: this.renderTurn() })} ${this.renderTable()} ${this.renderMore(chosen.length)}
        </div>
      `,
      announcement: sentence,
      caption: texts.caption,
      data: () => tableData(chosen, texts),
    };
  }

  private renderReset(): TemplateResult | typeof nothing {
    const reset = (): void => {
      Object.assign(this, start);
      this.all = false;
      this.report();
    };
    return isMoved(this) || this.model !== null
      ? button({ label: this.texts.reset, kind: 'quiet', onPress: reset })
      : nothing;
  }

  private renderTurn(): TemplateResult {
    return button({ label: this.texts[this.order], onPress: () => this.sortBy(this.sort) });
  }

  private renderChart(rows: readonly ModelRow[], chosen: readonly ModelRow[]): TemplateResult {
    return savingsChart({
      texts: this.texts,
      axis: this.chart,
      width: this.chartWidth.width,
      rows,
      chosen: new Set(chosen.map(({ model }) => model.id)),
      pointed: this.pointed,
      opened: this.model,
      tabStop: this.tabStop,
      onPoint: (id) => {
        if (id !== null) this.tabStop = id;
        this.pointed = id;
      },
      onOpen: (id) => void this.find(id),
    });
  }

  private renderTable(): TemplateResult {
    const { calculatorLink } = this;
    return rowsTable({
      texts: this.texts,
      rows: this.shownRows,
      sort: this.sort,
      order: this.order,
      opened: this.model,
      opening:
        this.htmlFor !== null
          ? { kind: 'press' }
          : calculatorLink !== null
            ? { kind: 'link', to: (id) => webLink(linkToModel(calculatorLink, id)) }
            : { kind: 'none' },
      onSort: (key) => this.sortBy(key),
      onToggle: (id) => this.toggle(id),
      onOpen: (row, event) => this.openElsewhere(row, event),
    });
  }

  private renderMore(count: number): TemplateResult | typeof nothing {
    if (count <= firstRows(this.chartWidth.width)) return nothing;
    const { texts } = this;
    return html`<p class="more">
      ${button({
        label: this.all ? texts.showFewer : texts.showAll(formatWhole(count)),
        expanded: this.all,
        onPress: () => {
          this.all = !this.all;
        },
      })}
    </p>`;
  }
}
