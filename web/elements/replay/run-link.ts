import { attributeName, kebab, type Settings } from '../shared/settings/setting.js';
import { initialValues, linkedAttributes, refusedValues } from '../shared/settings/with-settings.js';
import { kinds, lookSettings, settingsFor, subjectSettings, type ModelKind } from './lab-settings.js';
import { runPlans, type RunPlan } from './run-plan.js';
import type { RunSettings } from './running.js';
import { settingProblem } from './setting-problem.js';
import type { SettingProblem } from './settings.js';
import { sourceOf, type TextSource } from './text-source.js';

/** The run that a link to a training lab leads to. */
export interface LinkedRun {
  readonly model: ModelKind;
  /** Null for a text of the reader's own, which no link has. */
  readonly source: TextSource | null;
  readonly settings: RunSettings;
  readonly plan: RunPlan<RunSettings>;
  /** The step to train to, and the earlier one that was viewed. */
  readonly step: number;
  readonly viewStep: number | null;
}

/** The name of the figure and its settings; null for what is no link of a figure. */
export function partsOfLink(link: string): { name: string; attributes: ReadonlyMap<string, string> } | null {
  const parameters = new URLSearchParams(link.slice(link.indexOf('#') + 1));
  const name = parameters.get('tied');
  if (name === null) return null;
  parameters.delete('tied');
  return { name, attributes: new Map(parameters) };
}

/** Of all figures only training labs have arms, which their links always name. */
export const isRunLink = (attributes: ReadonlyMap<string, string>): boolean => attributes.has('arms');

/**
 * Reads such a link as the figure does, with its defaults for what the link leaves out. Throws a `RangeError` where the figure would
 * use another value than the link's.
 */
export function readRunLink(attributes: ReadonlyMap<string, string>): LinkedRun {
  const model = (attributes.get('model') ?? 'direct-path') as ModelKind;
  refuse(refusedValues({ model: subjectSettings.model }, { model }).map(asProblem));
  // A link names each setting for which small devices have a default of their own.
  const declared: Settings = { ...subjectSettings, ...settingsFor(model, false), ...lookSettings };
  const known = linkedAttributes(declared);
  const unknown = [...attributes.keys()].find((name) => !known.includes(name));
  if (unknown !== undefined) throw new RangeError(`${unknown} is no setting of a training lab with this model.`);
  const values = Object.fromEntries(
    Object.entries(initialValues(declared)).map(([name, initial]) => {
      const given = attributes.get(attributeName(declared, name));
      return [name, given === undefined ? initial : declared[name]!.read(given)];
    }),
  );
  const { run } = kinds[model];
  const settings = Object.fromEntries(Object.keys(run).map((name) => [name, values[name]])) as unknown as RunSettings;
  const plan = runPlans[model] as RunPlan<RunSettings>;
  refuse(plan.problems(settings));
  refuse(refusedValues(declared, values).map(asProblem));
  const { atStep, viewStep } = values as { atStep: number | null; viewStep: number | null };
  const source = sourceOf(values as unknown as Parameters<typeof sourceOf>[0]);
  return { model, source, settings, plan, step: atStep ?? settings.steps, viewStep };
}

const asProblem = ({ name, value, problem }: { name: string; value: unknown; problem: object }): SettingProblem =>
  ({ ...problem, setting: name, value }) as SettingProblem;

function refuse([problem]: readonly SettingProblem[]): void {
  if (problem !== undefined) throw new RangeError(settingProblem(kebab(problem.setting), problem));
}
