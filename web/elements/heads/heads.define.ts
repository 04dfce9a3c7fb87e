import { defineFigure } from '../shared/shared.define.js';
import { Heads } from './heads.js';

defineFigure('tied-heads', Heads);

declare global {
  interface HTMLElementTagNameMap {
    'tied-heads': Heads;
  }
}

export { Heads };
