import { defineFigure } from '../shared/shared.define.js';
import { DirectPath } from './direct-path.js';

defineFigure('tied-direct-path', DirectPath);

declare global {
  interface HTMLElementTagNameMap {
    'tied-direct-path': DirectPath;
  }
}

export { DirectPath };
