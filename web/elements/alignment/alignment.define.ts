import { define } from '../shared/define.js';
import { defineShared } from '../shared/shared.define.js';
import { Alignment } from './alignment.js';

defineShared();
define('tied-alignment', Alignment);

declare global {
  interface HTMLElementTagNameMap {
    'tied-alignment': Alignment;
  }
}

export { Alignment };
