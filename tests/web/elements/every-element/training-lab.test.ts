// @vitest-environment happy-dom
import '../../../../web/elements/training-lab/training-lab.define.js';
import { testLife } from './life.js';

testLife({
  tag: 'tied-training-lab',
  // The smallest of its texts.
  attributes: { 'text-source': 'markov-chain' },
  answered: (root) => /In this text/.test(root.querySelector('.read-out')?.textContent ?? ''),
});
