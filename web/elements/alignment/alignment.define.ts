import { defineFigure } from '../shared/shared.define.js';
import { Alignment } from './alignment.js';

defineFigure('tied-alignment', Alignment);

declare global {
  interface HTMLElementTagNameMap {
    'tied-alignment': Alignment;
  }
}

export { Alignment };
