// What keeps an element in its place while the page grows, and who takes over.
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { openFixture } from './harness.js';

const script = `
import { keepAt } from './web/elements/shared/keep-in-view.ts';
globalThis.keep = () => keepAt(document.querySelector('#kept'), () => 100);
`;
const body = `<style>#above, #below { overflow-anchor: none } #kept { height: 40px }</style>
<div id="above" style="height: 900px"></div><p id="kept">Kept.</p><div id="below" style="height: 3000px"></div>`;

interface Change {
  /** Added to the heights of what is above and below the element. */
  above?: number;
  below?: number;
  /** Pixels by which the page scrolls in the same moment, as by a scroll bar or find in page. */
  scroll?: number;
}

/** What the page does at once, and where the element is in the window when all who listen have had their turn. */
const after = (page: Page, change: Change): Promise<number> =>
  page.evaluate(async ({ above = 0, below = 0, scroll = 0 }) => {
    const grow = (name: string, by: number): void => {
      const { style } = document.getElementById(name)!;
      style.height = `${String(Number.parseFloat(style.height) + by)}px`;
    };
    grow('above', above);
    grow('below', below);
    if (scroll !== 0) scrollBy(0, scroll);
    for (let frame = 0; frame < 4; frame++) await new Promise((resolve) => requestAnimationFrame(resolve));
    return Math.round(document.querySelector('#kept')!.getBoundingClientRect().top);
  }, change);

async function open(path = ''): Promise<Page> {
  const { page } = await openFixture({ body, script }, { path, policy: '' });
  await page.waitForFunction(() => 'keep' in globalThis);
  await page.evaluate(() => (globalThis as unknown as { keep: () => void }).keep());
  expect(await after(page, {})).toBe(100);
  return page;
}

test('while the page grows or shrinks around it, the element stays where it is', async () => {
  const page = await open();
  expect(await after(page, { above: 500 })).toBe(100);
  expect(await after(page, { below: 700 })).toBe(100);
  expect(await after(page, { above: -300, below: -600 })).toBe(100);
});

test('a reader who scrolls is left alone from then on, in whatever way, also while the page grows below', async () => {
  for (const below of [0, 700]) {
    const page = await open();
    expect(await after(page, { below, scroll: 300 })).toBe(-200);
    expect(await after(page, { above: 500 })).toBe(300);
  }
});

test('a browser that scrolls to the target of the address again while the page grows is no reader', async () => {
  const page = await open('#below');
  expect(await after(page, { below: 700, scroll: 300 })).toBe(100);
  expect(await after(page, { scroll: 300 })).toBe(-200);
});
