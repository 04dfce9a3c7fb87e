import { define } from '../shared/define.js';
import { defineArchitecturePicker } from '../shared/architecture/architecture.define.js';
import { ComputeCalculator } from './compute-calculator.js';

defineArchitecturePicker();
define('tied-compute-calculator', ComputeCalculator);

declare global {
  interface HTMLElementTagNameMap {
    'tied-compute-calculator': ComputeCalculator;
  }
}

export { ComputeCalculator };
