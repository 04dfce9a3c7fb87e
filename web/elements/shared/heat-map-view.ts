import { html, LitElement, nothing, svg, type SVGTemplateResult, type TemplateResult } from 'lit';
import { property } from 'lit/decorators.js';
import { guard } from 'lit/directives/guard.js';
import {
  colorText,
  divergingScale,
  sequentialScale,
  softened,
  type ColorScale,
  type Rgb,
} from '../../charts/color-scale.js';
import {
  cellAt,
  cellBox,
  diagonalPath,
  heatMapLayout,
  mirrorCell,
  moveCell,
  paintCells,
  roundLimit,
  type Cell,
  type HeatMapLayout,
} from '../../charts/heat-map.js';
import { formatNumber } from '../../charts/number-format.js';
import { ColorWatcher } from './colors.js';
import { DensityWatcher } from './density-watcher.js';
import { gridCellId, gridPart, heatMapGrid } from './heat-map-grid.js';
import { heatMapViewStyles } from './heat-map-view.styles.js';
import { commonStrings } from './strings.js';
import { textMeasure, whenFontsLoad } from './text-width.js';
import { base, tokens } from './tokens.styles.js';
import { WidthWatcher } from './width-watcher.js';

/** Detail of `tied-cell`: the selected cell, or null. `pressed`: by click or Enter. */
export interface CellDetail {
  readonly cell: Cell | null;
  readonly pressed: boolean;
}

export type CellEvent = CustomEvent<CellDetail>;

/**
 * A matrix as colored cells with labels, numbers where they fit, a legend, and an outline around one cell and its
 * mirror. Mouse, touch and keyboard select cells, reported by `tied-cell`; the owner sets `cell`, so several maps
 * can share one. For screen readers it is a grid. Internal.
 */
export class HeatMapView extends LitElement {
  static override styles = [tokens, base, heatMapViewStyles];

  /** Row-major; the labels give rows and columns. */
  @property({ attribute: false }) values: ArrayLike<number> = [];
  @property({ attribute: false }) rowLabels: readonly string[] = [];
  @property({ attribute: false }) colLabels: readonly string[] = [];
  /** Describes the map for screen readers. */
  @property({ type: String }) label = '';
  /** Axis titles; absent = none. */
  @property({ type: String, attribute: 'row-title' }) rowTitle = '';
  @property({ type: String, attribute: 'col-title' }) colTitle = '';
  /** 'diverging' around zero, or 'sequential' from zero. */
  @property({ type: String }) kind: 'diverging' | 'sequential' = 'diverging';
  /** Where the colors end; 0 = a round number at or above the largest. Maps for comparison share one. */
  @property({ type: Number }) limit = 0;
  @property({ type: Number }) decimals = 2;
  /** Whether to write numbers into cells where they fit. */
  @property({ type: Boolean }) numbers = false;
  @property({ type: Number, attribute: 'max-cell' }) maxCell = 64;
  /** The selected cell, or null. */
  @property({ attribute: false }) cell: Cell | null = null;
  /** Describes a cell for keyboard users; default "row, column: value". */
  @property({ attribute: false }) describe: ((cell: Cell, value: number) => string) | null = null;
  @property({ type: Boolean, attribute: 'hide-legend' }) hideLegend = false;
  /** Describes the keys for screen readers. */
  @property({ type: String }) keys: string = commonStrings.gridKeys;

  private layout: HeatMapLayout | null = null;
  private scale: ColorScale | null = null;
  private readonly ownWidth = new WidthWatcher(this, null, 320);
  private readonly screen = new DensityWatcher(this);
  private readonly scheme = new ColorWatcher(this, ['paper', 'ink', 'positive', 'negative']);
  private stopWatching: (() => void) | null = null;
  private scaleKey = '';
  /** What the canvas shows. */
  private painted: readonly unknown[] = [];

  override connectedCallback(): void {
    super.connectedCallback();
    this.stopWatching = whenFontsLoad(() => this.requestUpdate());
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.stopWatching?.();
  }

  /** Draws immediately in the current colors, for saved pictures in other colors. */
  repaint(): void {
    this.scheme.refresh();
    this.performUpdate();
  }

  protected override willUpdate(): void {
    const rows = this.rowLabels.length;
    const cols = this.colLabels.length;
    const longest = this.numbers ? Array.from(this.values, (value) => this.format(value).length) : [0];
    this.layout = heatMapLayout({
      rows,
      cols,
      width: this.ownWidth.width,
      rowLabels: this.rowLabels,
      colLabels: this.colLabels,
      maxCell: this.maxCell,
      numberLength: Math.max(0, ...longest),
      axisTitles: this.rowTitle !== '' || this.colTitle !== '',
      measure: textMeasure(this),
      chosen: this.cell,
    });
  }

  private format(value: number): string {
    return formatNumber(value, { decimals: this.decimals });
  }

  /** The element must be in the page to resolve its colors. */
  private refreshScale(): void {
    const { colors } = this.scheme;
    const { paper, ink } = colors;
    const limit = this.limit > 0 ? this.limit : roundLimit(this.values);
    const withNumbers = this.layout?.showNumbers ?? false;
    const key = [this.kind, limit, withNumbers, ...Object.values(colors)].join();
    if (key === this.scaleKey) return;
    this.scaleKey = key;
    const end = (color: Rgb): Rgb => (withNumbers ? softened(paper, color, ink) : color);
    const positive = end(colors.positive);
    this.scale =
      this.kind === 'diverging'
        ? divergingScale({ limit, middle: paper, negative: end(colors.negative), positive })
        : sequentialScale({ limit, from: paper, to: positive });
  }

  protected override render(): TemplateResult {
    this.refreshScale();
    const { layout, scale } = this;
    if (layout === null || scale === null) return html``;
    const { cell } = this;
    return html`
      <div
        class="stage"
        part="stage"
        tabindex="0"
        role="grid"
        aria-readonly="true"
        aria-label=${this.label}
        aria-describedby="keys"
        aria-rowcount=${layout.rows + 1}
        aria-colcount=${layout.cols + 1}
        aria-activedescendant=${cell === null ? nothing : gridCellId(cell)}
        @pointermove=${this.onPointer}
        @pointerdown=${this.onPointer}
        @pointerleave=${this.onLeave}
        @keydown=${this.onKey}
        @focus=${this.onFocus}
        @blur=${this.onLeave}
      >
        <canvas data-picture aria-hidden="true"></canvas>
        <svg data-picture aria-hidden="true" width=${layout.width} height=${layout.height}>
          ${this.renderLabels(layout)} ${this.renderNumbers(layout)} ${this.renderMarks(layout)}
        </svg>
        ${this.renderGrid(layout)}
      </div>
      <p id="keys" class="visually-hidden">${this.keys}</p>
      ${this.hideLegend ? nothing : this.renderLegend(scale)}
    `;
  }

  private cellText(cell: Cell): string {
    const value = this.values[cell.row * this.colLabels.length + cell.col] ?? Number.NaN;
    if (this.describe !== null) return this.describe(cell, value);
    return `${this.rowLabels[cell.row] ?? ''}, ${this.colLabels[cell.col] ?? ''}: ${this.format(value)}`;
  }

  private renderGrid({ rows, cols }: HeatMapLayout): TemplateResult {
    const part = gridPart(this.cell, rows, cols);
    const name = (labels: readonly string[], others: readonly string[], at: number): string =>
      [labels[at], others[at]].find((text) => text !== undefined && text !== '') ?? String(at + 1);
    const content = (): TemplateResult =>
      heatMapGrid({
        part,
        // Maps in one row share the first one's row names.
        rowName: (row) => name(this.rowLabels, rows === cols ? this.colLabels : [], row),
        colName: (col) => name(this.colLabels, [], col),
        cellText: (cell) => this.cellText(cell),
        onChoose: (cell) => this.point(cell, true),
      });
    // Moving within a part changes none of its text.
    const names = [...this.rowLabels, ...this.colLabels].join('\n');
    return html`${guard([this.values, names, this.decimals, part.row, part.col, this.describe === null], content)}`;
  }

  private renderLabels(layout: HeatMapLayout): SVGTemplateResult {
    const { cell } = this;
    const pointedRow = cell?.row ?? -1;
    const pointedCol = cell?.col ?? -1;
    const middle = {
      x: layout.left + (layout.cols * layout.cell) / 2,
      y: layout.top + (layout.rows * layout.cell) / 2,
    };
    return svg`
      ${
        this.colTitle === ''
          ? nothing
          : svg`<text class="axis-title" x=${middle.x} y="12" text-anchor="middle">${this.colTitle}</text>`
      }
      ${
        this.rowTitle === ''
          ? nothing
          : svg`<text class="axis-title" transform="translate(12 ${middle.y}) rotate(-90)" text-anchor="middle">${this.rowTitle}</text>`
      }
      ${layout.rowLabels.map(
        ({ index, text, x, y }) =>
          svg`<text class=${index === pointedRow ? 'pointed' : ''} x=${x} y=${y} font-size=${layout.fontSize} text-anchor="end" dominant-baseline="central">${text}</text>`,
      )}
      ${layout.colLabels.map(({ index, text, x, y }) =>
        layout.turned
          ? svg`<text class=${index === pointedCol ? 'pointed' : ''} transform="translate(${x} ${y}) rotate(-90)" font-size=${layout.fontSize} dominant-baseline="central">${text}</text>`
          : svg`<text class=${index === pointedCol ? 'pointed' : ''} x=${x} y=${y} font-size=${layout.fontSize} text-anchor="middle">${text}</text>`,
      )}
    `;
  }

  private renderNumbers(layout: HeatMapLayout): SVGTemplateResult | typeof nothing {
    if (!layout.showNumbers) return nothing;
    return svg`${Array.from({ length: layout.rows * layout.cols }, (_, at) => {
      const value = this.values[at] ?? Number.NaN;
      const box = cellBox(layout, { row: Math.floor(at / layout.cols), col: at % layout.cols });
      return svg`<text class="number" x=${box.x + box.width / 2} y=${box.y + box.height / 2} font-size=${layout.numberSize} text-anchor="middle" dominant-baseline="central">${Number.isNaN(value) ? '' : this.format(value)}</text>`;
    })}`;
  }

  private renderMarks(layout: HeatMapLayout): SVGTemplateResult {
    const size = { width: layout.cols * layout.cell, height: layout.rows * layout.cell };
    const square = layout.rows === layout.cols;
    const outline = (cell: Cell | null, name: string): SVGTemplateResult | typeof nothing => {
      if (cell === null) return nothing;
      const box = cellBox(layout, cell);
      // Around a small cell the outline keeps a distance, so that its color stays visible.
      const off = box.width < 14 ? 2.5 : 0;
      return svg`<rect class=${name} x=${box.x - off} y=${box.y - off} width=${box.width + 2 * off} height=${box.height + 2 * off} rx="1"></rect>`;
    };
    const { cell } = this;
    const mirror = cell === null ? null : mirrorCell(cell, layout.rows, layout.cols);
    return svg`
      <rect class="frame" x=${layout.left - 0.5} y=${layout.top - 0.5} width=${size.width + 1} height=${size.height + 1}></rect>
      ${square && layout.rows > 1 ? svg`<path class="diagonal" d=${diagonalPath(layout)}></path>` : nothing}
      ${outline(mirror, 'mirror')}${outline(cell, 'cell')}
    `;
  }

  private renderLegend(scale: ColorScale): TemplateResult {
    const [low, high] = scale.domain;
    const text = (value: number): string => formatNumber(value, { significant: 3 });
    return html`
      <div class="legend" data-picture>
        <span>${text(low)}</span><canvas class="ramp" width="120" height="1" aria-hidden="true"></canvas>
        <span>${text(high)}</span>
      </div>
    `;
  }

  protected override updated(): void {
    const { layout, scale } = this;
    if (layout === null || scale === null) return;
    const stage = this.renderRoot.querySelector<HTMLElement>('.stage');
    const canvas = stage?.querySelector('canvas');
    if (!stage || !canvas) return;
    // Canvas and labels fill the stage, so their sizes always agree.
    stage.style.width = `${String(layout.width)}px`;
    stage.style.height = `${String(layout.height)}px`;
    const { density } = this.screen;
    const { width, height, left, top, cell, gap } = layout;
    const shown = [canvas, this.values, scale, this.hideLegend, density, width, height, left, top, cell, gap];
    // Selecting another cell only moves the outline.
    if (shown.every((part, at) => part === this.painted[at])) return;
    this.painted = shown;
    this.paint(canvas, layout, scale, Math.min(3, density));
  }

  private paint(canvas: HTMLCanvasElement, layout: HeatMapLayout, scale: ColorScale, density: number): void {
    const context = canvas.getContext('2d');
    if (context === null) return;
    canvas.width = Math.ceil(layout.width * density);
    canvas.height = Math.ceil(layout.height * density);
    context.setTransform(canvas.width / layout.width, 0, 0, canvas.height / layout.height, 0, 0);
    paintCells(context, layout, this.values, scale);

    const ramp = this.renderRoot.querySelector<HTMLCanvasElement>('.ramp');
    const rampContext = ramp?.getContext('2d');
    if (ramp === null || rampContext === null || rampContext === undefined) return;
    const [low, high] = scale.domain;
    for (let at = 0; at < ramp.width; at++) {
      rampContext.fillStyle = colorText(scale.color(low + ((high - low) * (at + 0.5)) / ramp.width));
      rampContext.fillRect(at, 0, 1, 1);
    }
  }

  // ------------------------------------------------------------ pointing

  private point(cell: Cell | null, pressed = false): void {
    if (!pressed && cell?.row === this.cell?.row && cell?.col === this.cell?.col) return;
    const detail: CellDetail = { cell, pressed };
    this.dispatchEvent(new CustomEvent('tied-cell', { detail, bubbles: true }));
  }

  private onPointer(event: PointerEvent): void {
    if (this.layout === null) return;
    const box = (event.currentTarget as HTMLElement).getBoundingClientRect();
    const cell = cellAt(this.layout, event.clientX - box.left, event.clientY - box.top);
    this.point(cell, event.type === 'pointerdown' && cell !== null);
  }

  private onLeave(event: Event): void {
    // Lifting a finger keeps its cell; only a leaving mouse or focus clears it.
    if (event instanceof PointerEvent && event.pointerType !== 'mouse') return;
    if (event instanceof PointerEvent && this.shadowRoot?.activeElement?.matches(':focus-visible') === true) return;
    this.point(null);
  }

  private onFocus(event: FocusEvent): void {
    if (this.cell === null && (event.currentTarget as HTMLElement).matches(':focus-visible')) {
      this.point({ row: 0, col: this.colLabels.length > 1 ? 1 : 0 });
    }
  }

  private onKey(event: KeyboardEvent): void {
    const rows = this.rowLabels.length;
    const cols = this.colLabels.length;
    const from = this.cell ?? { row: 0, col: 0 };
    const to = moveCell(from, event.key, rows, cols, event.ctrlKey || event.metaKey);
    if (to !== null) {
      event.preventDefault();
      event.stopPropagation();
      this.point(to);
    } else if ((event.key === 'Enter' || event.key === ' ') && this.cell !== null) {
      event.preventDefault();
      event.stopPropagation();
      this.point(this.cell, true);
    }
  }
}
