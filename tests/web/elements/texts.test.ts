// @vitest-environment happy-dom
import { afterEach, expect, it } from 'vitest';
import '../../../web/elements/parameter-calculator/parameter-calculator.define.js';
import type { ParameterCalculator } from '../../../web/elements/parameter-calculator/parameter-calculator.js';

afterEach(() => document.body.replaceChildren());

function placed() {
  const element = document.createElement('tied-parameter-calculator');
  document.body.append(element);
  const title = async (): Promise<string | undefined> => {
    await element.updateComplete;
    return element.shadowRoot?.querySelector('#title')?.textContent.trim();
  };
  return { element, texts: () => (element as unknown as { texts: object }).texts, title };
}

it('the texts of a figure are not copied on each access', () => {
  const { element, texts } = placed();
  expect(texts()).toBe(texts());
  const before = texts();
  element.strings = { title: 'Zähler' };
  expect(texts()).not.toBe(before);
  expect(texts()).toMatchObject({ title: 'Zähler' });
});

it('a page’s own texts are shown, even if it changes them later', async () => {
  const { element, title } = placed();
  const strings: ParameterCalculator['strings'] = { title: 'Zähler' };
  element.strings = strings;
  expect(await title()).toBe('Zähler');
  strings.title = 'Compteur';
  element.requestUpdate();
  expect(await title()).toBe('Compteur');
});
