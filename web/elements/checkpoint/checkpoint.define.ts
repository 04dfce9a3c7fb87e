import { define } from '../shared/define.js';
import { defineShared } from '../shared/shared.define.js';
import { Checkpoint } from './checkpoint.js';

defineShared();
define('tied-checkpoint', Checkpoint);

declare global {
  interface HTMLElementTagNameMap {
    'tied-checkpoint': Checkpoint;
  }
}

export { Checkpoint };
