// @vitest-environment happy-dom
import '../../../../web/elements/direct-path/direct-path.define.js';
import { testLife } from './life.js';

testLife({
  tag: 'tied-direct-path',
  answered: (root) => root.querySelector('.read-out') !== null,
});
