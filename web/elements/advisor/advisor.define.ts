import { defineArchitecturePicker } from '../shared/architecture/architecture.define.js';
import { define } from '../shared/define.js';
import { Advisor } from './advisor.js';

defineArchitecturePicker();
define('tied-advisor', Advisor);

declare global {
  interface HTMLElementTagNameMap {
    'tied-advisor': Advisor;
  }
}

export { Advisor };
