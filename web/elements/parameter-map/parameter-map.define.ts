import { defineFigure } from '../shared/shared.define.js';
import { ParameterMap } from './parameter-map.js';

defineFigure('tied-parameter-map', ParameterMap);

declare global {
  interface HTMLElementTagNameMap {
    'tied-parameter-map': ParameterMap;
  }
}

export { ParameterMap };
