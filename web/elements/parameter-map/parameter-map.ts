import { html, nothing, type CSSResultGroup, type TemplateResult } from 'lit';
import { state } from 'lit/decorators.js';
import { formatCompact, formatWhole } from '../../charts/number-format.js';
import type { ImportedModel } from '../../core/accounting/types.js';
import { architectureStrings, type ArchitectureStrings } from '../shared/architecture/architecture.strings.js';
import { ConfigReader } from '../shared/architecture/config-reader.js';
import { button } from '../shared/controls.js';
import { dataTable, type FigureParts } from '../shared/figure.js';
import { FileDrop } from '../shared/file-drop.js';
import type { Values } from '../shared/settings/setting.js';
import { withSettings } from '../shared/settings/with-settings.js';
import { TiedElement } from '../shared/tied-element.js';
import { WidthWatcher } from '../shared/width-watcher.js';
import { barsOf, percent, rowInWords } from './drawing.js';
import { loadRows, ownRow, readOnlyShare, shownRows, tablesShare, type MapRow } from './model-rows.js';
import { parameterMapPanel, parameterMapSettings, type MapSettings } from './parameter-map.settings.js';
import { parameterMapStrings, type ParameterMapStrings } from './parameter-map.strings.js';
import { parameterMapStyles } from './parameter-map.styles.js';

/** Detail of this element's `tied-change`. */
export interface ParameterMapChange {
  /** Ids of the models shown, in their order; 'own': of the reader. */
  readonly models: readonly string[];
}

/** Models of the reader that are kept; a further one replaces the oldest. */
const mostOwn = 5;

/**
 * `<tied-parameter-map order="tables">`: where the parameters of published models are, one bar for each: in tables that read and write
 * tokens, only read, only write, and in what computes between them. Attributes `order` ('year', 'tables', 'size'), `scale` ('share' or
 * 'count'), `search` and `all`. The reader's own `config.json`, pasted, dropped or chosen, lands among them.
 *
 * @fires {CustomEvent<ParameterMapChange>} tied-change - The reader has sorted, filtered or added a model.
 */
export class ParameterMap extends withSettings(TiedElement<ParameterMapStrings>, parameterMapSettings) {
  static override styles: CSSResultGroup = [TiedElement.styles, parameterMapStyles];

  /** Every known model; null until they have been counted. */
  @state() private known: readonly MapRow[] | null = null;
  /** Models of the reader, the newest first. */
  @state() private own: readonly MapRow[] = [];
  @state() private configOpen = false;
  /** The bar under the pointer or with the focus, and the one whose words stay. */
  @state() private pointed: MapRow | null = null;
  @state() private chosen: MapRow | null = null;
  /** The bar that Tab comes to: the last one that was at the focus. */
  private stop: MapRow | null = null;

  protected readonly ownStrings = parameterMapStrings;
  private readonly width = new WidthWatcher(this, '.plot', 640);
  private readonly loading = this.task<void, readonly MapRow[]>({
    run: () => this.askLab(loadRows),
    done: (rows) => {
      this.known = rows;
    },
  });
  private readonly counting = this.task<ImportedModel, MapRow>({
    order: 'replace',
    run: (model) => this.askLab((lab) => ownRow(lab, model)),
    done: (row) => {
      const others = this.own.filter(({ name }) => name !== row.name);
      this.own = [row, ...others].slice(0, mostOwn);
      this.chosen = null;
      this.report();
    },
  });
  private readonly reader = new ConfigReader(this, (model) => void this.counting.request(model));
  private readonly drop = new FileDrop(this, (files) => void this.read(files));

  constructor() {
    super();
    this.addEventListener('paste', this.onPaste);
  }

  private get rows(): MapRow[] {
    const { order, search, all } = this as MapSettings;
    return shownRows([...(this.known ?? []), ...this.own], { order, search, all });
  }

  private get readerTexts(): ArchitectureStrings {
    return architectureStrings;
  }

  protected override wake(): void {
    if (this.known === null) void this.loading.request();
  }

  private async read(from: string | readonly File[]): Promise<void> {
    this.configOpen = true;
    await this.reader.read(from, (text) => this.askLab((lab) => lab.importConfig(text)), this.readerTexts);
  }

  private readonly onPaste = (event: ClipboardEvent): void => {
    const text = event.clipboardData?.getData('text') ?? '';
    if (!text.trimStart().startsWith('{')) return;
    event.preventDefault();
    void this.read(text);
  };

  private report(): void {
    const change: ParameterMapChange = { models: this.rows.map(({ id }) => id) };
    this.changed(change);
  }

  protected override changeSettings(changes: Values): void {
    super.changeSettings(changes);
    this.report();
  }

  private renderConfig(): TemplateResult {
    const { texts } = this;
    const open = this.configOpen || this.drop.hovering;
    return html`<span class="rest">
        ${button({
          label: texts.openConfig,
          kind: 'quiet',
          expanded: open,
          onPress: () => {
            this.configOpen = !this.configOpen;
          },
        })}
      </span>
      ${open ? this.reader.render(this.readerTexts, this.drop.hovering, (from) => void this.read(from)) : nothing}`;
  }

  protected parts(): FigureParts {
    const { texts } = this;
    const { scale } = this as MapSettings;
    const frame: Omit<FigureParts, 'drawing'> = {
      title: texts.title,
      controls: html`${this.panel(parameterMapPanel)} ${this.renderConfig()}`,
      caption: texts.caption,
    };
    if (this.known === null) return { ...frame, drawing: html`<div class="plot"></div>`, readOut: texts.loading };
    const { rows } = this;
    if (rows.length === 0) {
      return { ...frame, drawing: html`<div class="plot"></div>`, readOut: texts.nothing, hasPicture: false };
    }
    const chosen = this.chosen !== null && rows.includes(this.chosen) ? this.chosen : null;
    const pointed = this.pointed !== null && rows.includes(this.pointed) ? this.pointed : null;
    const pointing = {
      ...{ pointed, chosen, stop: this.stop },
      onPoint: (row: MapRow | null) => {
        this.pointed = row;
        this.stop = row ?? this.stop;
      },
      onChoose: (row: MapRow) => {
        this.chosen = row === chosen ? null : row;
        this.stop = row;
      },
    };
    const { drawing, key, table } = barsOf(rows, { texts, width: this.width.width, scale, pointing });
    const said = chosen === null ? sentenceOf(rows, this.own[0] ?? null, texts) : rowInWords(chosen, texts);
    return {
      ...frame,
      drawing: html`${key}
        <div class="plot">${drawing}</div>`,
      readOut: pointed === null ? said : rowInWords(pointed, texts),
      announcement: said,
      data: () => dataTable(table),
    };
  }
}

/** The extremes of the models shown, and the place of the reader's newest among them. */
export function sentenceOf(rows: readonly MapRow[], own: MapRow | null, texts: ParameterMapStrings): string {
  const byTables = [...rows].sort((one, other) => tablesShare(other) - tablesShare(one));
  const [most] = byTables as [MapRow];
  const least = byTables.at(-1)!;
  const [reading] = [...rows].sort((one, other) => readOnlyShare(other) - readOnlyShare(one)) as [MapRow];
  const share = (row: MapRow): string => percent(tablesShare(row));
  const place = own === null ? -1 : byTables.indexOf(own);
  return [
    ...(place < 0 ? [] : [texts.yours(own!.name, share(own!), formatWhole(place + 1), formatWhole(rows.length))]),
    texts.most(most.name, share(most), formatCompact(most.total)),
    ...(readOnlyShare(reading) > 0 ? [texts.onlyReads(reading.name, percent(readOnlyShare(reading)))] : []),
    ...(rows.length > 1 ? [texts.least(least.name, share(least))] : []),
  ].join(' ');
}
