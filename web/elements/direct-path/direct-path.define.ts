import { define } from '../shared/define.js';
import { defineShared } from '../shared/shared.define.js';
import { DirectPath } from './direct-path.js';

defineShared();
define('tied-direct-path', DirectPath);

declare global {
  interface HTMLElementTagNameMap {
    'tied-direct-path': DirectPath;
  }
}

export { DirectPath };
