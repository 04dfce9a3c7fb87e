import { html, svg, type SVGTemplateResult, type TemplateResult } from 'lit';

/** The frame of a drawing that is one picture: `label` says in words what `content` shows. */
export const drawing = (
  { label, width, height }: { readonly label: string; readonly width: number; readonly height: number },
  content: unknown,
): TemplateResult => html`
  <svg data-picture role="img" aria-label=${label} width=${width} height=${height} viewBox="0 0 ${width} ${height}">
    ${content}
  </svg>
`;

/** An entry of a key: a sign, drawn in a square of 14 pixels, and its name. */
export const keyEntry = (sign: SVGTemplateResult, name: unknown): TemplateResult =>
  html`<span class="field"><svg width="14" height="14" aria-hidden="true">${sign}</svg>${name}</span>`;

/** A diamond whose corners are `size` from its center. */
export const diamond = (look: string, x: number, y: number, size: number): SVGTemplateResult =>
  svg`<path class=${look} d="M${x - size} ${y}L${x} ${y - size}L${x + size} ${y}L${x} ${y + size}z"></path>`;
