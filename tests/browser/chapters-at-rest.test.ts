// The figures of the built article and its chapters as readers first see them: a title, a drawing, one control and a sentence.
import type { Locator } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { inside } from '../../web/article/build/outline.mjs';
import { openSite } from './harness.js';
import { justShow } from './learning-page.js';

/** What a figure offers besides its title's buttons: a row of choices is one control, what is pressed in a drawing is part of it. */
const controlsOf = (figure: Locator): Promise<string[]> =>
  figure.evaluate((element) => {
    const rows = '.segments, .prompt-chips, .sources, .transport';
    const seen = (one: Element): boolean => one.checkVisibility({ visibilityProperty: true });
    const within = (root: ParentNode): Element[] =>
      [...root.querySelectorAll('*')].flatMap((one) => [
        one,
        ...(one.shadowRoot === null ? [] : within(one.shadowRoot)),
      ]);
    const all = within(element.shadowRoot!).filter((one) =>
      one.matches(`${rows}, button, input, select, textarea, summary`),
    );
    return all
      .filter((one) => seen(one) && one.closest('.title-row, .skip, .line-button, svg') === null)
      .filter((one) => (one.matches(rows) ? [...one.querySelectorAll('button, input')].some(seen) : !one.closest(rows)))
      .map((one) => `${one.localName}.${one.className} ${one.textContent.replace(/\s+/g, ' ').trim()}`);
  });

async function drawn(figure: Locator): Promise<void> {
  await figure.evaluate((one) => {
    for (let fold = one.closest('details'); fold; fold = fold.parentElement?.closest('details') ?? null)
      fold.open = true;
  });
  await figure.scrollIntoViewIfNeeded();
  await expect.poll(() => figure.locator('.read-out').textContent(), { timeout: 60_000 }).toMatch(/\w{2,}.*\w{2,}/s);
}

it('the figures of the article show one control each, and those that can do more open it on request', async () => {
  const { page, problems, close } = await openSite('', { width: 1440, atRest: true });
  await page.mouse.wheel(0, 100);
  await justShow(page, 'train');
  const figures = await page.locator('main > section:not(.chapters) [link-state]').all();
  expect(figures.length).toBeGreaterThan(7);
  for (const figure of figures) {
    const name = await figure.evaluate((one) => one.localName);
    // Its tasks and their answer are what it is about.
    if (name === 'article-repeat-game') continue;
    await figure.evaluate((one) => one.closest('details')?.setAttribute('open', ''));
    await figure.scrollIntoViewIfNeeded();
    await figure.and(page.locator('[data-drawn]')).waitFor({ timeout: 60_000 });
    await figure.getByRole('button', { name: 'Options, data and sharing' }).waitFor();
    const atRest = await controlsOf(figure);
    expect(atRest.length, `${name}\n${atRest.join('\n')}`).toBeLessThanOrEqual(1);
    await figure.getByRole('button', { name: 'Options, data and sharing' }).click();
    expect((await controlsOf(figure)).length, name).toBeGreaterThan(Math.max(1, atRest.length));
  }
  expect(problems).toEqual([]);
  await close();
}, 120_000);

describe.each(inside.chapters)('the chapter %s', (chapter) => {
  it('shows one control of each of its figures, and the rest on request', async () => {
    const { page, problems, close } = await openSite(`${chapter}.html`, { atRest: true });
    const figures = await page.locator('[link-state]').all();
    // These have a table, or figures of the article's own, which have one control each.
    expect(figures.length > 0).toBe(!['law', 'leak', 'languages'].includes(chapter));
    for (const figure of figures) {
      await drawn(figure);
      const atRest = await controlsOf(figure);
      expect(atRest.length, atRest.join('\n')).toBeLessThanOrEqual(1);
      await figure.getByRole('button', { name: 'Options, data and sharing' }).click();
      expect((await controlsOf(figure)).length).toBeGreaterThan(Math.max(1, atRest.length));
    }
    expect(problems).toEqual([]);
    await close();
  });
});

it('a prompt of one’s own is one of the prompts to choose, and its text box stays', async () => {
  const { page, close } = await openSite('lens.html', { atRest: true });
  const figure = page.locator('tied-lens');
  await drawn(figure);
  const box = figure.getByRole('textbox', { name: 'Prompt' });
  expect(await box.isVisible()).toBe(false);
  await figure.getByRole('button', { name: 'Your own …' }).focus();
  await page.keyboard.press('Enter');
  await expect.poll(() => box.isVisible()).toBe(true);
  // It has the focus, with all of its text selected.
  await page.keyboard.type('She flew to Los');
  // A habit of many, which would add a line break to what is read.
  await page.keyboard.press('Enter');
  expect(await box.inputValue()).toBe('She flew to Los');
  await expect.poll(() => box.isVisible()).toBe(true);
  await close();
});

it('a model that is pressed in the chart opens in the table, which is then there', async () => {
  const { page, close } = await openSite('models-all.html', { atRest: true });
  const figure = page.locator('tied-model-table');
  await drawn(figure);
  expect(await figure.getByRole('table').isVisible()).toBe(false);
  const mark = figure.locator('svg [tabindex="0"]');
  await mark.focus();
  await expect.poll(() => mark.evaluate((one) => one.matches(':focus'))).toBe(true);
  await page.keyboard.press('Enter');
  await expect.poll(() => figure.getByRole('table').isVisible()).toBe(true);
  await expect.poll(() => figure.locator('.toggle[aria-expanded=true]').isVisible()).toBe(true);
  await close();
});

it.each([
  [1440, 900],
  [390, 844],
])('the lab of small GPTs takes at most a screen at rest: %i x %i', async (width, height) => {
  const { page, close } = await openSite('', { width, height, atRest: true });
  const figure = page.locator('tied-training-lab[link-state=gpt]');
  await drawn(figure);
  await figure.locator('tied-line-chart svg').first().waitFor();
  await expect
    .poll(() => figure.evaluate((one) => one.shadowRoot!.querySelector('figure')!.offsetHeight))
    .toBeGreaterThan(500);
  const box = await figure.locator('figure[part=figure]').boundingBox();
  expect(box!.height).toBeLessThanOrEqual(height);
  await close();
});
