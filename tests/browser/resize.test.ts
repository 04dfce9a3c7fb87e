// Figures whose drawing depends on their width must not cause errors on the page when resized.
import { expect, test } from 'vitest';
import { elementNames } from '../../tools/build/dist.mjs';
import { openFixture, openSite } from './harness.js';

interface Watched extends Window {
  errors: string[];
}

test.each(elementNames())(
  'tied-%s raises no error on the page when it appears and when its width changes',
  async (name) => {
    const { page, problems, close } = await openFixture({ body: '' }, { width: 900 });
    await page.evaluate((tag) => {
      const watched = window as unknown as Watched;
      watched.errors = [];
      // "ResizeObserver loop completed with undelivered notifications" is reported only here.
      addEventListener('error', ({ message }) => watched.errors.push(message));
      document.querySelector('main')!.append(document.createElement(tag));
    }, `tied-${name}`);
    await page.locator(`tied-${name} figure, tied-${name} section`).first().waitFor();
    for (const width of [400, 1200, 320]) {
      await page.setViewportSize({ width, height: 900 });
      // Notifications are delivered before a frame is painted; the changes they cause come with the next frame.
      await page.evaluate(
        () =>
          new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(done)))),
      );
    }
    expect(await page.evaluate(() => (window as unknown as Watched).errors)).toEqual([]);
    expect(problems).toEqual([]);
    await close();
  },
);

test.each(['three-tables', 'pull', 'word'])(
  'the drawings of chapter %s have no negative widths in a place that closes',
  async (chapter) => {
    const { page, problems } = await openSite(`${chapter}.html`, { width: 900 });
    const figure = page.locator('[link-state]');
    await figure.evaluate((one) => one.scrollIntoView());
    await figure.and(page.locator('[data-drawn]')).waitFor();
    for (const inlineSize of ['16px', '500px']) {
      await figure.evaluate((one, size) => ((one as HTMLElement).style.inlineSize = size), inlineSize);
      await expect
        .poll(() => figure.evaluate((one) => String(one.getBoundingClientRect().width)))
        .toBe(String(Number.parseFloat(inlineSize)));
      // A drawing follows a frame after the change of its place.
      await page.evaluate(
        () =>
          new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(done)))),
      );
    }
    expect(problems).toEqual([]);
  },
);
