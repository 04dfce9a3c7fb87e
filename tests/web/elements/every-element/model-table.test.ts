// @vitest-environment happy-dom
import '../../../../web/elements/model-table/model-table.define.js';
import { testLife } from './life.js';

testLife({
  tag: 'tied-model-table',
  answered: (root) => root.querySelectorAll('tr[data-model]').length > 0,
});
