import { bisectCenter } from 'd3-array';
import { html, LitElement, nothing, svg, type SVGTemplateResult, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import { lineChart, type LineChartDrawing, type LineSeries, type ReferenceLine } from '../../charts/line-chart.js';
import { formatNumber, formatWhole } from '../../charts/number-format.js';
import { lineChartViewStyles } from './line-chart-view.styles.js';
import { base, tokens } from './tokens.styles.js';
import { WidthWatcher } from './width-watcher.js';

/** Determines color and dash. */
export type SeriesRole =
  | 'tied'
  | 'untied'
  | 'tied-linear'
  | 'tied-mlp'
  | 'tied-low-rank'
  | 'untied-later'
  | 'untied-between'
  | 'untied-by-share'
  | 'encoder-input'
  | 'input'
  | 'output'
  | 'chance'
  | 'ink';

export interface RoleSeries extends LineSeries {
  readonly role: SeriesRole;
  /** Roles of the areas below and above the line, where it is `filled`. */
  readonly areas?: { readonly below: SeriesRole; readonly above: SeriesRole };
}

/** Text in a corner of the drawing. */
export interface CornerNote {
  readonly text: string;
  readonly role: SeriesRole;
  readonly at: 'top' | 'bottom';
}

/** Detail of `tied-cursor`: the selected x, or null. `pressed` while the pointer is down, when the reader scrubs. */
export interface CursorDetail {
  readonly x: number | null;
  readonly pressed: boolean;
}

export type CursorEvent = CustomEvent<CursorDetail>;

/**
 * Lines over reference levels, labeled directly, with a vertical cursor that the owner sets. Redraws at most once per
 * frame, as Lit batches updates. Internal.
 */
export class LineChartView extends LitElement {
  static override styles = [tokens, base, lineChartViewStyles];

  @property({ attribute: false }) series: readonly RoleSeries[] = [];
  @property({ attribute: false }) references: readonly ReferenceLine[] = [];
  /** Describes the chart for screen readers. */
  @property({ type: String }) label = '';
  @property({ type: String, attribute: 'x-title' }) xTitle = '';
  @property({ type: String, attribute: 'y-title' }) yTitle = '';
  @property({ type: String, attribute: 'x-kind' }) xKind: 'linear' | 'log' = 'linear';
  @property({ type: String, attribute: 'y-kind' }) yKind: 'linear' | 'log' = 'linear';
  /** Absent = fitted to the data. */
  @property({ attribute: false }) xDomain: readonly [number, number] | null = null;
  @property({ attribute: false }) yDomain: readonly [number, number] | null = null;
  @property({ type: Number }) height = 320;
  /** x of the vertical cursor, or null. */
  @property({ attribute: false }) cursor: number | null = null;
  @property({ attribute: false }) notes: readonly CornerNote[] = [];
  @property({ attribute: false }) referencesInside: 'left' | 'right' | null = null;
  /** What a value of x is called beside the values under the pointer. */
  @property({ type: String, attribute: 'x-name' }) xName = '';
  /** Decimals of the values under the pointer. */
  @property({ type: Number }) decimals = 3;
  /** x under the pointer, while nothing is dragged. */
  @state() private hovered: number | null = null;

  private drawing: LineChartDrawing | null = null;
  private readonly ownWidth = new WidthWatcher(this, null, 640);

  protected override willUpdate(): void {
    this.drawing = lineChart({
      width: this.ownWidth.width,
      height: this.height,
      series: this.series,
      references: this.references,
      xTitle: this.xTitle,
      yTitle: this.yTitle,
      xKind: this.xKind,
      yKind: this.yKind,
      referencesInside: this.referencesInside,
      ...(this.xDomain === null ? {} : { xDomain: this.xDomain }),
      ...(this.yDomain === null ? {} : { yDomain: this.yDomain }),
    });
  }

  /** Positions are set by script, which a strict style policy allows. */
  protected override updated(): void {
    const values = this.renderRoot.querySelector<HTMLElement>('.values');
    const { drawing, hovered } = this;
    if (values === null || drawing === null || hovered === null) return;
    const { left, right, top, bottom } = drawing.plot;
    // Losses fall, so the corner away from the pointer is empty: top right or bottom left.
    const atLeft = drawing.x(hovered) > (left + right) / 2;
    values.style.left = atLeft ? `${String(left + 8)}px` : '';
    values.style.right = atLeft ? '' : `${String(drawing.width - right + 8)}px`;
    values.style.top = atLeft ? '' : `${String(top + 4)}px`;
    values.style.bottom = atLeft ? `${String(drawing.height - bottom + 8)}px` : '';
  }

  private roleOf(id: string): string {
    return `role-${this.series.find((one) => one.id === id)?.role ?? 'ink'}`;
  }

  protected override render(): TemplateResult {
    const { drawing } = this;
    if (drawing === null) return html``;
    return html`
      <div class="stage">
        <svg
          class="chart"
          data-picture
          role="img"
          aria-label=${this.label}
          width=${drawing.width}
          height=${drawing.height}
          @pointerdown=${this.onPointer}
          @pointermove=${this.onPointer}
          @pointerleave=${this.onLeave}
        >
          ${this.renderAreas(drawing)} ${this.renderAxes(drawing)} ${this.renderSeries(drawing)}
          ${this.renderCursor(drawing, this.cursor, 'cursor')} ${this.renderCursor(drawing, this.hovered, 'pointer')}
          ${this.renderNotes(drawing)} ${this.renderLabels(drawing)}
        </svg>
        ${this.renderValues()}
      </div>
      ${drawing.labelsShown ? nothing : this.renderLegend()}
    `;
  }

  private renderAreas({ series }: LineChartDrawing): SVGTemplateResult {
    return svg`${series.map((one, at) => {
      const areas = this.series[at]?.areas;
      return areas === undefined || one.below === ''
        ? nothing
        : svg`<path class="area role-${areas.below}" d=${one.below}></path>
            <path class="area role-${areas.above}" d=${one.above}></path>`;
    })}`;
  }

  /** Gridlines, ticks, titles (unless empty) and reference levels. */
  private renderAxes({ plot, xTicks, yTicks, xTitle, yTitle, references }: LineChartDrawing): SVGTemplateResult {
    const { left, right, bottom } = plot;
    const across = (y: number, look: string): SVGTemplateResult =>
      svg`<line class=${look} x1=${left} x2=${right} y1=${y} y2=${y}></line>`;
    return svg`
      <g class="grid">${yTicks.map(({ position }) => across(position, ''))}</g>
      ${yTicks.map(({ position, label }) => svg`<text x=${left - 6} y=${position} text-anchor="end" dominant-baseline="central">${label}</text>`)}
      ${xTicks.map(
        ({ position, label }) => svg`
          <line class="axis" x1=${position} x2=${position} y1=${bottom} y2=${bottom + 4}></line>
          <text x=${position} y=${bottom + 18} text-anchor="middle">${label}</text>`,
      )}
      ${across(bottom, 'axis')}
      ${xTitle === '' ? nothing : svg`<text x=${(left + right) / 2} y=${bottom + 37} text-anchor="middle">${xTitle}</text>`}
      ${yTitle === '' ? nothing : svg`<text x="0" y="12">${yTitle}</text>`}
      ${references.map(({ y }) => across(y, 'reference'))}
    `;
  }

  /** Text in the right corners, because training curves fall on the left. */
  private renderNotes({ plot }: LineChartDrawing): SVGTemplateResult {
    return svg`${this.notes.map(
      ({ text, role, at }) => svg`<text class="label inside role-${role}" text-anchor="end" x=${plot.right - 8}
        y=${at === 'top' ? plot.top + 16 : plot.bottom - 12}>${text}</text>`,
    )}`;
  }

  private renderSeries({ series }: LineChartDrawing): SVGTemplateResult {
    return svg`
      ${series.map((one) => (one.raw === '' ? nothing : svg`<path class="raw ${this.roleOf(one.id)}" d=${one.raw}></path>`))}
      ${series.map((one) => one.runs.map((run) => svg`<path class="run ${this.roleOf(one.id)}" d=${run}></path>`))}
      ${series.map((one) => svg`<path class="line ${this.roleOf(one.id)}" d=${one.path}></path>`)}
      ${series.map((one) =>
        one.marks.map(([x, y]) => svg`<circle class="mark ${this.roleOf(one.id)}" cx=${x} cy=${y} r="3"></circle>`),
      )}
    `;
  }

  private renderCursor(
    { plot, x, y }: LineChartDrawing,
    where: number | null,
    kind: 'cursor' | 'pointer',
  ): SVGTemplateResult | typeof nothing {
    if (where === null) return nothing;
    const at = x(where);
    if (!(at >= plot.left - 0.5 && at <= plot.right + 0.5)) return nothing;
    return svg`
      <line class=${kind} x1=${at} x2=${at} y1=${plot.top} y2=${plot.bottom}></line>
      ${this.series.map((one) => {
        const index = bisectCenter(one.x, where);
        const dotX = x(one.x[index] ?? Number.NaN);
        const dotY = y(one.y[index] ?? Number.NaN);
        return Number.isFinite(dotX) && Number.isFinite(dotY)
          ? svg`<circle class="dot ${this.roleOf(one.id)}" cx=${dotX} cy=${dotY} r="4.5"></circle>`
          : nothing;
      })}
    `;
  }

  /** The values under the pointer. */
  private renderValues(): TemplateResult | typeof nothing {
    const { hovered } = this;
    const ends = this.series.flatMap((one) => Array.from(one.x).slice(-1));
    if (hovered === null || ends.length === 0) return nothing;
    const at = Math.round(Math.min(hovered, Math.max(...ends)));
    return html`<div class="values" aria-hidden="true">
      <div>${this.xName} ${formatWhole(at)}</div>
      ${this.series.map((one) => {
        const value = one.y[bisectCenter(one.x, at)] ?? Number.NaN;
        const text = Number.isFinite(value) ? formatNumber(value, { decimals: this.decimals }) : '–';
        return html`<div class="role-${one.role}"><span>${one.label}</span> <b>${text}</b></div>`;
      })}
    </div>`;
  }

  private renderLabels({ labels }: LineChartDrawing): SVGTemplateResult {
    return svg`${labels.map((label) => {
      const apart = Math.abs(label.y - label.anchorY) > 2;
      const name = label.kind === 'reference' ? 'is-reference' : this.roleOf(label.id);
      const place = label.inside ? 'inside' : '';
      return svg`
        ${apart ? svg`<path class="leader" d="M${label.anchorX + 2} ${label.anchorY}L${(label.key?.from ?? label.x) - 3} ${label.y}"></path>` : nothing}
        ${label.key === null ? nothing : svg`<path class=${label.kind === 'reference' ? 'key reference' : `key ${name}`} d="M${label.key.from} ${label.y}H${label.key.to}"></path>`}
        <text class="label ${name} ${place}" x=${label.x} y=${label.y} dominant-baseline="central">${label.text}</text>
      `;
    })}`;
  }

  /** Used if labels do not fit beside the lines. */
  private renderLegend(): TemplateResult {
    return html`
      <ul class="legend" data-picture>
        ${this.series.map(
          (one) =>
            html`<li class="role-${one.role}">
              <svg aria-hidden="true"><line class="line role-${one.role}" x1="2" x2="26" y1="4" y2="4"></line></svg
              >${one.label}
            </li>`,
        )}
        ${this.references.map(
          (one) =>
            html`<li class="is-reference">
              <svg aria-hidden="true"><line class="reference" x1="2" x2="26" y1="4" y2="4"></line></svg>${one.label}
            </li>`,
        )}
      </ul>
    `;
  }

  private point(x: number | null, pressed: boolean): void {
    this.hovered = pressed ? null : x;
    const detail: CursorDetail = { x, pressed };
    this.dispatchEvent(new CustomEvent('tied-cursor', { detail, bubbles: true }));
  }

  private onPointer(event: PointerEvent): void {
    const { drawing } = this;
    if (drawing === null) return;
    const stage = event.currentTarget as SVGSVGElement;
    if (event.type === 'pointerdown') stage.setPointerCapture(event.pointerId);
    const at = event.clientX - stage.getBoundingClientRect().left;
    const { plot, x } = drawing;
    if (event.type !== 'pointerdown' && event.buttons === 0 && (at < plot.left || at > plot.right)) {
      this.point(null, false);
      return;
    }
    this.point(x.invert(Math.min(plot.right, Math.max(plot.left, at))), event.buttons !== 0);
  }

  private onLeave(event: PointerEvent): void {
    if (event.pointerType === 'mouse') this.point(null, false);
  }
}
