// @vitest-environment happy-dom
import '../../../../web/elements/training-lab/training-lab.define.js';
import { expect, it, vi } from 'vitest';
import { complaintOf, place, testLife } from './life.js';

testLife({
  tag: 'tied-training-lab',
  // The smallest of its texts.
  attributes: { 'text-source': 'markov-chain' },
  answered: (root) => /In this text/.test(root.querySelector('.read-out')?.textContent ?? ''),
});

it('a training lab names every invalid attribute, not only the first', async () => {
  const attributes = { tokenizer: 'sentence', 'd-model': '0', seed: '-1', optimizer: 'magic', 'run-to': '-5' };
  const element = place({ tag: 'tied-training-lab', attributes, answered: () => true });
  await vi.waitFor(() => {
    for (const name of Object.keys(attributes)) expect(complaintOf(element)).toContain(name);
  });
});
