import { define } from '../shared/define.js';
import { defineShared } from '../shared/shared.define.js';
import { HiddenStates } from './hidden-states.js';

defineShared();
define('tied-hidden-states', HiddenStates);

declare global {
  interface HTMLElementTagNameMap {
    'tied-hidden-states': HiddenStates;
  }
}

export { HiddenStates };
