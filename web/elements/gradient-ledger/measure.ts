import type { GradientReport, Lab, LossByFrequency } from '../../core/types.js';
import type { Listening } from '../shared/model-twins.js';
import { trainTwins, type MeasureModel, type Reports, type SeededReports } from '../shared/twin-training.js';

/** The gradient through reading: its rows summed per token, as the optimizer receives it, or one row per position. */
export const definitions = ['token', 'position'] as const;
export type Definition = (typeof definitions)[number];

/** The training steps after which the gradient is measured. */
export const shownSteps = [0, 5, 10, 20, 50, 100] as const;

/** The gradients of a model, and its losses by token frequency. */
export type LedgerReport = GradientReport & { readonly losses: LossByFrequency };

/** A report per shown step, on text that is not trained on. */
export type Measured = SeededReports<LedgerReport>;

/** Writing's share of the gradient of the table. */
export const writingShare = (report: GradientReport, definition: Definition): number =>
  1 - (definition === 'token' ? report.inputShare : report.inputPositionShare);

/** The index of the step at which writing is furthest ahead in the tied model. */
export function furthestAhead({ reports }: Reports<LedgerReport>, definition: Definition): number {
  const shares = reports.tied.map((report) => writingShare(report, definition));
  return shares.indexOf(Math.max(...shares));
}

/** Gradients and losses by token frequency in the model's training text. */
export const measureModel: MeasureModel<LedgerReport> = async (trainer, { probe, counts }, listening) => {
  const losses = await trainer.lossByFrequency(probe, { counts, signal: listening.signal });
  return { ...(await trainer.gradientReport(probe, { counts, ...listening })), losses };
};

/** Trains a tied and an untied model and measures their gradients along the way. */
export const measureLedgers = (lab: Lab, seed: number, listening: Listening): Promise<Measured> =>
  trainTwins(lab, { seed, steps: shownSteps }, measureModel, listening);
