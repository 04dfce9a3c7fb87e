// @vitest-environment happy-dom
import '../../../../web/elements/advisor/advisor.define.js';
import { testLife } from './life.js';

testLife({
  tag: 'tied-advisor',
  answered: (root) => root.querySelector('.waiting') === null && root.querySelector('.balance') !== null,
});
