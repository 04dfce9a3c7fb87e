import { html, nothing } from 'lit';
import type { Content } from '../figure.js';
import { controlsOf, type ControlsOptions } from './setting-control.js';
import type { Settings } from './setting.js';

/**
 * What a panel shows, in order: settings by name, groups of them, and slots, whose content the element passes. Labels,
 * limits, choices, units, help and conditions come from the settings.
 */
export type Panel<Name extends string = string> = readonly (Name | PanelGroup<Name>)[];

/** Parts in a box of their own, with this class. A group without content is left out. */
export interface PanelGroup<Name extends string = string> {
  readonly group: string;
  readonly parts: Panel<Name>;
}

export const group = <Name extends string>(name: string, ...parts: Panel<Name>): PanelGroup<Name> => ({
  group: name,
  parts,
});

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
