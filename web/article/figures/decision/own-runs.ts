import type { TrainingLab } from '../../../elements/training-lab/training-lab.define.js';
import type { TrainingLabStep } from '../../../elements/training-lab/mode.js';
import type { OwnRun } from './facts.js';

/** What one table costs in a run of the training lab; null unless the run is complete, and compares one table with two. */
export function ownRunOf(
  { step, heldOut }: TrainingLabStep,
  { steps, dModel }: Pick<TrainingLab, 'steps' | 'dModel'>,
): OwnRun | null {
  const [tied, untied] = [heldOut?.['tied'], heldOut?.['untied']];
  if (step < steps || tied === undefined || untied === undefined) return null;
  const cost = tied - untied;
  return Number.isFinite(cost) ? { width: dModel, cost } : null;
}

/** Calls back for each complete run in a training lab of the page; returns what ends that. */
export function followOwnRuns(found: (run: OwnRun) => void): () => void {
  const listen = (event: Event): void => {
    const run = ownRunOf((event as CustomEvent<TrainingLabStep>).detail, event.target as TrainingLab);
    if (run !== null) found(run);
  };
  document.addEventListener('tied-step', listen);
  return () => document.removeEventListener('tied-step', listen);
}
