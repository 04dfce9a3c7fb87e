import {
  html,
  LitElement,
  nothing,
  svg,
  type CSSResultGroup,
  type PropertyDeclarations,
  type SVGTemplateResult,
  type TemplateResult,
} from 'lit';
import { formatNumber } from '../../charts/number-format.js';
import {
  planeDomain,
  vectorPlane,
  type DrawnVector,
  type PlaneDomain,
  type PlaneDrawing,
  type PlaneVector,
} from '../../charts/vector-plane.js';
import { base, tokens } from '../shared/tokens.styles.js';
import { vectorPlaneViewStyles } from './vector-plane-view.styles.js';
import { WidthWatcher } from '../shared/width-watcher.js';

export interface RoleVector extends PlaneVector {
  readonly role: 'tied' | 'input' | 'output';
  /** What a screen reader calls it. */
  readonly name: string;
}

export interface VectorDetail {
  readonly id: string;
  readonly x: number;
  readonly y: number;
  /** False while a drag is going on. */
  readonly final: boolean;
}

export type VectorEvent = CustomEvent<VectorDetail>;

const step = 0.05;
const largestSize = 340;

/**
 * Vectors as arrows on a plane; their tips can be dragged by mouse and touch, and stepped with the arrow keys (Shift:
 * ten steps). Tells its owner by `tied-vector`, and keeps no state but the drag. Part of the symmetry explorer.
 */
export class VectorPlaneView extends LitElement {
  static override properties: PropertyDeclarations = {
    vectors: { attribute: false },
    pointed: { attribute: false },
    label: { type: String },
    roleDescription: { type: String, attribute: 'role-description' },
    locked: { type: Boolean },
  };

  static override styles: CSSResultGroup = [tokens, base, vectorPlaneViewStyles];

  declare vectors: readonly RoleVector[];
  /** Ids of the vectors that a cell of the result is made of; the others step back. Empty = none does. */
  declare pointed: readonly string[];
  declare label: string;
  declare roleDescription: string;
  /** Vectors cannot be moved. */
  declare locked: boolean;

  private drag: { id: string; pointer: number; offsetX: number; offsetY: number } | null = null;
  /** The window stands still during a drag. */
  private frozen: PlaneDomain | null = null;
  private readonly ownWidth = new WidthWatcher(this, null, 300);

  constructor() {
    super();
    this.vectors = [];
    this.pointed = [];
    this.label = '';
    this.roleDescription = '';
    this.locked = false;
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.drag = null;
    this.frozen = null;
  }

  private get drawing(): PlaneDrawing {
    return vectorPlane({
      size: Math.min(largestSize, this.ownWidth.width),
      vectors: this.vectors,
      domain: this.frozen ?? planeDomain(this.vectors),
    });
  }

  protected override render(): TemplateResult {
    const drawing = this.drawing;
    return html`
      <svg data-picture role="group" aria-label=${this.label} width=${drawing.size} height=${drawing.size}>
        ${this.renderAxes(drawing)} ${drawing.vectors.map((vector) => this.renderArrow(vector))}
        ${drawing.vectors.map((vector) => this.renderGrip(vector, drawing))}
      </svg>
    `;
  }

  private renderAxes({ size, originX, originY, xTicks, yTicks }: PlaneDrawing): SVGTemplateResult {
    return svg`
      ${xTicks.map((tick) => svg`<line class="grid" x1=${tick.position} x2=${tick.position} y1="0" y2=${size}></line>`)}
      ${yTicks.map((tick) => svg`<line class="grid" x1="0" x2=${size} y1=${tick.position} y2=${tick.position}></line>`)}
      <line class="axis" x1="0" x2=${size} y1=${originY} y2=${originY}></line>
      <line class="axis" x1=${originX} x2=${originX} y1="0" y2=${size}></line>
      ${xTicks.map((tick) =>
        tick.value === 0 || tick.position > size - 8 || tick.position < 8
          ? nothing
          : svg`<text class="tick" aria-hidden="true" x=${tick.position} y=${originY + 14} text-anchor="middle">${tick.label}</text>`,
      )}
      ${yTicks.map((tick) =>
        tick.value === 0 || tick.position < 8 || tick.position > size - 8
          ? nothing
          : svg`<text class="tick" aria-hidden="true" x=${originX - 5} y=${tick.position} text-anchor="end" dominant-baseline="central">${tick.label}</text>`,
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
      <g class=${this.roleOf(vector.id)} aria-hidden="true">
        <path class="shaft" d=${vector.shaft}></path>
        <path class="head" d=${vector.head}></path>
        <text class="label" x=${vector.labelX} y=${vector.labelY} text-anchor=${vector.labelAnchor} dominant-baseline="central">${vector.label}</text>
      </g>
    `;
  }

  private renderGrip(vector: DrawnVector, drawing: PlaneDrawing): SVGTemplateResult | typeof nothing {
    if (this.locked) return nothing;
    const name = this.vectors.find(({ id }) => id === vector.id)?.name ?? vector.label;
    const place = `${formatNumber(vector.x, { decimals: 3 })}, ${formatNumber(vector.y, { decimals: 3 })}`;
    return svg`
      <g
        class="grip"
        data-vector=${vector.id}
        tabindex="0"
        role="slider"
        aria-roledescription=${this.roleDescription === '' ? nothing : this.roleDescription}
        aria-label=${name}
        aria-valuenow=${vector.x}
        aria-valuemin=${drawing.domain.x[0]}
        aria-valuemax=${drawing.domain.x[1]}
        aria-valuetext=${place}
        @pointerdown=${(event: PointerEvent) => {
          this.onDown(event, vector);
        }}
        @pointermove=${this.onMove}
        @pointerup=${this.onUp}
        @pointercancel=${this.onUp}
        @keydown=${(event: KeyboardEvent) => {
          this.onKey(event, vector);
        }}
      >
        <circle class="hit" cx=${vector.tipX} cy=${vector.tipY} r="22"></circle>
        <circle class="ring" cx=${vector.tipX} cy=${vector.tipY} r="9"></circle>
      </g>
    `;
  }

  // ------------------------------------------------------------ moving

  private local(event: PointerEvent): { x: number; y: number } {
    const box = this.renderRoot.querySelector('svg')?.getBoundingClientRect();
    return { x: event.clientX - (box?.left ?? 0), y: event.clientY - (box?.top ?? 0) };
  }

  private onDown(event: PointerEvent, vector: DrawnVector): void {
    if (event.button !== 0) return;
    const { x, y } = this.local(event);
    this.frozen = this.drawing.domain;
    this.drag = { id: vector.id, pointer: event.pointerId, offsetX: vector.tipX - x, offsetY: vector.tipY - y };
    (event.currentTarget as Element).setPointerCapture(event.pointerId);
  }

  private readonly onMove = (event: PointerEvent): void => {
    const { drag } = this;
    if (drag?.pointer !== event.pointerId) return;
    const drawing = this.drawing;
    const inside = (position: number): number => Math.min(drawing.size, Math.max(0, position));
    const { x, y } = this.local(event);
    this.tell(
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
    if (vector !== undefined) this.tell(vector.id, vector.x, vector.y, true);
    this.requestUpdate();
  };

  private onKey(event: KeyboardEvent, vector: PlaneVector): void {
    const [right, up] =
      { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key] ?? [];
    if (right === undefined || up === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    const size = step * (event.shiftKey ? 10 : 1);
    this.tell(vector.id, vector.x + right * size, vector.y + up * size, true);
  }

  private tell(id: string, x: number, y: number, final: boolean): void {
    const detail: VectorDetail = { id, x, y, final };
    this.dispatchEvent(new CustomEvent('tied-vector', { detail, bubbles: true }));
  }
}

/** A pixel is about a hundredth: more digits would be noise of the hand. */
const snapped = (value: number): number => Math.round(value * 100) / 100;
