// @vitest-environment happy-dom
import '../../../../web/elements/experiment/experiment.define.js';
import { testLife } from './life.js';

// It trains on the reader's request: tests/browser/experiment.test.ts.
testLife({
  tag: 'tied-experiment',
  answered: (root) => root.querySelector('.plan') !== null && root.querySelector('p.note') !== null,
});
