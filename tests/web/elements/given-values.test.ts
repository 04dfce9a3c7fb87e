// @vitest-environment happy-dom
// Properties as frameworks set them once an element is defined: attributes of their templates, as text.
import { afterEach, describe, expect, it, vi } from 'vitest';
import '../../../web/elements/index.js';
import type { TiedElement } from '../../../web/elements/shared/tied-element.js';

vi.setConfig({ testTimeout: 120_000 });

type Figure = TiedElement<object> & Record<string, unknown>;

async function framed(name: string, properties: Record<string, unknown>): Promise<Figure> {
  const element = document.createElement(`tied-${name}`) as Figure;
  Object.assign(element, properties);
  document.body.append(element);
  await element.updateComplete;
  return element;
}

const says = (element: Figure): string | null => element['problem'] as string | null;
const level = (element: Figure): string | null | undefined =>
  element.shadowRoot?.querySelector('#title')?.getAttribute('aria-level');

afterEach(() => {
  document.body.innerHTML = '';
});

describe('a property that is set to the text of an attribute', () => {
  it.each([
    ['bigrams', 'seed', '5', 5],
    ['symmetry-explorer', 'tokens', 'a, b', ['a', 'b']],
    ['symmetry-explorer', 'embedding', '1 2; 3 4; 5 6', [[1, 2], [3, 4], [5, 6]]], // prettier-ignore
    ['training-lab', 'arms', 'tied untied', ['tied', 'untied']],
    ['training-lab', 'batchSize', '64', 64],
    ['training-lab', 'outputBias', '', true],
    ['parameter-calculator', 'vocabSize', '1000', 1000],
    ['alignment', 'otherMeasures', '', true],
    ['lens', 'prompt', '5', '5'],
  ])('means what it means in HTML: %s, %s="%s"', async (name, property, text, value) => {
    const element = await framed(name, { [property]: text });
    expect(element[property]).toEqual(value);
    expect(says(element)).toBeNull();
  });

  it('is refused like the attribute if it is invalid', async () => {
    const element = await framed('bigrams', { seed: 'five' });
    expect(says(element)).toMatch(/^The attribute seed is “five”; expected an integer/);
    expect(element['seed']).toBe(1);
  });

  it.each([
    ['is taken away', (element: Figure) => element.removeAttribute('seed')],
    ['is written as what the figure uses', (element: Figure) => element.setAttribute('seed', '1')],
    ['is set as a property', (element: Figure) => (element['seed'] = 1)],
  ])('is no longer complained of once it %s', async (_, mend) => {
    const element = await framed('bigrams', {});
    element.setAttribute('seed', 'five');
    await element.updateComplete;
    expect(says(element)).toMatch(/^The attribute seed is “five”/);
    element.setAttribute('vocab-size', '300');
    await element.updateComplete;
    expect(says(element)).toMatch(/^The attribute seed is “five”/);
    mend(element);
    await element.updateComplete;
    expect(says(element)).toBeNull();
    element.setAttribute('seed', 'six');
    await element.updateComplete;
    expect(says(element)).toMatch(/^The attribute seed is “six”/);
  });

  it('is no change if it is the current value', async () => {
    const element = await framed('bigrams', { seed: 5 });
    const changed = vi.spyOn(element as unknown as { settingsChanged: () => void }, 'settingsChanged');
    element['seed'] = '5';
    await element.updateComplete;
    expect(element['seed']).toBe(5);
    expect(changed).not.toHaveBeenCalled();
  });
});

describe('a property that is taken away', () => {
  it.each([undefined, null])('has its default again, without a message: %s', async (nothing) => {
    const given = { mode: 'random', tokens: ['a', 'b'], seed: 4 };
    const element = await framed('symmetry-explorer', given);
    Object.assign(element, { mode: nothing, tokens: nothing, seed: nothing });
    await element.updateComplete;
    expect([element['mode'], element['tokens'], element['seed']]).toEqual(['tied', ['New', 'York', 'City'], 1]);
    expect(says(element)).toBeNull();
  });

  it('offers no link, and uses the lab of the page', async () => {
    const element = await framed('symmetry-explorer', { linkState: 'x', strings: { title: 'T' } });
    Object.assign(element, { linkState: undefined, lab: undefined, strings: undefined, headingLevel: undefined });
    await element.updateComplete;
    expect([element.linkState, element.lab]).toEqual([null, null]);
    expect(element.shadowRoot?.querySelector('.footer')?.textContent).not.toContain('Copy link');
    expect(level(element)).toBe('3');
  });
});

it.each([
  ['2', '2'],
  [4, '4'],
  ['banana', '3'],
  [9, '3'],
  [null, '3'],
])('the title of a figure with the heading level %s has level %s', async (headingLevel, expected) => {
  expect(level(await framed('symmetry-explorer', { headingLevel }))).toBe(expected);
});

it('a message about a setting goes once the page sets that setting to a valid value, not before', async () => {
  const element = await framed('symmetry-explorer', { mode: 'tide' });
  element['view'] = 'probabilities';
  await element.updateComplete;
  expect(says(element)).toContain('“tide”');
  element['mode'] = 'untied';
  await element.updateComplete;
  expect(says(element)).toBeNull();
});

it('a figure says that it is in English, unless the page replaces its texts', async () => {
  const frame = (element: Figure): (string | null | undefined)[] =>
    ['lang', 'dir'].map((name) => element.shadowRoot?.querySelector('.frame')?.getAttribute(name));
  expect(frame(await framed('symmetry-explorer', {}))).toEqual(['en', 'ltr']);
  expect(frame(await framed('symmetry-explorer', { strings: { title: 'عنوان' } }))).toEqual([null, null]);
});
