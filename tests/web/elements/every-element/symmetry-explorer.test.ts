// @vitest-environment happy-dom
import '../../../../web/elements/symmetry-explorer/symmetry-explorer.define.js';
import { testLife } from './life.js';

testLife({
  tag: 'tied-symmetry-explorer',
  answered: (root) => (root.querySelector('.checks b')?.textContent ?? '') !== '',
});
