import { attributeName, kebab, type Settings, type Values } from '../shared/settings/setting.js';
import { initialValues, linkedAttributes, refusedValues } from '../shared/settings/with-settings.js';
import { settingProblem } from '../training-lab/setting-problem.js';
import type { SettingProblem } from '../training-lab/settings.js';

/** The name of the figure and its settings; null if this is not a link to a figure. */
export function partsOfLink(link: string): { name: string; attributes: ReadonlyMap<string, string> } | null {
  const parameters = new URLSearchParams(link.slice(link.indexOf('#') + 1));
  const name = parameters.get('tied');
  if (name === null) return null;
  parameters.delete('tied');
  return { name, attributes: new Map(parameters) };
}

/**
 * The settings of a link, with defaults for those it leaves out. Throws a `RangeError` for a name that is no setting of
 * `figure`.
 */
export function valuesOfLink(declared: Settings, attributes: ReadonlyMap<string, string>, figure: string): Values {
  const known = linkedAttributes(declared);
  const unknown = [...attributes.keys()].find((name) => !known.includes(name));
  if (unknown !== undefined) throw new RangeError(`${unknown} is no setting of ${figure}.`);
  return Object.fromEntries(
    Object.entries(initialValues(declared)).map(([name, initial]) => {
      const given = attributes.get(attributeName(declared, name));
      return [name, given === undefined ? initial : declared[name]!.read(given)];
    }),
  );
}

/** Throws a `RangeError` for the first value that the figure would replace. */
export function refuseValues(declared: Settings, values: Values): void {
  refuse(
    refusedValues(declared, values).map(
      ({ name, value, problem }) => ({ ...problem, setting: attributeName(declared, name), value }) as SettingProblem,
    ),
  );
}

export function refuse([problem]: readonly SettingProblem[]): void {
  if (problem !== undefined) throw new RangeError(settingProblem(kebab(problem.setting), problem));
}
