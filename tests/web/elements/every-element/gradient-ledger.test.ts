// @vitest-environment happy-dom
import '../../../../web/elements/gradient-ledger/gradient-ledger.define.js';
import { testLife } from './life.js';

testLife({
  tag: 'tied-gradient-ledger',
  answered: (root) => root.querySelector('.read-out') !== null,
});
