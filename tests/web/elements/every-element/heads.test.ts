// @vitest-environment happy-dom
import '../../../../web/elements/heads/heads.define.js';
import { testLife } from './life.js';

// It trains on the reader's request: tests/browser/heads.test.ts.
testLife({
  tag: 'tied-heads',
  answered: (root) => root.querySelector('.costs') !== null && root.querySelector('.read-out') !== null,
});
