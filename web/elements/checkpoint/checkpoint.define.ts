import { defineFigure } from '../shared/shared.define.js';
import { Checkpoint } from './checkpoint.js';

defineFigure('tied-checkpoint', Checkpoint);

declare global {
  interface HTMLElementTagNameMap {
    'tied-checkpoint': Checkpoint;
  }
}

export { Checkpoint };
