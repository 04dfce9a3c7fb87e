// @vitest-environment happy-dom
import '../../../../web/elements/seq2seq/seq2seq.define.js';
import { testLife } from './life.js';

// It trains on the reader's request: tests/browser/seq2seq.test.ts.
testLife({
  tag: 'tied-seq2seq',
  answered: (root) => root.querySelector('.read-out') !== null,
});
