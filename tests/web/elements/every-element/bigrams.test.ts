// @vitest-environment happy-dom
import '../../../../web/elements/bigrams/bigrams.define.js';
import { testLife } from './life.js';

testLife({
  tag: 'tied-bigrams',
  answered: (root) => root.querySelectorAll('.axis .js').length === 4,
});
