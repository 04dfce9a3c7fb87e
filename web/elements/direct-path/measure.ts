import type { DirectPathReport, Lab, PathMeasures } from '../../core/types.js';
import type { Listening } from '../shared/model-twins.js';
import { trainTwins, type MeasureModel, type SeededReports } from '../shared/twin-training.js';

/** The training steps after which the paths are measured. */
export const shownSteps = [0, 10, 20, 50, 100, 200, 400] as const;

/** What a path passes through; each one adds something to the one before. */
export const pathNames = ['embeddings', 'finalNorm', 'mlp0', 'model'] as const;
export type PathName = (typeof pathNames)[number];

export const measureNames = ['correlation', 'loss', 'selfPrediction', 'breaking', 'asymmetry'] as const;
export type MeasureName = (typeof measureNames)[number];

/** A report per shown step, on text that is not trained on. */
export type Measured = SeededReports<DirectPathReport>;

/** Null if the measure does not exist: only logits of single tokens have a diagonal. */
export function valueOf(report: DirectPathReport, path: PathName, measure: MeasureName): number | null {
  const of: Partial<PathMeasures> | null = path === 'model' ? report.model : report.paths[path];
  return of?.[measure] ?? null;
}

/** The measure of the bigrams themselves. */
export const bigramsOf = ({ bigrams }: DirectPathReport, measure: MeasureName): number | null =>
  measure === 'correlation' || measure === 'asymmetry' ? null : bigrams[measure];

/** Compares the direct paths of a model with the bigrams of its training text. */
export const measureModel: MeasureModel<DirectPathReport> = (trainer, { probe, trained }, listening) =>
  trainer.directPathReport(probe, { bigramsOf: trained, ...listening });

/** Trains a tied and an untied model and measures their direct paths along the way. */
export const measurePaths = (
  lab: Lab,
  { seed, steps = shownSteps }: { readonly seed: number; readonly steps?: readonly number[] },
  listening: Listening,
): Promise<Measured> => trainTwins(lab, { seed, steps }, measureModel, listening);
