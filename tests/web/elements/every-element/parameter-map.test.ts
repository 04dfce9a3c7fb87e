// @vitest-environment happy-dom
import '../../../../web/elements/parameter-map/parameter-map.define.js';
import { testLife } from './life.js';

testLife({
  tag: 'tied-parameter-map',
  answered: (root) => root.querySelectorAll('.part').length > 20,
});
