// @vitest-environment happy-dom
import '../../../../web/elements/parameter-calculator/parameter-calculator.define.js';
import { testLife } from './life.js';

testLife({
  tag: 'tied-parameter-calculator',
  answered: (root) => root.querySelector('.read-out')?.textContent.trim() !== '',
});
