import { kinds, lookSettings, settingsFor, subjectSettings, type ModelKind } from '../training-lab/lab-settings.js';
import { runPlans, type RunPlan } from '../training-lab/run-plan.js';
import type { RunSettings } from '../training-lab/running.js';
import { sourceOf, type TextSource } from '../training-lab/text-source.js';
import type { Settings } from '../shared/settings/setting.js';
import { refuse, refuseValues, valuesOfLink } from './link-values.js';

/** The run that a link to a training lab leads to. */
export interface LinkedRun {
  readonly model: ModelKind;
  /** Null for the reader's own text, which links do not contain. */
  readonly source: TextSource | null;
  readonly settings: RunSettings;
  readonly plan: RunPlan<RunSettings>;
  /** The step to train to, and the earlier step that was viewed. */
  readonly step: number;
  readonly viewStep: number | null;
}

/** Of all figures, only training labs have arms, and their links always name them. */
export const isRunLink = (attributes: ReadonlyMap<string, string>): boolean => attributes.has('arms');

/**
 * Reads such a link the way the figure does, with the figure's defaults for what the link leaves out. Throws a
 * `RangeError` if the figure would use a value other than the link's.
 */
export function readRunLink(attributes: ReadonlyMap<string, string>): LinkedRun {
  const model = (attributes.get('model') ?? 'direct-path') as ModelKind;
  refuseValues({ model: subjectSettings.model }, { model });
  // Links name every setting that has a different default on small devices.
  const declared: Settings = { ...subjectSettings, ...settingsFor(model, false), ...lookSettings };
  const values = valuesOfLink(declared, attributes, 'a training lab with this model');
  const { run } = kinds[model];
  const settings = Object.fromEntries(Object.keys(run).map((name) => [name, values[name]])) as unknown as RunSettings;
  const plan = runPlans[model] as RunPlan<RunSettings>;
  refuse(plan.problems(settings));
  refuseValues(declared, values);
  const { atStep, viewStep } = values as { atStep: number | null; viewStep: number | null };
  const source = sourceOf(values as unknown as Parameters<typeof sourceOf>[0]);
  return { model, source, settings, plan, step: atStep ?? settings.steps, viewStep };
}
