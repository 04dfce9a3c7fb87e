// What a first-time reader meets besides the figures: zoom, paper, no scripts, the system's colors, a finger instead of a mouse.
import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { inside } from '../../web/article/build/outline.mjs';
import { openSite } from './harness.js';
import { justShow } from './learning-page.js';

describe('who zooms to 200 % in the middle of the article', () => {
  test.each([1440, 780])('keeps the line that was at the upper third of the window, from %i px', async (width) => {
    const { page, problems } = await openSite('', { width, atRest: true });
    const line = 'section#ways-out > p';
    await page.mouse.wheel(0, 100);
    // Figures above wake first, so that only the zoom moves the line.
    const top = () =>
      page
        .locator(line)
        .first()
        .evaluate((one) => one.getBoundingClientRect().top);
    const toLine = () =>
      page
        .locator(line)
        .first()
        .evaluate((one) => scrollBy(0, one.getBoundingClientRect().top - innerHeight / 3 + 20));
    await expect
      .poll(async () => {
        await toLine();
        return Math.abs((await top()) - 280);
      })
      .toBeLessThan(3);
    await page.setViewportSize({ width: width / 2, height: 450 });
    await expect.poll(top).toBeGreaterThan(0);
    await expect.poll(top).toBeLessThan(150);
    await page.setViewportSize({ width, height: 900 });
    await expect.poll(top).toBeGreaterThan(200);
    await expect.poll(top).toBeLessThan(300);
    expect(problems).toEqual([]);
  });
});

test('paper has the whole list of sources, and nothing to drag', async () => {
  // As wide as A4 between its margins.
  const { page } = await openSite('', { width: 794, height: 1000 });
  await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
  await page.emulateMedia({ media: 'print' });
  const sources = page.locator('#sources .sources > li');
  expect(await sources.count()).toBeGreaterThan(10);
  const lefts = await sources.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().left));
  const { left, right } = await page
    .locator('#sources')
    .evaluate((one) => one.getBoundingClientRect().toJSON() as DOMRect);
  expect(Math.min(...lefts)).toBeGreaterThanOrEqual(left);
  const rights = await sources.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().right));
  expect(Math.max(...rights)).toBeLessThanOrEqual(right + 1);
  expect(await page.getByText('Drag the dot').isVisible()).toBe(false);
});

test('on paper, no letter of a drawing is smaller than 6 points, and no mark of a list is cut off', async () => {
  const { page } = await openSite('', { width: 673, height: 1000 });
  await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
  await page.emulateMedia({ media: 'print' });
  const small = await page.locator('svg text').evaluateAll((all) =>
    (all as SVGTextElement[])
      .filter((one) => one.checkVisibility())
      .map((one) => {
        const { a, b } = one.getScreenCTM()!;
        const points = 0.75 * Number.parseFloat(getComputedStyle(one).fontSize) * Math.hypot(a, b);
        return `${points.toFixed(1)} ${one.closest('figure')?.id ?? ''} ${one.textContent}`;
      })
      .filter((size) => Number.parseFloat(size) < 6),
  );
  expect(small).toEqual([]);
  const lists = page.locator('main ul > li:visible');
  const marked = await lists.evaluateAll((all) =>
    all.filter((one) => getComputedStyle(one).listStyleType !== 'none').map((one) => one.getBoundingClientRect().left),
  );
  expect(marked.length).toBeGreaterThan(3);
  expect(Math.min(...marked)).toBeGreaterThanOrEqual(10);
});

test('without scripts, nothing asks the reader to drag or speaks of what only scripts draw', async () => {
  const { page, url } = await openSite('', { width: 1440 });
  const context = await page.context().browser()!.newContext({ javaScriptEnabled: false });
  const bare = await context.newPage();
  await bare.goto(url);
  expect(await bare.locator('#figure-direction figcaption').innerText()).toMatch(/characters\.\s+The more evenly/);
  expect(await bare.getByText('Drag the dot').isVisible()).toBe(false);
  // There is no wall without the game.
  expect(await bare.locator('#repeating').innerText()).toContain('It never writes');
  expect(await bare.getByText('The wall is').isVisible()).toBe(false);
  await context.close();
});

test('in the colors of the reader’s system, the sheet of numbers has no bars between its cells, and sets keep their chips', async () => {
  const { page } = await openSite('', { width: 1440, forcedColors: true, atRest: true });
  await page.mouse.wheel(0, 200);
  const cell = page.locator('article-worked-position .work td.c0').first();
  await cell.waitFor();
  const [border, ink] = await cell.evaluate((one) => {
    const { borderInlineStartColor, color } = getComputedStyle(one);
    return [borderInlineStartColor, color];
  });
  expect(border).not.toBe(ink);
  // Nor between its rows: one that only makes room is thicker than those.
  const sums = page.locator('article-worked-position .work .sums tr:first-child > *');
  const bars = await sums.evaluateAll((all) => all.map((one) => getComputedStyle(one).borderBlockStartColor));
  expect([...new Set(bars)]).toEqual([border]);
  const chip = await page
    .locator('.set.story')
    .first()
    .evaluate((one) => getComputedStyle(one, '::before').backgroundColor);
  // The color of the paper, that of the border.
  expect(chip).not.toBe(border);
});

test('the contents mark one chapter, though the closed ones stand in rows', async () => {
  const { page } = await openSite('', { width: 1440, atRest: true });
  await page.mouse.wheel(0, 100);
  await page
    .locator('details.chapter')
    .first()
    .evaluate((one) => scrollBy(0, one.getBoundingClientRect().top - 280));
  const marked = page.locator('.contents a[aria-current]');
  await expect.poll(() => marked.evaluateAll((all) => all.map((one) => one.getAttribute('href')))).toEqual(['#pull']);
});

test.each([390, 768])('with a finger, figures have their heights before they wake, too, at %i px', async (width) => {
  const { page } = await openSite('', { width, touch: true, atRest: true });
  const figures = page.locator(
    'section > :is([link-state], article-worked-position, article-decision):not([data-guess])',
  );
  const reserved = await figures.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().height));
  expect(reserved.length).toBeGreaterThanOrEqual(5);
  for (const [index, before] of reserved.entries()) {
    const figure = figures.nth(index);
    await figure.evaluate((one) => one.scrollIntoView());
    await figure.and(page.locator('[data-drawn]')).waitFor();
    const name = await figure.evaluate((one) => one.localName);
    const after = () => figure.evaluate((one) => one.getBoundingClientRect().height);
    await expect.poll(after, { message: `${name}: lower` }).toBeGreaterThanOrEqual(before);
    expect(before / (await after()), `${name}: raise`).toBeGreaterThan(0.85);
  }
});

/** Texts of live regions, in shadow trees too: what a screen reader says unasked. Values of sliders, which say them by themselves, do not count. */
const spoken = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const found: Element[] = [];
    const look = (root: ParentNode): void => {
      for (const one of root.querySelectorAll('*')) {
        if (one.matches('[role=status], [aria-live=polite], output') && one.ariaLive !== 'off') found.push(one);
        if (one.shadowRoot !== null) look(one.shadowRoot);
      }
    };
    look(document);
    return found.map((one) => one.textContent.replace(/\s+/g, ' ').trim()).filter((text) => text !== '');
  });

const plain = (text: string | null): string => (text ?? '').replace(/\s+/g, ' ').trim();

describe('with a screen reader', () => {
  test('figures that wake say nothing; a figure that is used says what has changed, and training counts no steps aloud', async () => {
    const { page, problems } = await openSite('', { width: 1440, atRest: true });
    await page.mouse.wheel(0, 100);
    await justShow(page, 'train');
    const position = page.locator('article-worked-position');
    await position.evaluate((one) => one.scrollIntoView({ block: 'center' }));
    await position.and(page.locator('[data-drawn]')).waitFor();
    const lab = page.locator('#train tied-training-lab');
    await lab.and(page.locator('[data-drawn]')).waitFor();
    // What the question has answered.
    const answer = plain(await page.locator('article-guess[name=train] [role=status]').textContent());
    expect(answer).not.toBe('');
    // Longer than figures wait before they speak.
    await page.waitForTimeout(2000);
    const sentence = plain(await page.locator('.hero-sentence').textContent());
    expect((await spoken(page)).filter((text) => text !== answer && text !== sentence)).toEqual([]);

    await position.getByRole('button', { name: /^Next/ }).click();
    await expect.poll(() => spoken(page)).toContainEqual(expect.stringMatching(/^Step 2 of 6/));
    await lab.getByRole('button', { name: 'Play' }).click();
    await expect.poll(() => lab.locator('.step-count').textContent(), { timeout: 60_000 }).toMatch(/Step [2-9]/);
    expect((await spoken(page)).filter((text) => /^Step \d+ of 500/.test(text))).toEqual([]);
    expect(problems).toEqual([]);
  });
});

describe('a chapter that the bar has opened with all others', () => {
  test('opens no model file before the reader asks for it', async () => {
    const { page, problems } = await openSite('', { width: 1440, atRest: true });
    const fetched: string[] = [];
    page.on('request', (request) => fetched.push(new URL(request.url()).pathname));
    await page.getByRole('button', { name: 'Everything' }).click();
    const figure = page.locator('tied-checkpoint');
    const offer = figure.getByRole('button', { name: 'Open this page’s two GPTs' });
    // While chapters arrive, the page keeps the button of the bar in its place, and may take back a scroll of the same moment.
    await expect
      .poll(
        async () => {
          await figure.evaluate((one) => one.scrollIntoView({ block: 'center' }));
          return offer.isVisible();
        },
        { timeout: 30_000 },
      )
      .toBe(true);
    expect(fetched.filter((path) => /safetensors|checkpoint-opener/.test(path))).toEqual([]);
    await offer.click();
    await expect
      .poll(() => fetched.filter((path) => path.endsWith('.safetensors')).length, { timeout: 60_000 })
      .toBe(1);
    await figure.and(page.locator('[data-drawn]')).waitFor();
    expect(await offer.count()).toBe(0);
    expect(problems).toEqual([]);
  });

  test('needs no core for all that is shown, and at most 650 KB', async () => {
    const { page, problems } = await openSite('', { width: 1440, atRest: true });
    const bodies = new Map<string, number>();
    page.on('response', (response) => {
      void response.body().then(
        (body) => {
          const { pathname } = new URL(response.url());
          bodies.set(pathname, /\.(woff2|png)$/.test(pathname) ? body.length : gzipSync(body).length);
        },
        () => undefined,
      );
    });
    await page.reload();
    await page.getByRole('button', { name: 'Everything' }).click();
    await expect
      .poll(() => page.locator('details.chapter > .chapter-body').count(), { timeout: 30_000 })
      .toBe(inside.chapters.length);
    for (let moved = true; moved;) {
      moved = await page.evaluate(async () => {
        const before = scrollY;
        scrollBy(0, 800);
        await new Promise((resolve) => setTimeout(resolve, 150));
        return scrollY > before;
      });
    }
    await page.locator('tied-seq2seq[data-drawn]').waitFor();
    await page.waitForLoadState('networkidle');
    expect([...bodies.keys()].filter((path) => /worker\.js$|\.wasm$|\.safetensors$/.test(path))).toEqual([]);
    expect(bodies.size).toBeGreaterThan(90);
    expect([...bodies.values()].reduce((sum, size) => sum + size)).toBeLessThanOrEqual(650_000);
    const offers = page.getByRole('button', { name: 'Use this figure' });
    expect(await offers.count()).toBe(6);
    for (const offer of await offers.all())
      expect(await offer.evaluate((one) => one.parentElement!.offsetHeight)).toBeGreaterThan(100);
    expect(problems).toEqual([]);
  });

  test('one that the reader opens does at once', async () => {
    const { page } = await openSite('', { width: 1440, atRest: true });
    await page.locator('details#opened > summary').click();
    await page.locator('tied-checkpoint[data-drawn]').waitFor();
    expect(await page.locator('tied-checkpoint > .offer').count()).toBe(0);
  });
});
