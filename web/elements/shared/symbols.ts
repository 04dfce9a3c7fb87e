import { html, type TemplateResult } from 'lit';

/** Text in which W_E and W_U become symbols with a subscript, as in the formulas of the page. */
export function symbols(text: string): TemplateResult {
  const parts = text.split(/W_([EU])/);
  return html`${parts.map((part, index) => (index % 2 === 0 ? part : html`<var>W</var><sub>${part}</sub>`))}`;
}
