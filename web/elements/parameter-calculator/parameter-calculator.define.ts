import { defineArchitecturePicker } from '../shared/architecture/architecture.define.js';
import { define } from '../shared/define.js';
import { ParameterCalculator } from './parameter-calculator.js';

defineArchitecturePicker();
define('tied-parameter-calculator', ParameterCalculator);

declare global {
  interface HTMLElementTagNameMap {
    'tied-parameter-calculator': ParameterCalculator;
  }
}

export { ParameterCalculator };
