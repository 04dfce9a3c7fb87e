// @vitest-environment happy-dom
import '../../../../web/elements/compute-calculator/compute-calculator.define.js';
import { testLife } from './life.js';

testLife({
  tag: 'tied-compute-calculator',
  answered: (root) => root.querySelectorAll('.bars rect').length > 0,
});
