// Links within the article: where they land, that the reader stays there, and where back, forward and reload return to.
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { openSite, type OpenedPage } from './harness.js';

const widths = [320, 390, 768, 1440];
/** Half a device pixel from scrolling, and half from layout. */
const tolerancePx = 2;

const idsOfSections = (page: Page): Promise<string[]> =>
  page.$$eval('main > section[id], .chapter', (sections) => sections.map(({ id }) => id));

/**
 * Waits until opened chapters and every figure near the window have loaded and drawn, and the page height has not changed
 * for some frames.
 */
async function atRest(page: Page): Promise<void> {
  // Not `waitForFunction`: it treats the promise itself as true, and does not await its result.
  const rested = await page.evaluate(
    async ({ framesOfRest, limitMs }) => {
      const isDrawn = (): boolean => {
        // A chapter is being fetched.
        if (document.querySelector('[data-loading]') !== null) return false;
        const reached = [...document.querySelectorAll<HTMLElement>('main [link-state]')].filter((one) => {
          const { top, bottom } = one.getBoundingClientRect();
          const folded = one.closest('details:not([open])') !== null;
          const guess = document.querySelector(`article-guess[name="${one.getAttribute('data-guess') ?? ''}"]`);
          // It is loaded after the reader's guess.
          const awaited = guess?.hasAttribute('data-shown') === false;
          // Figures start working half a window away (`screen-watcher.ts`).
          return !folded && !awaited && bottom > -0.4 * innerHeight && top < 1.4 * innerHeight;
        });
        // The page's own mark. A figure may be there and still grow for seconds on a busy machine.
        return reached.every((one) => one.hasAttribute('data-drawn'));
      };
      const deadline = performance.now() + limitMs;
      let height = document.body.offsetHeight;
      for (let frames = 0; frames < framesOfRest; frames++) {
        if (performance.now() > deadline) return false;
        await new Promise((resolve) => requestAnimationFrame(resolve));
        if (isDrawn() && document.body.offsetHeight === height) continue;
        height = document.body.offsetHeight;
        frames = -1;
      }
      return true;
    },
    { framesOfRest: 12, limitMs: 45_000 },
  );
  expect(rested, 'the page comes to rest').toBe(true);
}

/** How far a target is below its expected position; the edge of a section should be at the top of the window. */
const offBy = (page: Page, id: string): Promise<number> =>
  page.$eval(
    `[id="${id}"]`,
    (target) =>
      target.getBoundingClientRect().top -
      Number.parseFloat(getComputedStyle(target).scrollMarginTop) -
      (Number.parseFloat(getComputedStyle(document.documentElement).scrollPaddingTop) || 0),
  );

/** What is left of the page below the window. */
const leftBelow = (page: Page): Promise<number> =>
  page.evaluate(() => {
    const { scrollHeight, clientHeight } = document.documentElement;
    return scrollHeight - clientHeight - scrollY;
  });

/** 0 if the target is at the top of the window, or, where the page is too short for that, in the window at the page's end. */
async function missedBy(page: Page, id: string): Promise<number> {
  const off = await offBy(page, id);
  const isInWindow = off > 0 && off < (page.viewportSize()?.height ?? 0);
  return isInWindow && (await leftBelow(page)) <= tolerancePx ? 0 : Math.abs(off);
}

async function expectLanded(page: Page, id: string): Promise<void> {
  await atRest(page);
  // A figure may change between two frames, and the page only learns of it in the next one, so a single check may be too early.
  await expect.poll(() => missedBy(page, id), { message: id }).toBeLessThanOrEqual(tolerancePx);
}

const open = (path: string, width: number): Promise<OpenedPage> =>
  openSite(path, { width, height: width < 500 ? 844 : 900, reducedMotion: width === 768, atRest: true });

describe.each(widths)('at %i px', (width) => {
  test('every entry in the table of contents lands on its section, which stays in place while figures load', async () => {
    const { page, problems, close } = await open('', width);
    const ids = await idsOfSections(page);
    expect(ids.length).toBeGreaterThan(15);
    // From the end to the beginning, so most figures above have not loaded.
    for (const id of [...ids].reverse()) {
      await page.locator(`.contents a[href="#${id}"]`).dispatchEvent('click');
      await expectLanded(page, id);
    }
    expect(problems).toEqual([]);
    await close();
  });

  // Some links point to figures.
  test.each(['train', 'when', 'limits', 'figure-flows', 'word'])(
    'a fresh visit to #%s lands there and stays there',
    async (id) => {
      const { page, close } = await open(`#${id}`, width);
      await expectLanded(page, id);
      await close();
    },
  );

  test.each(['figure-pairs', 'more-advice', 'figure-toy'])(
    'a link to #%s lands there, and opens the fold around it, if any',
    async (id) => {
      const { page, close } = await open('#two-tables', width);
      await expectLanded(page, 'two-tables');
      await page.evaluate((hash) => {
        location.hash = hash;
      }, id);
      await expectLanded(page, id);
      expect(await page.locator(`[id="${id}"]`).evaluate((target) => target.closest('details')?.open ?? true)).toBe(
        true,
      );
      await close();
    },
  );

  test('back, forward and reload return to the reader’s position, whatever has loaded in the meantime', async () => {
    const { page, close } = await open('', width);
    const follow = (id: string): Promise<void> => page.locator(`.contents a[href="#${id}"]`).dispatchEvent('click');
    await follow('limits');
    await expectLanded(page, 'limits');
    // A reader reads on before following the next link. The wheel counts as input; scrolling by a script would not release the target.
    const afterWheel = async (id: string, pixels: number): Promise<number> => {
      await page.mouse.wheel(0, pixels);
      await expect.poll(() => offBy(page, id)).toBeCloseTo(-pixels, -1.5);
      await atRest(page);
      return offBy(page, id);
    };
    const inLimits = await afterWheel('limits', 200);
    await follow('train');
    await expectLanded(page, 'train');
    await follow('savings');
    await expectLanded(page, 'savings');
    await page.goBack();
    await expectLanded(page, 'train');
    await page.goBack();
    await atRest(page);
    await expect.poll(async () => Math.abs((await offBy(page, 'limits')) - inLimits)).toBeLessThanOrEqual(tolerancePx);
    await page.goForward();
    await expectLanded(page, 'train');
    const inTrain = await afterWheel('train', -150);
    await page.reload();
    await atRest(page);
    await expect.poll(async () => Math.abs((await offBy(page, 'train')) - inTrain)).toBeLessThanOrEqual(tolerancePx);
    await close();
  });
});

describe('a reader who has landed', () => {
  /** Makes something above grow, in a browser without scroll anchoring. */
  const growAbove = (page: Page): Promise<void> =>
    page.evaluate(async () => {
      document.documentElement.style.overflowAnchor = 'none';
      const block = document.createElement('div');
      block.style.height = '2000px';
      document.body.prepend(block);
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    });

  test('stays there without help from the browser', async () => {
    const { page, close } = await open('#savings', 1440);
    await expectLanded(page, 'savings');
    await growAbove(page);
    await expectLanded(page, 'savings');
    await close();
  });

  test('at the end of the page stays there when the browser itself scrolls as the page grows', async () => {
    const { page, close } = await open('#sources', 1440);
    await expectLanded(page, 'sources');
    await page.evaluate(async () => {
      const nextFrame = (): Promise<unknown> => new Promise((resolve) => requestAnimationFrame(resolve));
      const below = document.createElement('div');
      document.body.append(below);
      // Between two frames: then the page hears of the scrolling before it hears of its new height.
      await new Promise((resolve) => setTimeout(resolve));
      below.style.height = '30px';
      // As browsers do when they lay out a page whose link they still follow.
      scrollBy(0, 30);
      await nextFrame();
      await nextFrame();
      below.style.height = '2000px';
      await nextFrame();
    });
    await expectLanded(page, 'sources');
    await close();
  });

  test.each([
    ['by wheel', (page: Page) => page.mouse.wheel(0, 300)],
    ['by key', (page: Page) => page.keyboard.press('PageDown')],
    [
      'by any other means',
      (page: Page) =>
        page.evaluate(() => {
          scrollBy(0, 300);
        }),
    ],
  ])('and then scrolls on %s is not moved back', async (_, scroll) => {
    const { page, close } = await open('#savings', 1440);
    await expectLanded(page, 'savings');
    await scroll(page);
    await expect.poll(() => offBy(page, 'savings')).toBeLessThan(-100);
    // The page is notified of the scrolling one frame later.
    await atRest(page);
    await growAbove(page);
    // The browser decides where it went; a return to the link's target would be the page's error.
    expect(Math.abs(await offBy(page, 'savings'))).toBeGreaterThan(100);
    await close();
  });

  test('and then follows the same link again lands there again', async () => {
    const { page, close } = await open('#savings', 1440);
    await expectLanded(page, 'savings');
    await page.evaluate(() => {
      scrollBy(0, 3000);
    });
    await atRest(page);
    await page.locator('.contents a[href="#savings"]').dispatchEvent('click');
    await expectLanded(page, 'savings');
    await close();
  });
});

/** A figure in a fold loads when the reader opens the fold, and may move what is below. */
const outsideFolds = 'section > [link-state]';

describe.each(widths)('the heights of figures at %i px', (width) => {
  test('are reserved before scripts run, and leave no empty space afterwards', async () => {
    const { page, close } = await open('', width);
    // Before a figure loads, the style sheet sets its height.
    const reserved = await page.$$eval(outsideFolds, (figures) =>
      figures.map((one) => Number.parseFloat(getComputedStyle(one).getPropertyValue('--reserve'))),
    );
    const names = await page.$$eval(outsideFolds, (figures) =>
      figures.map((one) => one.getAttribute('link-state') ?? one.localName),
    );
    for (const [index, name] of names.entries()) {
      const figure = page.locator(outsideFolds).nth(index);
      await figure.scrollIntoViewIfNeeded();
      const guess = await figure.getAttribute('data-guess');
      if (guess !== null) await page.locator(`article-guess[name="${guess}"]`).getByText('Just show it').click();
      const height = (): Promise<number> =>
        figure.evaluate((one) => one.shadowRoot?.querySelector('figure')?.getBoundingClientRect().height ?? 0);
      // A figure smaller than its reserved height would leave an empty space.
      await expect
        .poll(height, { message: `${name}: lower --reserve`, timeout: 30_000 })
        .toBeGreaterThan(reserved[index] ?? 0);
      await figure.and(page.locator('[data-drawn]')).waitFor();
      // A much taller one would move the rest of the page under the reader's eyes.
      expect(reserved[index]! / (await height()), `${name}: raise --reserve`).toBeGreaterThan(0.8);
    }
    await close();
  });
});

/** What moved without user input, largest first: how much, which element, from where to where in the window. */
interface Shift {
  readonly value: number;
  readonly what: readonly string[];
}

async function watchShifts(page: Page): Promise<() => Promise<readonly Shift[]>> {
  await page.evaluate(() => {
    interface Source {
      node: Element | null;
      previousRect: DOMRectReadOnly;
      currentRect: DOMRectReadOnly;
    }
    type LayoutShift = PerformanceEntry & { value: number; sources: Source[] };
    const shifts: Shift[] = [];
    (window as unknown as { shifts: Shift[] }).shifts = shifts;
    const nameOf = (node: Element | null): string => {
      const host = (node?.getRootNode() as ShadowRoot | undefined)?.host;
      return [host?.localName, node?.id ? `#${node.id}` : node?.localName].filter(Boolean).join(' ');
    };
    new PerformanceObserver((list) => {
      for (const { value, sources } of list.getEntries() as LayoutShift[]) {
        const moved = ({ node, previousRect: from, currentRect: to }: Source): string =>
          `${nameOf(node)}: top ${from.top} to ${to.top}, height ${from.height} to ${to.height}`;
        shifts.push({ value, what: sources.map(moved) });
      }
    }).observe({ type: 'layout-shift', buffered: true });
  });
  return async () => {
    const shifts = await page.evaluate(() => (window as unknown as { shifts: Shift[] }).shifts);
    return shifts.sort((one, other) => other.value - one.value);
  };
}

describe.each([320, 390, 1440])('a reader at %i px who scrolls through the page on a slow machine', (width) => {
  test('sees almost no layout shift', async () => {
    const { page, close } = await open('', width);
    const shifts = await watchShifts(page);
    const session = await page.context().newCDPSession(page);
    await session.send('Emulation.setCPUThrottlingRate', { rate: 4 });
    for (;;) {
      const moved = await page.evaluate(async () => {
        const before = scrollY;
        scrollBy(0, 0.8 * innerHeight);
        await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
        return scrollY - before;
      });
      if (moved < 1) break;
      await atRest(page);
    }
    const seen = await shifts();
    // Over the whole page. The Web Vitals call a page unstable from 0.1; this one is to be far from it.
    const total = seen.reduce((sum, { value }) => sum + value, 0);
    expect(total, JSON.stringify(seen.slice(0, 5))).toBeLessThan(0.02);
    await close();
  });
});
