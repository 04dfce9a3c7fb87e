import { html, nothing } from 'lit';
import type { Content } from '../figure.js';
import type { Panel } from './panel-parts.js';
import { controlsOf, type ControlsOptions } from './setting-control.js';
import type { Settings } from './setting.js';

/** Content by the name of its slot. */
export type Slots = Readonly<Record<string, Content>>;

export function renderPanel(declared: Settings, panel: Panel, options: ControlsOptions, slots: Slots = {}): Content {
  const control = controlsOf(declared, options);
  // An omitted part keeps its position: otherwise the controls after it would take over each other's elements, and radio buttons,
  // whose names would change one by one, would lose their choice.
  const partsOf = (parts: Panel): unknown[] =>
    parts.map((part) => {
      if (typeof part === 'string') return part in declared ? control(part) : (slots[part] ?? nothing);
      const content = partsOf(part.parts);
      return content.every((one) => one === nothing) ? nothing : html`<div class=${part.group}>${content}</div>`;
    });
  return html`${partsOf(panel)}`;
}
