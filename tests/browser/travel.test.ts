// The transformer that follows the reader: in the margin of wide windows, in the bar of narrow ones.
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { litAt } from '../../web/article/figures/travel/lit.js';
import { axeViolations, openSite } from './harness.js';

/** Scrolls to a section as a link would, and waits until the drawing has followed. */
async function goTo(page: Page, id: string): Promise<void> {
  await page.evaluate((to) => {
    const target = document.getElementById(to)!;
    if (target instanceof HTMLDetailsElement) target.open = true;
  }, id);
  // Figures above may still grow.
  await expect
    .poll(async () => {
      await page.evaluate((to) => document.getElementById(to)!.scrollIntoView(), id);
      return page.locator('.travel').getAttribute('data-at');
    })
    .toBe(id);
}

const litParts = async (page: Page, within: string): Promise<string[]> => {
  const all = await page
    .locator(`${within}[data-part].lit`)
    .evaluateAll((found) => found.map((one) => (one as HTMLElement).dataset['part']!));
  return [...new Set(all)].sort();
};

/** Boxes of the page that the drawing, if shown, overlaps; each is named by its tag and class. */
const overlapped = (page: Page): Promise<string[]> =>
  page.evaluate(async () => {
    // Two frames: the drawing follows in the first.
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    const travel = document.querySelector('.travel');
    if (travel === null || travel.hasAttribute('data-away')) return [];
    const own = travel.querySelector('.travel-body')!.getBoundingClientRect();
    const others = 'main :is(.note, .wide, figure, p:not(.chapter-page), h2), .contents > ol';
    return [...document.querySelectorAll(others)]
      .filter((one) => {
        if (travel.contains(one) || !one.checkVisibility()) return false;
        const range = document.createRange();
        range.selectNodeContents(one);
        // A note is higher than its box, which has no height.
        const { left, right, top, bottom } = (one.matches('.note') ? range : one).getBoundingClientRect();
        return right > left && left < own.right && right > own.left && top < own.bottom && bottom > own.top;
      })
      .map((one) => `${one.localName}.${one.className} at ${String(Math.round(scrollY))}`);
  });

describe.each([1440, 1680])('in the margin, at %i px', (width) => {
  test('lights the parts of each section, and covers nothing on the way', async () => {
    const { page, problems } = await openSite('', { width, reducedMotion: true });
    expect(await page.locator('.travel').count()).toBe(0);
    await page.mouse.wheel(0, 300);
    await page.locator('.travel').waitFor({ state: 'attached' });
    for (const id of ['two-tables', 'symmetry', 'probabilities', 'ways-out', 'layers', 'pull']) {
      await goTo(page, id);
      await expect.poll(() => litParts(page, '.travel svg '), { message: id }).toEqual([...litAt[id]!.parts].sort());
      const scene = litAt[id]!.scene;
      const shown = await page
        .locator('.travel .scene.shown')
        .evaluateAll((all) => all.map((one) => (one as HTMLElement).dataset['scene']));
      expect(shown.length > 0, id).toBe(scene !== undefined);
      for (const names of shown) expect(names?.split(' ')).toContain(scene);
    }
    const height = await page.evaluate(() => document.documentElement.scrollHeight);
    let wasShown = 0;
    for (let y = 0; y < height; y += 300) {
      await page.evaluate((to) => scrollTo(0, to), y);
      await expect.poll(() => overlapped(page)).toEqual([]);
      wasShown += Number(await page.locator('.travel').isVisible());
    }
    expect(wasShown).toBeGreaterThan(3);
    expect(problems).toEqual([]);
  });
});

test('with a mouse: a part that is pointed at is named, with shape, count and link', async () => {
  const { page, problems } = await openSite('', { width: 1440, reducedMotion: true });
  await page.mouse.wheel(0, 300);
  await goTo(page, 'probabilities');
  const details = page.locator('.travel-details');
  expect(await details.textContent()).toContain('softmax');
  await page.locator('.travel li[data-part=reads] a').hover();
  expect(await details.textContent()).toContain('Input embedding WE50,257 × 76838,597,376 parametersIn GPT-2 small.');
  expect(await litParts(page, '.travel svg ')).toEqual(['reads', 'sample', 'softmax']);
  expect(await axeViolations(page, '.travel')).toEqual([]);
  // On the way to the link it stays.
  await details.getByRole('link', { name: 'Two tables' }).click();
  expect(new URL(page.url()).hash).toBe('#two-tables');
  await expect.poll(() => page.locator('.travel').getAttribute('data-at')).toBe('two-tables');
  await page.mouse.move(700, 500);
  await expect.poll(() => page.locator('.travel[data-asked]').count()).toBe(0);
  expect(problems).toEqual([]);
});

test('with a keyboard: one tab stop, and arrow keys between the parts', async () => {
  const { page } = await openSite('', { width: 1440, reducedMotion: true });
  await page.mouse.wheel(0, 300);
  await goTo(page, 'layers');
  const links = page.locator('.travel li a');
  const focused = () => page.evaluate(() => document.activeElement?.closest('li')?.dataset['part']);
  await expect
    .poll(() => links.evaluateAll((all) => all.filter((one) => (one as HTMLElement).tabIndex === 0).length))
    .toBe(1);
  // It is in the page before the section that is being read, whichever that is after figures above have grown.
  await expect
    .poll(() =>
      page.locator('.travel').evaluate((one) => (one as HTMLElement).dataset['at'] === one.nextElementSibling?.id),
    )
    .toBe(true);
  await page.locator('.travel a[tabindex="0"]').focus();
  const first = (await focused())!;
  expect(await litParts(page, '.travel li')).toContain(first);
  await page.keyboard.press('ArrowDown');
  const second = (await focused())!;
  expect(second).not.toBe(first);
  await page.keyboard.press('ArrowUp');
  expect(await focused()).toBe(first);
  await page.keyboard.press('End');
  expect(await focused()).toBe('sample');
  await page.keyboard.press('Home');
  expect(await focused()).toBe('tokens');
  expect(await page.locator('.travel-details').textContent()).toContain('Tokens');
  expect(await links.evaluateAll((all) => all.filter((one) => (one as HTMLElement).tabIndex === 0).length)).toBe(1);
  await page.keyboard.press('Escape');
  expect(await page.locator('.travel[data-asked]').count()).toBe(0);
  // A list of links, each with all there is to know; the picture is not read.
  expect(await links.first().textContent()).toMatch(/Tokens: .*; parameters: none/);
  expect(await page.locator('.travel svg').getAttribute('aria-hidden')).toBe('true');
});

test('on a phone: a strip in the bar; the first tap tells, the second follows, and reading on closes it', async () => {
  const { page, problems } = await openSite('', { width: 390, height: 844, touch: true, reducedMotion: true });
  await page.evaluate(() => scrollTo(0, 300));
  await page.locator('.travel').waitFor({ state: 'attached' });
  await goTo(page, 'train');
  expect(await litParts(page, '.travel li')).toEqual([...litAt['train']!.parts].filter((one) => one !== 'tie').sort());
  const strip = (await page.locator('.travel ul').boundingBox())!;
  expect(strip.height).toBeGreaterThanOrEqual(43);
  const label = (await page.locator('.contents-bar > span').boundingBox())!;
  expect(label.x + label.width).toBeLessThanOrEqual(strip.x);
  const chips = await page
    .locator('.travel .short:visible')
    .evaluateAll((all) => all.map((one) => one.getBoundingClientRect()));
  for (const [i, { left }] of chips.entries()) if (i > 0) expect(left).toBeGreaterThanOrEqual(chips[i - 1]!.right);
  await page.tap('.travel li[data-part=map] a');
  expect(new URL(page.url()).hash).toBe('');
  const details = page.locator('.travel-details');
  expect(await details.textContent()).toContain('768 × 768589,824 more parametersGPT-2 small has none.');
  expect(await axeViolations(page, '.travel')).toEqual([]);
  await page.tap('.travel li[data-part=map] a');
  expect(new URL(page.url()).hash).toBe('#ways-out');
  await goTo(page, 'symmetry');
  await page.tap('.travel li[data-part=attention] a');
  expect(await details.textContent()).toMatch(/Attention.*MLP/);
  await page.evaluate(() => scrollBy(0, 120));
  await expect.poll(() => details.isVisible()).toBe(false);
  expect(problems).toEqual([]);
});

test.each([320, 390, 1200, 1680])('moves nothing when it comes, follows and yields, at %i px', async (width) => {
  const { page } = await openSite('', { width });
  await page.evaluate(() => {
    const shifts: number[] = ((window as unknown as { shifts: number[] }).shifts = []);
    interface Shift extends PerformanceEntry {
      value: number;
      sources: { node: Node | null }[];
    }
    new PerformanceObserver((list) => {
      for (const { value, sources } of list.getEntries() as Shift[]) {
        if (sources.some(({ node }) => (node instanceof Element ? node : node?.parentElement)?.closest('.travel')))
          shifts.push(value);
      }
    }).observe({ type: 'layout-shift', buffered: true });
  });
  for (let i = 0; i < 30; i++) {
    await page.mouse.wheel(0, 600);
    // What follows the scrolling has been laid out.
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
  }
  expect(await page.locator('.travel').count()).toBe(1);
  expect(await page.evaluate(() => (window as unknown as { shifts: number[] }).shifts)).toEqual([]);
});

test('without scripts and on paper it is the figure of its section, complete', async () => {
  const { page, url } = await openSite('', { width: 1440, reducedMotion: true });
  const figure = '#figure-transformer';
  const labels = [
    'New',
    'position 2',
    'attention',
    'MLP',
    'norm',
    'logits',
    'softmax',
    'sample',
    'York',
    'tied',
    'direct path',
  ];
  const texts = async (of: Page): Promise<string> =>
    (await of.locator(`${figure} svg text:visible`).allTextContents()).join('|');
  await page.mouse.wheel(0, 2000);
  await goTo(page, 'direct-path');
  expect(await page.locator(figure).isVisible()).toBe(false);
  await page.emulateMedia({ media: 'print' });
  expect(await page.locator('.travel').isVisible()).toBe(false);
  for (const label of labels) expect(await texts(page)).toContain(label);

  const context = await page.context().browser()?.newContext({ javaScriptEnabled: false });
  const bare = (await context!.newPage())!;
  await bare.goto(url);
  for (const label of labels) expect(await texts(bare)).toContain(label);
  await context!.close();
});

test('if its script cannot be fetched, the figure stays in the text', async () => {
  const { page, url } = await openSite('', { width: 1440 });
  await page.route('**/scripts/travel-*', (route) => route.abort());
  await page.goto(`${url}?again`);
  await page.mouse.wheel(0, 300);
  await expect.poll(() => page.locator('#figure-transformer').isVisible()).toBe(true);
});

test('follows on the page of a chapter, too, whose links lead to the article', async () => {
  const { page, problems } = await openSite('pull.html', { width: 1440, reducedMotion: true });
  await page.mouse.wheel(0, 60);
  await expect.poll(() => page.locator('.travel').getAttribute('data-scene')).toBe('gradients');
  expect(await page.locator('.travel li[data-part=softmax] a').getAttribute('href')).toBe('./#probabilities');
  expect(problems).toEqual([]);
});

test.each([320, 360, 390, 1200])(
  'at %i px: every part of the strip is as wide as a finger, in every section',
  async (width) => {
    const { page, problems } = await openSite('', { width, height: 700, touch: true, reducedMotion: true });
    await page.evaluate(() => scrollTo(0, 300));
    await page.locator('.travel').waitFor({ state: 'attached' });
    // Until the text begins, the first screen has no strip.
    expect(await page.locator('.travel').isVisible()).toBe(false);
    for (const id of ['two-tables', 'direct-path', 'repeating', 'train', 'ways-out', 'savings', 'when']) {
      await goTo(page, id);
      await expect.poll(() => page.locator('.travel').isVisible(), { message: id }).toBe(true);
      const boxes = await page
        .locator('.travel li a:visible')
        .evaluateAll((all) => all.map((one) => one.getBoundingClientRect()));
      expect(boxes.length, id).toBeGreaterThanOrEqual(3);
      const {
        right: label,
        height,
        ...name
      } = await page.locator('.contents-bar > span').evaluate((one) => ({
        ...{ wide: one.clientWidth, written: one.scrollWidth, bar: one.parentElement!.clientHeight },
        ...one.getBoundingClientRect().toJSON(),
      }));
      // The whole name, in two lines if need be.
      expect(name.written, id).toBeLessThanOrEqual(name.wide);
      expect(height, id).toBeLessThan(name.bar);
      for (const [at, { left, right, width: wide, height }] of boxes.entries()) {
        expect(wide, `${id} ${String(at)}`).toBeGreaterThanOrEqual(43.5);
        // The bar has a line below.
        expect(height, `${id} ${String(at)}`).toBeGreaterThanOrEqual(42.5);
        expect(left, id).toBeGreaterThanOrEqual(at === 0 ? label : boxes[at - 1]!.right - 0.5);
        expect(right, id).toBeLessThanOrEqual(width);
      }
    }
    expect(problems).toEqual([]);
  },
);

test('on the page of a chapter at 320 px, all of the strip is in the window, and none of it over the header', async () => {
  const { page, problems } = await openSite('lens.html', { width: 320, height: 700, reducedMotion: true });
  await page.mouse.wheel(0, 400);
  const strip = page.locator('.travel');
  await expect.poll(() => strip.isVisible()).toBe(true);
  const boxes = await strip.locator('li a:visible').evaluateAll((all) => all.map((one) => one.getBoundingClientRect()));
  expect(boxes.length).toBeGreaterThanOrEqual(5);
  for (const { left, right, width } of boxes) {
    expect(width).toBeGreaterThanOrEqual(43.5);
    expect(left).toBeGreaterThanOrEqual(0);
    expect(right).toBeLessThanOrEqual(320);
  }
  await page.evaluate(() => scrollTo(0, 0));
  await expect.poll(() => strip.isVisible()).toBe(false);
  expect(problems).toEqual([]);
});
