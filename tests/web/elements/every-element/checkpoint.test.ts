// @vitest-environment happy-dom
import '../../../../web/elements/checkpoint/checkpoint.define.js';
import { testLife } from './life.js';

testLife({
  tag: 'tied-checkpoint',
  answered: (root) => root.querySelector('.drop') !== null,
});
