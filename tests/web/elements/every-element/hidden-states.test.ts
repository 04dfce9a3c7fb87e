// @vitest-environment happy-dom
import '../../../../web/elements/hidden-states/hidden-states.define.js';
import { testLife } from './life.js';

testLife({
  tag: 'tied-hidden-states',
  answered: (root) => root.querySelector('.read-out') !== null,
});
