import { expect, test } from 'vitest';
import { groupFolds } from '../../../web/article/build/folds.mjs';

const fold = (kind: string, inside = 'x'): string => `<details class="${kind}"><summary>s</summary>${inside}</details>`;

test('folds that follow each other are one group, whatever is inside them', () => {
  const outer = fold('more wide', fold('numbers'));
  expect(groupFolds(`<p>a</p>\n${outer}\n  ${fold('maths')}\n<p>b</p>${fold('maths')}`)).toBe(
    `<p>a</p>\n<div class="folds">${outer}\n  ${fold('maths')}</div>\n<p>b</p><div class="folds">${fold('maths')}</div>`,
  );
});

test('other details stay where they are', () => {
  const html = `<figure>${fold('numbers')}</figure><p>no fold</p>`;
  expect(groupFolds(html)).toBe(html);
});

test('a fold without an end is an error that shows it', () => {
  expect(() => groupFolds('<details class="more"><summary>open')).toThrow('<details class="more"><summary>open');
});
