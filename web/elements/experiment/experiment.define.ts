import { define } from '../shared/define.js';
import { defineShared } from '../shared/shared.define.js';
import { Experiment } from './experiment.js';

defineShared();
define('tied-experiment', Experiment);

declare global {
  interface HTMLElementTagNameMap {
    'tied-experiment': Experiment;
  }
}

export { Experiment };
