// @vitest-environment happy-dom
import '../../../../web/elements/alignment/alignment.define.js';
import { testLife } from './life.js';

testLife({
  tag: 'tied-alignment',
  answered: (root) => root.querySelector('.read-out') !== null,
});
