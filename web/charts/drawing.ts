import { html, nothing, svg, type SVGTemplateResult, type TemplateResult } from 'lit';

interface Size {
  readonly width: number;
  readonly height: number;
}

/** The frame of a drawing that is one picture: `label` says in words what `content` shows; null: hidden from screen readers. */
export const drawing = (
  { label, width, height }: Size & { readonly label: string | null },
  content: unknown,
): TemplateResult => html`
  <svg
    data-picture
    role=${label === null ? nothing : 'img'}
    aria-hidden=${label === null ? 'true' : nothing}
    aria-label=${label ?? nothing}
    width=${width}
    height=${height}
    viewBox="0 0 ${width} ${height}"
  >
    ${content}
  </svg>
`;

/** An entry of a key: a sign, 14 pixels high, and its name. */
export const keyEntry = (sign: SVGTemplateResult, name: unknown, width = 14): TemplateResult =>
  html`<span class="field"><svg width=${width} height="14" aria-hidden="true">${sign}</svg>${name}</span>`;

/** A sign around a point; `look`: its classes. */
export type Sign = (look: string, x: number, y: number) => SVGTemplateResult;

export const circle =
  (radius: number): Sign =>
  (look, x, y) =>
    svg`<circle class=${look} cx=${x} cy=${y} r=${radius}></circle>`;

/** A diamond whose corners are `size` from its center. */
export const diamond =
  (size: number): Sign =>
  (look, x, y) =>
    svg`<path class=${look} d="M${x - size} ${y}L${x} ${y - size}L${x + size} ${y}L${x} ${y + size}z"></path>`;

export const square =
  (half: number): Sign =>
  (look, x, y) =>
    svg`<rect class=${look} x=${x - half} y=${y - half} width=${2 * half} height=${2 * half}></rect>`;
