import { Window } from 'happy-dom';
import { describe, expect, test } from 'vitest';
import { asText } from '../../../bench/report/json.mjs';
import { colors } from '../../../bench/report/colors.mjs';
import { picture } from '../../../bench/report/picture.mjs';
import { Results } from '../../../bench/results.mjs';
import { columns, number, percent, time } from '../../../bench/report/words.mjs';
import { palette } from '../../../web/elements/shared/palette.js';
import { resultsFrom } from './results.js';

const step = (id: string) => ({ id, operations: 1e9, items: 1000, itemsName: id === 'train/C' ? 'pairs' : 'tokens' });
const product = { id: 'product/256x256x256/nn', operations: 2 * 256 ** 3 };
const cases = [product, step('train/A'), step('train/B'), step('train/C')];
const steps = (name: string, host: string, seconds: number) =>
  ['train/A', 'train/B', 'train/C'].map((id) => ({ name, host, id, seconds: [seconds], limit: 50e9 }));
const results = resultsFrom(cases, [
  ...steps('ours, baseline', 'Chromium', 0.04),
  ...steps('ours, relaxed', 'Chromium', 0.02),
  ...steps('jax & js', 'Chromium', 0.1),
  ...steps('PyTorch', 'Python', 0.01),
  { name: 'ours, relaxed', host: 'Chromium', id: product.id, seconds: [1e-3], limit: 50e9 },
]);
const { DOMParser } = new Window();
const drawn = (svg: string): SVGSVGElement =>
  new DOMParser().parseFromString(svg, 'image/svg+xml').documentElement as unknown as SVGSVGElement;

describe('the picture', () => {
  const svg = drawn(picture(results));
  const texts = [...svg.querySelectorAll('text')].map((text) => text.textContent);

  test('has a name and a description with its numbers', () => {
    expect(svg.querySelector('title')?.textContent).toContain('Training steps');
    const words = svg.querySelector('desc')!.textContent;
    expect(words).toContain('A, tokens per second: PyTorch, native 100,000, tied-embeddings, relaxed 50,000');
    expect(words).toContain('C, pairs per second');
  });

  test('names every contender and every rate as text', () => {
    for (const words of ['tied-embeddings', 'tied-embeddings, relaxed', 'jax & js', 'PyTorch, native']) {
      expect(texts).toContain(words);
    }
    for (const rate of ['25,000', '50,000', '10,000', '100,000']) {
      expect(texts.filter((text) => text === rate)).toHaveLength(3);
    }
  });

  test('summarizes the bars in words', () => {
    expect(texts).toContain(
      '5.00, 5.00 and 5.00 times the fastest other library in the browser; 0.50, 0.50 and 0.50 of native PyTorch',
    );
  });

  test('has bars with lengths proportional to the rates', () => {
    const width = (kind: string) => Number(svg.querySelector(`rect.${kind}`)!.getAttribute('width'));
    expect(width('ours') / width('native')).toBeCloseTo(0.5, 2);
    expect(width('peer') / width('native')).toBeCloseTo(0.1, 2);
  });

  test('follows the light or dark scheme in the colors of the elements', () => {
    const style = svg.querySelector('style')!.textContent;
    expect(style).toContain('prefers-color-scheme: dark');
    for (const [name, pair] of Object.entries(colors)) {
      expect(pair).toEqual(palette[name as keyof typeof palette]);
      for (const color of pair) expect(style).toContain(color);
    }
  });

  test('can be drawn without measured peers', () => {
    const alone = drawn(picture(resultsFrom(cases, steps('ours, baseline', 'Chromium', 0.04))));
    expect(alone.querySelector('desc')!.textContent).toContain('No other programs');
    expect(alone.outerHTML).not.toMatch(/NaN|Infinity|undefined/);
  });
});

test('results that are read back from JSON give the same picture', () => {
  const text = asText(results.data);
  expect(picture(new Results(JSON.parse(text)))).toBe(picture(results));
  expect(text.split('\n').filter((line) => line.includes('secondsPerCall'))).toHaveLength(results.data.samples.length);
});

test('numbers have three digits, and times have a suitable unit', () => {
  expect([1234567, 12345.6, 1234.5, 0.01234].map(number)).toEqual(['1,234,567', '12,346', '1235', '0.0123']);
  expect([2.5, 0.0421, 3.2e-6].map(time)).toEqual(['2.50 s', '42.1 ms', '3.20 us']);
  expect(percent(0.9249)).toBe('92%');
  expect(number(NaN)).toBe('-');
});

test('columns are as wide as their contents', () => {
  expect(
    columns([
      ['a', '1', '22'],
      ['bbb', '333', ''],
    ]),
  ).toEqual(['a      1  22', 'bbb  333']);
});
