import { define } from '../shared/define.js';
import { defineShared } from '../shared/shared.define.js';
import { Seq2seq } from './seq2seq.js';

defineShared();
define('tied-seq2seq', Seq2seq);

declare global {
  interface HTMLElementTagNameMap {
    'tied-seq2seq': Seq2seq;
  }
}

export { Seq2seq };
