// @vitest-environment happy-dom
import { expect, it } from 'vitest';
import '../../../../web/elements/heads/heads.define.js';
import type { Heads } from '../../../../web/elements/heads/heads.js';
import { place, showsItsAnswers, testLife, type Figure } from './life.js';

const figure: Figure = {
  tag: 'tied-heads',
  answered: (root) => root.querySelector('.costs') !== null && root.querySelector('.read-out') !== null,
};

// It trains on the reader's request: tests/browser/heads.test.ts.
testLife(figure);

const buttonOf = (element: Heads, name: string): HTMLButtonElement | undefined =>
  [...element.shadowRoot!.querySelectorAll('button')].find((one) => one.textContent.trim() === name);

/** A figure whose reader has just pressed Train: no model exists yet. */
async function asked(text: string): Promise<Heads> {
  const attributes = { 'text-source': 'own', tokenizer: 'word', steps: '20', 'd-model': '16' };
  const element = place<Heads>({ ...figure, attributes });
  element.text = text;
  await showsItsAnswers(element, figure);
  buttonOf(element, 'Train')!.click();
  return element;
}

const wordsFrom = (first: string): string =>
  [...Array.from({ length: 200 }, () => 'both'), ...Array.from({ length: 400 }, (_, at) => `${first}${at % 9}`)].join(
    ' ',
  );

it('a race is forgotten if its settings or its text change before its models exist', async () => {
  for (const change of [
    (element: Heads) => (element.seed = 7),
    // As long as the other text, with the same beginning.
    (element: Heads) => (element.text = wordsFrom('b')),
  ]) {
    const element = await asked(wordsFrom('a'));
    change(element);
    await element.updateComplete;
    expect(buttonOf(element, 'Train')).toBeDefined();
    expect(buttonOf(element, 'Pause')).toBeUndefined();
    element.remove();
  }
});
