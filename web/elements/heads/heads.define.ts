import { define } from '../shared/define.js';
import { defineShared } from '../shared/shared.define.js';
import { Heads } from './heads.js';

defineShared();
define('tied-heads', Heads);

declare global {
  interface HTMLElementTagNameMap {
    'tied-heads': Heads;
  }
}

export { Heads };
