// What a reader sends on or looks up: links of headings, cards of sources, and the article on paper.
import type { Page } from 'playwright-core';
import { expect, test, vi } from 'vitest';
import { axeViolations, horizontalOverflow, openSite } from './harness.js';

const card = (page: Page) => page.locator('.source-card');
const firstCitation = (page: Page) => page.locator('#case a.cite').first();
const sourceOf = (page: Page, href: string) =>
  page.$eval(`li${href}`, (source) => source.textContent.replace(/\s+/g, ' ').trim());

async function expectSource(page: Page): Promise<void> {
  const href = (await firstCitation(page).getAttribute('href'))!;
  await card(page).waitFor();
  const text = (await card(page).textContent())!.replace(/\s+/g, ' ').trim();
  expect(text).toContain(await sourceOf(page, href));
  // Beside the text, and whole in the window.
  const { width, height } = page.viewportSize()!;
  // Until its style sheet and fonts are there. Measured together, since figures above may grow.
  const whole = async () => {
    const [box, at] = await page.evaluate(() => {
      const rectangle = (element: Element | null | undefined) => element!.getBoundingClientRect().toJSON() as DOMRect;
      const shown = document.querySelector('.source-card');
      return [rectangle(shown), rectangle(shown?.previousElementSibling)] as const;
    });
    expect(box.x).toBeGreaterThanOrEqual(0);
    expect(box.x + box.width).toBeLessThanOrEqual(width);
    expect(box.y).toBeGreaterThanOrEqual(0);
    expect(box.y + box.height).toBeLessThanOrEqual(height);
    const distance = box.y >= at.y ? box.y - (at.y + at.height) : at.y - (box.y + box.height);
    expect(distance).toBeGreaterThanOrEqual(0);
    expect(distance).toBeLessThan(12);
  };
  await vi.waitFor(whole, 60_000);
}

test.each(['light', 'dark'] as const)(
  'a citation under the mouse shows its source in a card, %s',
  async (colorScheme) => {
    const { page, url, problems } = await openSite('', { width: 1440, colorScheme });
    await firstCitation(page).scrollIntoViewIfNeeded();
    const heightBefore = await page.evaluate(() => document.querySelector('#case')!.getBoundingClientRect().height);
    await firstCitation(page).hover();
    await expectSource(page);
    expect(await axeViolations(page, '#case')).toEqual([]);
    expect(await page.evaluate(() => document.querySelector('#case')!.getBoundingClientRect().height)).toBe(
      heightBefore,
    );
    // The pointer can cross to it and stay on it.
    await card(page).hover();
    await page.waitForTimeout(600);
    expect(await card(page).isVisible()).toBe(true);
    await page.mouse.move(5, 5);
    await card(page).waitFor({ state: 'detached' });
    // A click follows the link, as without scripts.
    const href = await firstCitation(page).getAttribute('href');
    await firstCitation(page).click();
    await expect.poll(() => page.url()).toBe(`${url}${href}`);
    await expect.poll(() => card(page).count()).toBe(0);
    expect(problems).toEqual([]);
  },
);

test('a card that is shown before its style sheet has come is placed again when it comes', async () => {
  const { page } = await openSite('', { width: 320, touch: true });
  let send = (): void => undefined;
  const asked = new Promise<void>((resolve) => (send = resolve));
  await page.route('**/learning.css', async (route) => {
    await asked;
    await route.continue();
  });
  await firstCitation(page).scrollIntoViewIfNeeded();
  await firstCitation(page).tap();
  await card(page).waitFor();
  send();
  await expect.poll(() => card(page).evaluate((one) => getComputedStyle(one).position)).toBe('absolute');
  await expectSource(page);
});

test('by keyboard, focus shows it, Tab goes to the links in it, and Escape closes it and returns', async () => {
  const { page, url, problems } = await openSite('', { width: 1440 });
  await firstCitation(page).scrollIntoViewIfNeeded();
  // The focus of a script counts as one by keyboard only after a key.
  await page.keyboard.press('Shift');
  await firstCitation(page).focus();
  await expectSource(page);
  expect(await firstCitation(page).getAttribute('aria-describedby')).toBe(await card(page).getAttribute('id'));
  await page.keyboard.press('Tab');
  expect(await card(page).evaluate((one) => one.contains(document.activeElement))).toBe(true);
  await page.keyboard.press('Escape');
  expect(await card(page).count()).toBe(0);
  expect(await firstCitation(page).evaluate((one) => one === document.activeElement)).toBe(true);
  expect(await firstCitation(page).getAttribute('aria-describedby')).toBeNull();
  expect(page.url()).toBe(url);
  expect(problems).toEqual([]);
});

test.each([320, 390])('by touch, the first tap shows it, the second follows the link, at %i px', async (width) => {
  const { page, url, problems } = await openSite('', { width, height: 844, touch: true });
  await firstCitation(page).scrollIntoViewIfNeeded();
  await firstCitation(page).tap();
  await expectSource(page);
  expect(await horizontalOverflow(page)).toBe(0);
  expect(page.url()).toBe(url);
  // Elsewhere, it closes.
  await page.locator('#case h2').evaluate((heading) => {
    heading.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true, pointerType: 'touch' }));
  });
  await card(page).waitFor({ state: 'detached' });
  await firstCitation(page).tap();
  await card(page).waitFor();
  const href = await firstCitation(page).getAttribute('href');
  await firstCitation(page).tap();
  expect(page.url()).toBe(`${url}${href}`);
  expect(problems).toEqual([]);
});

test('a chapter on its own page shows sources of the article’s list', async () => {
  const { page, problems } = await openSite('lens.html', { width: 1440 });
  await page.locator('a.cite').first().hover();
  await card(page).waitFor();
  expect(await card(page).textContent()).toMatch(/logit lens|Tuned Lens/);
  expect(problems).toEqual([]);
});

test('every heading below the title is a link that leads to it', async () => {
  const { page, url, problems } = await openSite('', { width: 1440 });
  const links = await page.$$eval('main :is(section, .chapters) :is(h2, h3)', (headings) =>
    headings
      .filter((heading) => heading.closest('summary') === null)
      .map((heading) => {
        const link = heading.querySelector<HTMLAnchorElement>(':scope > a.heading-link');
        const target = link === null ? null : document.getElementById(link.hash.slice(1));
        return { text: heading.textContent, link: link?.textContent, leadsThere: target?.contains(heading) ?? false };
      }),
  );
  expect(links.length).toBeGreaterThan(14);
  for (const { text, link, leadsThere } of links)
    expect({ text, link, leadsThere }).toEqual({ text, link: text, leadsThere: true });
  const sign = () => page.$eval('#symmetry .heading-link', (link) => Number(getComputedStyle(link, '::after').opacity));
  expect(await sign()).toBe(0);
  await page.locator('#symmetry h2').hover();
  expect(await sign()).toBe(1);
  await page.locator('#symmetry .heading-link').click();
  expect(page.url()).toBe(`${url}#symmetry`);
  expect(problems).toEqual([]);
});

/** The text of each page would need another program; its number is in the file. */
const pagesOf = (pdf: Buffer): number => (pdf.toString('latin1').match(/\/Type\s*\/Page\b/g) ?? []).length;

test('on A4 the first two parts take at most ten pages, with still drawings and without folds', async () => {
  const { page, problems } = await openSite('', { width: 1280, reducedMotion: true });
  await page.locator('tied-symmetry-explorer').scrollIntoViewIfNeeded();
  await page.locator('tied-symmetry-explorer[data-drawn]').waitFor();
  const pages = pagesOf(await page.pdf({ format: 'A4' }));
  expect(pages).toBeGreaterThan(3);
  expect(pages).toBeLessThanOrEqual(10);

  const print = (type: 'beforeprint' | 'afterprint') =>
    page.evaluate((name) => void dispatchEvent(new Event(name)), type);
  await print('beforeprint');
  await page.emulateMedia({ media: 'print' });
  const visible = (selector: string) => page.locator(selector).first().isVisible();
  // The drawing of the build in place of the live figure.
  expect(await page.locator('#symmetry .fallback').isVisible()).toBe(true);
  expect(await visible('tied-symmetry-explorer')).toBe(false);
  // The list that the numbers in brackets are from, and no other fold.
  expect(await visible('ol.sources li')).toBe(true);
  expect(await visible('details.maths')).toBe(false);
  expect(await visible('.contents')).toBe(false);
  for (const part of ['.chapter', '.reading', '.contents']) expect(await visible(part), part).toBe(false);
  await page.emulateMedia({ media: null });
  await print('afterprint');
  expect(await page.locator('tied-symmetry-explorer > .fallback').count()).toBe(1);
  expect(await visible('tied-symmetry-explorer')).toBe(true);
  expect(await visible('ol.sources li')).toBe(false);

  // Mathematics that the reader has opened is printed.
  await page.locator('#symmetry details.maths > summary').click();
  await page.emulateMedia({ media: 'print' });
  expect(await visible('#symmetry details.maths > p')).toBe(true);
  expect(problems).toEqual([]);
});

test('the record of metadata is data that the strict policy lets pass', async () => {
  const { page, problems } = await openSite();
  const record = await page.$eval(
    'script[type="application/ld+json"]',
    (data) => JSON.parse(data.textContent) as { headline: string },
  );
  expect(record.headline).toBe(await page.locator('h1').textContent());
  expect(problems).toEqual([]);
});
