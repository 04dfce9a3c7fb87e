import { define } from '../shared/define.js';
import { defineShared } from '../shared/shared.define.js';
import { Lens } from './lens.js';

defineShared();
define('tied-lens', Lens);

declare global {
  interface HTMLElementTagNameMap {
    'tied-lens': Lens;
  }
}

export { Lens };
