// The questions that a reader answers before the article does.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import { root } from '../../../tools/lib/root.mjs';
import { readTableFacts } from '../../../web/article/build/alignment-facts.mjs';
import { gptFacts } from '../../../web/article/build/gpt-facts.mjs';
import { addGuesses, guesses } from '../../../web/article/learning/build/guesses.mjs';

const article = join(root, 'web/article');
const html = ['sections', 'chapters']
  .flatMap((folder) =>
    readdirSync(join(article, folder)).map((name) => readFileSync(join(article, folder, name), 'utf8')),
  )
  .join('\n');
const recorded = JSON.parse(readFileSync(join(article, 'assets/recorded-facts.json'), 'utf8')) as Record<string, never>;
const runFile = join(article, 'assets/finished-transformer-run.json');
const facts = {
  ...recorded,
  ...(await readTableFacts(root)),
  gpt: gptFacts(JSON.parse(readFileSync(runFile, 'utf8')) as Parameters<typeof gptFacts>[0]),
};

describe('the guesses', () => {
  it('have one place each', () => {
    const places = [...html.matchAll(/<article-guess name="([\w-]+)">/g)].map(([, name]) => name!);
    expect(places.sort()).toEqual(Object.keys(guesses).sort());
  });

  it('show question and answer to readers without scripts', () => {
    const written = addGuesses(html, facts);
    for (const [, name, body] of written.matchAll(/<article-guess name="(\w+)"[^>]*>([\s\S]*?)<\/article-guess>/g)) {
      expect(body, name).toMatch(/<p class="ask">.{30,}\?<\/p>/);
      expect(body, name).toMatch(/<p class="answer">.{10,}<\/p>/);
    }
  });

  test.each(Object.keys(guesses))('the answer to %s lies on its scale or among its choices', (name) => {
    const guess = guesses[name]!(facts);
    if ('choices' in guess) {
      expect(guess.choices.length).toBeGreaterThan(2);
      expect(guess.choices[guess.right]).toBeDefined();
      return;
    }
    const { from, to, step, truth, marks = [] } = guess;
    for (const value of [truth, ...marks.map(({ at }) => at)]) {
      expect(value).toBeGreaterThanOrEqual(from);
      expect(value).toBeLessThanOrEqual(to);
    }
    expect((to - from) / step).toBeGreaterThanOrEqual(20);
    // The slider does not begin at the answer.
    expect(Math.abs(truth - (guess.start ?? (from + to) / 2))).toBeGreaterThanOrEqual(2 * step);
  });

  it('a symmetric table has as many free scores as the guess says', () => {
    // Of a random symmetric table, every score that differs from all before it.
    const words = 400;
    const table = Array.from({ length: words }, () => Array.from({ length: words }, () => Math.random()));
    const own = new Set(table.flatMap((row, i) => row.map((score, j) => score + table[j]![i]!)));
    expect(own.size).toBe((words * (words + 1)) / 2);
    const guess = guesses['symmetry']!(facts);
    // The share of a thousand words, in percent, is the same to a whole number.
    expect('truth' in guess && guess.truth).toBe(Math.round((100 * own.size) / words ** 2));
    expect(guess.answer).toContain(((1000 * 1001) / 2).toLocaleString('en'));
  });

  it('does not build a question whose answer the numbers no longer give', () => {
    const alignment = { reading: { mean: 0.7 }, writing: { mean: 0.72 } };
    expect(() => guesses['whose']!({ ...facts, alignment })).toThrow('ahead');
    expect(() => addGuesses('<article-guess name="nothing"></article-guess>', facts)).toThrow('nothing');
  });
});
