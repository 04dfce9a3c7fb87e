// The page of all figures, as the site serves it.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { root } from '../../tools/lib/root.mjs';
import { axeViolations, horizontalOverflow, openSite } from './harness.js';

const manifest = JSON.parse(readFileSync(join(root, 'dist/custom-elements.json'), 'utf8')) as {
  modules: { declarations: { tagName: string }[] }[];
};
const tags = manifest.modules.flatMap(({ declarations }) => declarations.map(({ tagName }) => tagName)).sort();

async function wakeAll(page: Page): Promise<void> {
  for (const tag of tags) {
    await page.locator(`section#${tag} > .stage`).scrollIntoViewIfNeeded();
    await page.waitForFunction((name) => {
      const figure = document.querySelector(`.stage > ${name}`)?.shadowRoot?.querySelector('figure');
      return (figure?.getBoundingClientRect().height ?? 0) > 100;
    }, tag);
  }
}

test.each([
  ['light', 1440],
  ['dark', 320],
] as const)(
  'every element of the package is live under the strict policy, without a problem, %s, at %i px',
  async (colorScheme, width) => {
    const { page, problems } = await openSite('gallery/', { colorScheme, width, reducedMotion: true });
    const sections = await page.$$eval('section.api-entry', (all) => all.map(({ id }) => id));
    expect([...sections].sort()).toEqual(tags);
    // Nothing far away is awake.
    expect(await page.evaluate(() => document.querySelectorAll('.stage > :not(template)').length)).toBeLessThan(4);
    await wakeAll(page);
    await expect.poll(() => horizontalOverflow(page), { timeout: 5000 }).toBe(0);
    for (const summary of await page.locator('section.api-entry > details > summary').all()) await summary.click();
    await expect.poll(() => horizontalOverflow(page), { timeout: 5000 }).toBe(0);
    expect(await axeViolations(page)).toEqual([]);
    expect(problems).toEqual([]);
  },
);

test('a tag is copied as it stands, by mouse or keyboard', async () => {
  const { page, url, problems } = await openSite('gallery/', { width: 1440 });
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: new URL(url).origin });
  const entry = page.locator('section#tied-advisor');
  await entry.locator('button.copy').focus();
  await page.keyboard.press('Enter');
  await entry.getByText('Copied').waitFor();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toBe('<tied-advisor model="gpt2" starts-from="untied"></tied-advisor>');
  expect(await entry.locator('pre').textContent()).toBe(copied);
  await entry.getByRole('button', { name: 'Copy the tag tied-advisor' }).waitFor();
  expect(problems).toEqual([]);
});

test('a link to a figure lands on it and stays there while others wake', async () => {
  const { page, problems } = await openSite('gallery/#tied-lens', { width: 1440 });
  await page.waitForFunction(() => Boolean(document.querySelector('.stage > tied-lens')?.shadowRoot));
  const top = () => page.$eval('#tied-lens', (section) => Math.abs(section.getBoundingClientRect().top));
  await expect.poll(top).toBeLessThan(40);
  // Every figure near the window has woken.
  await page.waitForFunction(() =>
    [...document.querySelectorAll('.stage > :not(template)')].every((figure) => {
      const { top, bottom } = figure.getBoundingClientRect();
      return bottom < 0 || top > innerHeight || figure.shadowRoot?.querySelector('figure') instanceof Element;
    }),
  );
  expect(await top()).toBeLessThan(40);
  expect(problems).toEqual([]);
});

test('the article links to it', async () => {
  const { page, url } = await openSite('#about');
  await page.locator('#sources a[href="gallery/"]').click();
  await page.getByRole('heading', { name: 'All figures, to paste' }).waitFor();
  expect(page.url()).toBe(`${url}gallery/`);
});
