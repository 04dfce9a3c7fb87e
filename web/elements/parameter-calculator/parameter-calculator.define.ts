import { define } from '../shared/define.js';
import { defineShared } from '../shared/shared.define.js';
import { ParameterCalculator } from './parameter-calculator.js';

defineShared();
define('tied-parameter-calculator', ParameterCalculator);

declare global {
  interface HTMLElementTagNameMap {
    'tied-parameter-calculator': ParameterCalculator;
  }
}

export { ParameterCalculator };
