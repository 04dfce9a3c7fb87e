import { defineFigure } from '../shared/shared.define.js';
import { TrainingLab } from './training-lab.js';

defineFigure('tied-training-lab', TrainingLab);

declare global {
  interface HTMLElementTagNameMap {
    'tied-training-lab': TrainingLab;
  }
}

export { TrainingLab };
export type { FinishedArm, FinishedRun } from './finished-run.js';
export type { FinishedTransformerArm, FinishedTransformerRun } from './transformer/finished-run.js';
