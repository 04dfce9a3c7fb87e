import { defineFigure } from '../shared/shared.define.js';
import { Experiment } from './experiment.js';

defineFigure('tied-experiment', Experiment);

declare global {
  interface HTMLElementTagNameMap {
    'tied-experiment': Experiment;
  }
}

export { Experiment };
