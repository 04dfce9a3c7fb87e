// How long the article says it takes.
import { describe, expect, test } from 'vitest';
import { minutesOf } from '../../../web/article/build/outline.mjs';

const words = (count: number): string => 'word '.repeat(count);

describe('minutes of a section', () => {
  test('count its prose, and nothing of what is folded', () => {
    expect(minutesOf(`<p>${words(230)}</p>`)).toBe(1);
    expect(minutesOf(`<p>${words(230)}</p><details>${words(900)}<details>${words(9)}</details></details>`)).toBe(1);
  });

  test('count what the reader does: figures, guesses and claims', () => {
    expect(minutesOf(`<figure id="one">${words(500)}</figure>`)).toBe(0.5);
    expect(minutesOf('<article-guess name="case"></article-guess>')).toBe(0.25);
    const quiz = '<dl><div><dt></dt><dd></dd></div><div><dt></dt><dd></dd></div></dl>';
    expect(minutesOf(quiz)).toBeCloseTo(0.2, 12);
    // A caption is no figure.
    expect(minutesOf('<figcaption></figcaption>')).toBe(0);
  });
});
