// @vitest-environment happy-dom
// The figure of hidden states sets h⊥ and h∥ with subscripts, as the article's formulas do.
import { html, render, svg } from 'lit';
import { expect, it } from 'vitest';
import { symbolsInHtml, symbolsInSvg } from '../../../web/elements/hidden-states/symbols.js';
import { hiddenStatesStrings as texts } from '../../../web/elements/hidden-states/hidden-states.strings.js';

const place = (content: unknown): HTMLElement => {
  const within = document.createElement('div');
  render(html`${content}`, within);
  return within;
};
const textsOf = (within: Element, selector: string): (string | null)[] =>
  [...within.querySelectorAll(selector)].map((one) => one.textContent);

it('in HTML, every h is a variable and every sign a subscript, and the words stay', () => {
  const title = texts.trianglesTitle('␣New');
  const set = place(symbolsInHtml(title));
  expect(set.textContent).toBe(title);
  expect(textsOf(set, 'var')).toEqual(['h', 'h', 'h']);
  expect(textsOf(set, 'sub')).toEqual(['∥', '⊥']);
});

it('a token that is an h stays a token', () => {
  expect(textsOf(place(symbolsInHtml(texts.trianglesTitle('␣h'))), 'var')).toHaveLength(3);
});

it('in SVG, what follows a subscript is back on the line', () => {
  const quotient = texts.quotient('1.15');
  const set = place(svg`<text>${symbolsInSvg(quotient)}</text>`);
  expect(set.textContent).toBe(quotient);
  expect(textsOf(set, '.sub')).toEqual(['⊥', '∥']);
  const drops = [...set.querySelectorAll('tspan')].map((one) => Number(one.getAttribute('dy')));
  expect(drops.reduce((sum, one) => sum + one, 0)).toBe(0);
});
