// Without Lit, since the settings of a figure are also read where there is no page.

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
