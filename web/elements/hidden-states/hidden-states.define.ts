import { defineFigure } from '../shared/shared.define.js';
import { HiddenStates } from './hidden-states.js';

defineFigure('tied-hidden-states', HiddenStates);

declare global {
  interface HTMLElementTagNameMap {
    'tied-hidden-states': HiddenStates;
  }
}

export { HiddenStates };
