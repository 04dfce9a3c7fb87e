import { defineFigure } from '../shared/shared.define.js';
import { Lens } from './lens.js';

defineFigure('tied-lens', Lens);

declare global {
  interface HTMLElementTagNameMap {
    'tied-lens': Lens;
  }
}

export { Lens };
