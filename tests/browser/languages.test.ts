// The chapter about languages, on its own page: the reader finds a language, walks along the texts, and places a text.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../../tools/lib/root.mjs';
import { lettersOf, oneWayOf } from '../../web/article/figures/languages/measure.js';
import { languagesOf, type LanguagesFile } from '../../web/article/figures/languages/record.js';
import { languageSentence, ownSentence, ownTexts } from '../../web/article/figures/languages/sentences.js';
import { loadCore } from '../../web/index.js';
import { builtInTexts } from '../../web/texts/index.js';
import { axeViolations, horizontalOverflow, openSite } from './harness.js';

const languages = languagesOf(
  JSON.parse(readFileSync(join(root, 'web/article/assets/languages.json'), 'utf8')) as LanguagesFile,
);
const sentenceOf = (name: string): string => {
  const place = languages.findIndex((one) => one.name === name);
  return languageSentence(languages[place]!, place, languages.length);
};

test.each([320, 1280])('a language is found by its name and by keyboard, at %i px', async (width) => {
  const { page, problems } = await openSite('languages.html', { width });
  const figure = page.locator('article-languages');
  await figure.scrollIntoViewIfNeeded();
  const slider = figure.getByRole('slider');
  await slider.waitFor();
  const told = figure.locator('.read-out').first();
  await expect.poll(() => told.textContent()).toBe(sentenceOf('English'));

  const box = figure.getByRole('combobox', { name: 'Find a language' });
  await box.fill('swah');
  await expect.poll(() => told.textContent()).toBe(sentenceOf('Swahili'));
  await box.fill('no such tongue');
  await expect.poll(() => told.textContent()).toBe(`None of the ${languages.length} texts is named no such tongue.`);

  await slider.press('Home');
  await expect.poll(() => told.textContent()).toBe(sentenceOf(languages[0]!.name));
  await slider.press('ArrowRight');
  await expect.poll(() => slider.getAttribute('aria-valuetext')).toBe(sentenceOf(languages[1]!.name));
  await slider.press('End');
  await expect.poll(() => told.textContent()).toBe(sentenceOf(languages.at(-1)!.name));
  const { x, y, width: wide, height } = (await slider.boundingBox())!;
  await page.mouse.click(x + wide / 2, y + height / 2);
  await expect.poll(async () => Number(await slider.getAttribute('aria-valuenow'))).toBeLessThan(languages.length);

  await figure.getByText('Numbers', { exact: true }).click();
  await figure.getByRole('table').waitFor();
  expect(await figure.locator('.data tbody tr').count()).toBe(languages.length);
  await figure.getByText(ownTexts.opening, { exact: true }).click();
  await figure.locator('textarea').waitFor();
  expect(await horizontalOverflow(page)).toBe(0);
  expect(await axeViolations(page, 'article-languages')).toEqual([]);
  expect(problems).toEqual([]);
});

test('a text of the reader’s own is placed among them, and one that says too little is refused', async () => {
  const { page, problems } = await openSite('languages.html', { width: 1280 });
  const figure = page.locator('article-languages');
  await figure.scrollIntoViewIfNeeded();
  await figure.getByText(ownTexts.opening).click();
  const box = figure.getByRole('textbox', { name: 'Paste a text here' });
  const use = figure.getByRole('button', { name: 'Use this text' });
  await box.fill('Too short.');
  await use.click();
  await expect
    .poll(() => figure.locator('.problem').textContent())
    .toBe(ownTexts.tooShort('pasted text', 'too short'.length, 500));

  const story = await builtInTexts[0]!.load();
  const expected = ownSentence('pasted text', await oneWayOf(lettersOf(story), await loadCore()), languages);
  await box.fill(story);
  await use.click();
  await expect.poll(() => figure.locator('.placed').textContent(), { timeout: 60_000 }).toBe(expected);
  expect(await figure.locator('.problem').count()).toBe(0);
  expect(await figure.locator('.own-line').count()).toBe(1);
  expect(await axeViolations(page, 'article-languages')).toEqual([]);
  expect(problems).toEqual([]);
});
