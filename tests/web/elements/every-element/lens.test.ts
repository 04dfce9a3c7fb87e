// @vitest-environment happy-dom
import '../../../../web/elements/lens/lens.define.js';
import { testLife } from './life.js';

testLife({
  tag: 'tied-lens',
  answered: (root) => root.querySelector('.read-out') !== null,
});
