import { defineFigure } from '../shared/shared.define.js';
import { Seq2seq } from './seq2seq.js';

defineFigure('tied-seq2seq', Seq2seq);

declare global {
  interface HTMLElementTagNameMap {
    'tied-seq2seq': Seq2seq;
  }
}

export { Seq2seq };
