import { html, LitElement, nothing, svg, type CSSResultGroup, type SVGTemplateResult, type TemplateResult } from 'lit';
import { property } from 'lit/decorators.js';
import { formatNumber } from '../../charts/number-format.js';
import {
  planeDomain,
  vectorPlane,
  type DrawnVector,
  type PlaneDomain,
  type PlaneDrawing,
  type PlaneVector,
} from '../../charts/vector-plane.js';
import { base, tokens } from './tokens.styles.js';
import { vectorPlaneViewStyles } from './vector-plane-view.styles.js';
import { WidthWatcher } from './width-watcher.js';

export interface RoleVector extends PlaneVector {
  readonly role: 'tied' | 'input' | 'output';
  /** Name for screen readers. */
  readonly name: string;
  /** Cannot be moved: it follows from others. */
  readonly fixed?: boolean;
  /** One of many: only its label is drawn, where its tip would be. Nor can it be moved. */
  readonly bare?: boolean;
}

export interface VectorDetail {
  readonly id: string;
  readonly x: number;
  readonly y: number;
  /** False during a drag. */
  readonly final: boolean;
}

export type VectorEvent = CustomEvent<VectorDetail>;

/**
 * Vectors as arrows on a plane. Their tips can be dragged with mouse and touch, and moved with the arrow keys (Shift:
 * ten steps). Reports changes with `tied-vector`; its only state is the drag. Part of other figures.
 */
export class VectorPlaneView extends LitElement {
  static override styles: CSSResultGroup = [tokens, base, vectorPlaneViewStyles];

  @property({ attribute: false }) vectors: readonly RoleVector[] = [];
  /** Ids of the vectors behind the highlighted cell; the others are dimmed. Empty = no cell is highlighted. */
  @property({ attribute: false }) pointed: readonly string[] = [];
  @property({ type: String }) label = '';
  @property({ type: String, attribute: 'role-description' }) roleDescription = '';
  /** Names of the two coordinates. */
  @property({ attribute: false }) axes: readonly [string, string] = ['x', 'y'];
  /** Read-only. */
  @property({ type: Boolean }) locked = false;
  /** The range that stays visible; null = as much as the vectors need. */
  @property({ attribute: false }) domain: PlaneDomain | null = null;
  /** How far an arrow key moves a tip. */
  @property({ type: Number }) step = 0.05;
  /** Width and height where there is room, in CSS pixels. */
  @property({ type: Number }) largest = 340;

  private drag: { id: string; pointer: number; offsetX: number; offsetY: number } | null = null;
  /** The visible range is fixed during a drag. */
  private frozen: PlaneDomain | null = null;
  private readonly ownWidth = new WidthWatcher(this, null, 300);

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.drag = null;
    this.frozen = null;
  }

  private get drawing(): PlaneDrawing {
    return vectorPlane({
      size: Math.min(this.largest, this.ownWidth.width),
      vectors: this.vectors.filter(({ bare }) => bare !== true),
      domain: this.frozen ?? this.domain ?? planeDomain(this.vectors),
    });
  }

  protected override render(): TemplateResult {
    const drawing = this.drawing;
    return html`
      <div class="stage" role="group" aria-label=${this.label}>
        <svg data-picture aria-hidden="true" width=${drawing.size} height=${drawing.size}>
          ${this.renderAxes(drawing)}
          ${this.vectors.filter(({ bare }) => bare === true).map((vector) => this.renderBare(vector, drawing))}
          ${drawing.vectors.map((vector) => this.renderArrow(vector))}
          ${drawing.vectors.map((vector) => this.renderLabel(vector))}
        </svg>
        ${this.locked ? nothing : this.movable(drawing).map((vector) => this.renderGrip(vector, drawing))}
      </div>
    `;
  }

  private renderAxes({ size, originX, originY, xTicks, yTicks, tickLabels }: PlaneDrawing): SVGTemplateResult {
    return svg`
      ${xTicks.map((tick) => svg`<line class="grid" x1=${tick.position} x2=${tick.position} y1="0" y2=${size}></line>`)}
      ${yTicks.map((tick) => svg`<line class="grid" x1="0" x2=${size} y1=${tick.position} y2=${tick.position}></line>`)}
      <line class="axis" x1="0" x2=${size} y1=${originY} y2=${originY}></line>
      <line class="axis" x1=${originX} x2=${originX} y1="0" y2=${size}></line>
      ${tickLabels.map(
        ({ text, x, y, anchor }) =>
          svg`<text class="tick" x=${x} y=${y} text-anchor=${anchor} dominant-baseline="central">${text}</text>`,
      )}
    `;
  }

  private roleOf(id: string): string {
    const role = this.vectors.find((vector) => vector.id === id)?.role ?? 'tied';
    if (this.pointed.length === 0) return role;
    return `${role} ${this.pointed.includes(id) ? 'pointed' : 'dimmed'}`;
  }

  private renderArrow(vector: DrawnVector): SVGTemplateResult {
    return svg`
      <g class=${this.roleOf(vector.id)}>
        <path class="shaft" d=${vector.shaft}></path>
        <path class="head" d=${vector.head}></path>
      </g>
    `;
  }

  private renderBare({ role, label, x, y }: RoleVector, drawing: PlaneDrawing): SVGTemplateResult {
    return svg`<text class="bare ${role}" x=${drawing.x(x)} y=${drawing.y(y)} text-anchor="middle" dominant-baseline="central">${label}</text>`;
  }

  /** Drawn after all arrows, so none crosses a label. */
  private renderLabel(vector: DrawnVector): SVGTemplateResult {
    return svg`
      <g class=${this.roleOf(vector.id)}>
        <text class="label" x=${vector.labelX} y=${vector.labelY} text-anchor=${vector.labelAnchor} dominant-baseline="central">${vector.label}</text>
      </g>
    `;
  }

  /**
   * The draggable tip of a vector. Its two coordinates are two sliders; Tab stops at the first, and an arrow key focuses
   * the one whose value it changes. It is HTML because browsers respect `touch-action` there; inside an SVG they scroll
   * the page.
   */
  private renderGrip(vector: DrawnVector, { domain }: PlaneDrawing): TemplateResult {
    const name = this.vectors.find(({ id }) => id === vector.id)?.name ?? vector.label;
    const slider = (axis: 0 | 1): TemplateResult => {
      const value = axis === 0 ? vector.x : vector.y;
      const [least, most] = axis === 0 ? domain.x : domain.y;
      return html`<span
        class="axis-slider"
        data-axis=${axis}
        role="slider"
        tabindex=${axis === 0 ? 0 : -1}
        aria-label=${`${name}, ${this.axes[axis]}`}
        aria-roledescription=${this.roleDescription === '' ? nothing : this.roleDescription}
        aria-orientation=${axis === 0 ? 'horizontal' : 'vertical'}
        aria-valuenow=${value}
        aria-valuemin=${least}
        aria-valuemax=${most}
        aria-valuetext=${formatNumber(value, { decimals: 3 })}
      ></span>`;
    };
    return html`
      <div
        class="grip"
        data-vector=${vector.id}
        role="group"
        aria-label=${name}
        @pointerdown=${this.onDown}
        @pointermove=${this.onMove}
        @pointerup=${this.onUp}
        @pointercancel=${this.onUp}
        @keydown=${(event: KeyboardEvent) => this.onKey(event, vector)}
      >
        <span class="ring"></span>${slider(0)}${slider(1)}
      </div>
    `;
  }

  protected override updated(): void {
    const { vectors, size } = this.drawing;
    const stage = this.renderRoot.querySelector<HTMLElement>('.stage');
    if (stage !== null) stage.style.width = `${String(size)}px`;
    for (const { id, tipX, tipY } of vectors) {
      const grip = this.renderRoot.querySelector<HTMLElement>(`[data-vector="${id}"]`);
      if (grip === null) continue;
      // Not by `left` and `top`: browsers would count each frame as a shift of the layout.
      grip.style.transform = `translate(${String(tipX)}px, ${String(tipY)}px)`;
    }
  }

  // ------------------------------------------------------------ moving

  private local(event: PointerEvent): { x: number; y: number } {
    const box = this.renderRoot.querySelector('svg')?.getBoundingClientRect();
    return { x: event.clientX - (box?.left ?? 0), y: event.clientY - (box?.top ?? 0) };
  }

  private movable({ vectors }: PlaneDrawing): readonly DrawnVector[] {
    return vectors.filter(({ id }) => this.vectors.find((vector) => vector.id === id)?.fixed !== true);
  }

  /** The tip nearest to the pointer, which need not be the topmost one. */
  private nearestTip({ x, y }: { x: number; y: number }): DrawnVector | undefined {
    const far = (vector: DrawnVector): number => Math.hypot(vector.tipX - x, vector.tipY - y);
    return [...this.movable(this.drawing)].sort((one, other) => far(one) - far(other))[0];
  }

  private readonly onDown = (event: PointerEvent): void => {
    if (event.button !== 0 || this.drag !== null) return;
    const at = this.local(event);
    const vector = this.nearestTip(at);
    if (vector === undefined) return;
    this.frozen = this.drawing.domain;
    const offset = { offsetX: vector.tipX - at.x, offsetY: vector.tipY - at.y };
    this.drag = { id: vector.id, pointer: event.pointerId, ...offset };
    (event.currentTarget as Element).setPointerCapture(event.pointerId);
    this.renderRoot.querySelector<HTMLElement>(`[data-vector="${vector.id}"] [data-axis="0"]`)?.focus();
    // Otherwise the browser would move the focus to the element under the pointer.
    event.preventDefault();
  };

  private readonly onMove = (event: PointerEvent): void => {
    const { drag } = this;
    if (drag?.pointer !== event.pointerId) return;
    const drawing = this.drawing;
    const inside = (position: number): number => Math.min(drawing.size, Math.max(0, position));
    const { x, y } = this.local(event);
    this.report(
      drag.id,
      snapped(drawing.x.invert(inside(x + drag.offsetX))),
      snapped(drawing.y.invert(inside(y + drag.offsetY))),
      false,
    );
  };

  private readonly onUp = (event: PointerEvent): void => {
    const { drag } = this;
    if (drag?.pointer !== event.pointerId) return;
    this.drag = null;
    this.frozen = null;
    const vector = this.vectors.find(({ id }) => id === drag.id);
    if (vector !== undefined) this.report(vector.id, vector.x, vector.y, true);
    this.requestUpdate();
  };

  private onKey(event: KeyboardEvent, vector: PlaneVector): void {
    const [right, up] =
      { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key] ?? [];
    if (right === undefined || up === undefined) return;
    const axis = right === 0 ? 1 : 0;
    (event.currentTarget as Element).querySelector<HTMLElement>(`[data-axis="${String(axis)}"]`)?.focus();
    event.preventDefault();
    event.stopPropagation();
    const size = this.step * (event.shiftKey ? 10 : 1);
    this.report(vector.id, vector.x + right * size, vector.y + up * size, true);
  }

  private report(id: string, x: number, y: number, final: boolean): void {
    const detail: VectorDetail = { id, x, y, final };
    this.dispatchEvent(new CustomEvent('tied-vector', { detail, bubbles: true }));
  }
}

/** A pixel is about a hundredth; more digits would be noise. */
const snapped = (value: number): number => Math.round(value * 100) / 100;
