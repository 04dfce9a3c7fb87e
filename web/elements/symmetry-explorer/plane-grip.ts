import { html, nothing, type TemplateResult } from 'lit';
import { formatNumber } from '../../charts/number-format.js';
import type { PlaneDrawing } from '../../charts/vector-plane.js';

export interface PlaneGrip {
  readonly id: string;
  /** The vector's name for screen readers. */
  readonly name: string;
  readonly value: readonly [number, number];
  readonly domain: PlaneDrawing['domain'];
  /** Names of its coordinates. */
  readonly axes: readonly [string, string];
  /** Its role description for screen readers; '' = slider. */
  readonly roleDescription: string;
  readonly onDown: (event: PointerEvent) => void;
  readonly onMove: (event: PointerEvent) => void;
  readonly onUp: (event: PointerEvent) => void;
  readonly onKey: (event: KeyboardEvent) => void;
}

/**
 * The draggable tip of a vector. Its two coordinates are two sliders; Tab stops at the first, and an arrow key focuses
 * the one whose value it changes. It is HTML because browsers respect `touch-action` there; inside an SVG they scroll
 * the page.
 */
export function planeGrip(grip: PlaneGrip): TemplateResult {
  const { id, name, value, domain, axes, roleDescription } = grip;
  const slider = (axis: 0 | 1): TemplateResult => {
    const [least, most] = axis === 0 ? domain.x : domain.y;
    return html`<span
      class="axis-slider"
      data-axis=${axis}
      role="slider"
      tabindex=${axis === 0 ? 0 : -1}
      aria-label=${`${name}, ${axes[axis]}`}
      aria-roledescription=${roleDescription === '' ? nothing : roleDescription}
      aria-orientation=${axis === 0 ? 'horizontal' : 'vertical'}
      aria-valuenow=${value[axis]}
      aria-valuemin=${least}
      aria-valuemax=${most}
      aria-valuetext=${formatNumber(value[axis], { decimals: 3 })}
    ></span>`;
  };
  return html`
    <div
      class="grip"
      data-vector=${id}
      role="group"
      aria-label=${name}
      @pointerdown=${grip.onDown}
      @pointermove=${grip.onMove}
      @pointerup=${grip.onUp}
      @pointercancel=${grip.onUp}
      @keydown=${(event: KeyboardEvent) => {
        const axis = { ArrowLeft: 0, ArrowRight: 0, ArrowUp: 1, ArrowDown: 1 }[event.key];
        if (axis === undefined) return;
        (event.currentTarget as Element).querySelector<HTMLElement>(`[data-axis="${String(axis)}"]`)?.focus();
        grip.onKey(event);
      }}
    >
      <span class="ring"></span>${slider(0)}${slider(1)}
    </div>
  `;
}
