import { defineFigure } from '../shared/shared.define.js';
import { Bigrams } from './bigrams.js';

defineFigure('tied-bigrams', Bigrams);

declare global {
  interface HTMLElementTagNameMap {
    'tied-bigrams': Bigrams;
  }
}

export { Bigrams };
