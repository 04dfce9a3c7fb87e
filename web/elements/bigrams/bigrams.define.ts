import { define } from '../shared/define.js';
import { defineShared } from '../shared/shared.define.js';
import { Bigrams } from './bigrams.js';

defineShared();
define('tied-bigrams', Bigrams);

declare global {
  interface HTMLElementTagNameMap {
    'tied-bigrams': Bigrams;
  }
}

export { Bigrams };
