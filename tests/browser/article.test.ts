import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { root } from '../../tools/lib/root.mjs';
import { contrast, parseColor } from '../../web/charts/color-scale.js';
import { axeViolations, horizontalOverflow, openSite, type OpenedPage } from './harness.js';

/** The interactive figures, in page order. */
const elements = [
  'tied-symmetry-explorer',
  'tied-bigrams',
  'tied-training-lab[link-state="lab"]',
  'tied-training-lab[link-state="gpt"]',
  'tied-direct-path',
  'tied-gradient-ledger',
  'tied-alignment',
  'tied-experiment',
  'tied-lens',
  'tied-hidden-states',
  'tied-checkpoint',
  'tied-heads',
  'tied-parameter-calculator',
  'tied-compute-calculator',
  'tied-seq2seq',
  'tied-model-table',
  'tied-advisor',
];
/** Figures that open the reader's own files or measure on request, so without scripts they have no result to show. */
const withoutResult = ['tied-checkpoint', 'tied-experiment'];

/** Opens the fold around a figure, if there is one, as a reader would. */
async function unfold(page: Page, name: string): Promise<void> {
  const summary = page.locator(`details.more:not([open]):has(> ${name}) > summary`);
  if ((await summary.count()) > 0) await summary.click();
}

/** Scrolls the page from top to bottom as a reader would, so every figure loads, and waits until each has drawn. */
async function readThrough(page: Page): Promise<void> {
  for (const name of elements) {
    await unfold(page, name);
    await page.locator(name).scrollIntoViewIfNeeded();
    await page.waitForFunction((tag) => {
      const element = document.querySelector(tag);
      return (element?.shadowRoot?.querySelector('figure')?.getBoundingClientRect().height ?? 0) > 100;
    }, name);
  }
  await page.evaluate(async () => {
    await document.fonts.ready;
  });
}

async function openFolds(page: Page): Promise<void> {
  await page.evaluate(async () => {
    for (const details of document.querySelectorAll('details')) details.open = true;
    // After two frames, everything that came into view has been measured.
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  });
}

/** The quick set opens it in one width. */
const widths = (process.env.ARTICLE_WIDTHS ?? '320,768,1440').split(',').map(Number);

describe.each(widths)('the article, at %i px', (width) => {
  let opened: OpenedPage;
  const elsewhere: string[] = [];
  beforeAll(async () => {
    opened = await openSite('', { width, reducedMotion: true });
    const { page, url } = opened;
    page.on('request', (request) => {
      if (!request.url().startsWith(url) && !/^(data|blob):/.test(request.url())) elsewhere.push(request.url());
    });
    // From the first request on.
    await page.reload();
    await readThrough(page);
  });
  afterAll(() => opened.close());

  test('loads its figures without a console message, a policy violation or a failed request', () => {
    expect(opened.problems).toEqual([]);
  });

  test('draws the number of every section, by which the text refers to it', async () => {
    const numbers = await opened.page.$$eval('section[id] > h2', (all) =>
      all.map((one) => {
        const { content, display } = getComputedStyle(one, '::before');
        return display !== 'none' && content.startsWith('counter(section)');
      }),
    );
    expect(numbers.length).toBeGreaterThan(10);
    expect(numbers.every(Boolean)).toBe(true);
  });

  test('fetches nothing from other hosts', () => {
    expect(elsewhere).toEqual([]);
  });

  test('shows one map of its cover or two in one row, with letters of at least 11 px', async () => {
    const { page } = opened;
    await page.locator('.hero[data-ready]').waitFor();
    const tops = await page
      .locator('.hero .panel:visible svg')
      .evaluateAll((all) => all.map((one) => Math.round(one.getBoundingClientRect().top)));
    expect(tops).toHaveLength(width < 740 ? 1 : 2);
    expect(Math.max(...tops) - Math.min(...tops)).toBeLessThanOrEqual(2);
    const sizes = await page.locator('.hero svg.matrix text:visible').evaluateAll((all) =>
      (all as SVGTextElement[]).map((one) => {
        const { a, b } = one.ownerSVGElement!.getScreenCTM()!;
        return parseFloat(getComputedStyle(one).fontSize) * Math.hypot(a, b);
      }),
    );
    expect(sizes.length).toBeGreaterThan(19);
    expect(Math.min(...sizes)).toBeGreaterThanOrEqual(11);
  });

  test('never scrolls sideways, not even with every fold open', async () => {
    const { page } = opened;
    // A new drawing may have its default width until it has been measured.
    await expect.poll(() => horizontalOverflow(page), { timeout: 5000 }).toBe(0);
    await openFolds(page);
    await expect.poll(() => horizontalOverflow(page), { timeout: 5000 }).toBe(0);
  });

  // Figures follow the scheme while the page is open; a visit in dark colors from the start is in reader.test.ts.
  describe.each(['light', 'dark'] as const)('%s', (colorScheme) => {
    beforeAll(async () => {
      await opened.page.emulateMedia({ colorScheme });
      await openFolds(opened.page);
    });

    test('draws every run with a contrast of at least 3 to 1', async () => {
      const { page } = opened;
      const painted = await page.$$eval('.strips .dot', (dots) => {
        // The page's background as a plain color.
        const probe = document.body.appendChild(document.createElement('span'));
        probe.style.color = 'var(--paper)';
        const paper = getComputedStyle(probe).color;
        probe.remove();
        return dots.map((dot) => {
          const { fill, fillOpacity, opacity } = getComputedStyle(dot);
          return { fill, paper, opacity: Number(fillOpacity) * Number(opacity) };
        });
      });
      expect(painted.length).toBeGreaterThan(50);
      for (const { fill, paper, opacity } of painted) {
        expect(opacity).toBe(1);
        expect(contrast(parseColor(fill), parseColor(paper)), fill).toBeGreaterThanOrEqual(3);
      }
    });

    test('has no axe-core violation with all folds open', async () => {
      expect(await axeViolations(opened.page)).toEqual([]);
    });
  });
});

describe('the article', () => {
  test('has one top-level heading, and skips no level after it', async () => {
    const { page, close } = await openSite();
    const levels = await page.$$eval('h1, h2, h3, h4', (found) => found.map(({ tagName }) => Number(tagName[1])));
    expect(levels.filter((level) => level === 1)).toHaveLength(1);
    expect(levels[0]).toBe(1);
    levels.slice(1).forEach((level, index) => {
      expect(level - (levels[index] ?? 0)).toBeLessThanOrEqual(1);
    });
    await close();
  });

  test('has a language, a description, and landmarks for the header, the article, its contents and the footer', async () => {
    const { page, close } = await openSite();
    for (const [role, count] of Object.entries({ banner: 1, main: 1, contentinfo: 1, navigation: 1 })) {
      expect(await page.getByRole(role as 'main').count(), role).toBe(count);
    }
    expect(await page.locator('html').getAttribute('lang')).toBe('en');
    expect((await page.locator('meta[name=description]').getAttribute('content'))?.length).toBeGreaterThan(60);
    await close();
  });

  test('lists every section with its heading in the table of contents', async () => {
    const { page, close } = await openSite();
    const links = await page.$$eval('.contents a', (found) =>
      found.map((link) => [link.getAttribute('href'), link.textContent]),
    );
    const sections = await page.$$eval('main section[id]', (found) =>
      found.map(({ id, firstElementChild }) => [`#${id}`, firstElementChild?.textContent?.replace(/\s+/g, ' ').trim()]),
    );
    expect(links).toEqual(sections);
    await close();
  });

  test('covers which role the tied table belongs to in one section: the tables, the layers, the word', async () => {
    const { page, close } = await openSite();
    const section = page.locator('section#trained');
    const parts = await section
      .locator('h2, h3[id], [link-state]')
      .evaluateAll((found) => found.map((one) => one.getAttribute('link-state') ?? (one.id || one.textContent)));
    expect(parts).toEqual(['Whose table is it?', 'whose', 'experiment', 'lens', 'lens', 'word', 'word', 'checkpoint']);
    await close();
  });

  test('gives a BibTeX entry whose fields are indented', async () => {
    const { page, close } = await openSite();
    expect(await page.locator('.bibtex').textContent()).toMatch(/^@misc\{[\w-]+,\n {2}title {2}= /);
    await close();
  });

  test('shows formulas as MathML, with no TeX left over', async () => {
    const { page, close } = await openSite();
    expect(await page.locator('math').count()).toBeGreaterThan(30);
    const text = await page.locator('main').innerText();
    expect(text).not.toMatch(/\$|\\[a-z]+|\{\{/);
    await close();
  });

  test('can be navigated by keyboard: the skip link first, then the theme button, the contents and the figures', async () => {
    const { page, close } = await openSite();
    const focused = (): Promise<string> =>
      page.evaluate(() => `${document.activeElement?.localName}.${document.activeElement?.className}`);
    await page.keyboard.press('Tab');
    expect(await focused()).toBe('a.skip-link');
    await page.keyboard.press('Enter');
    expect(new URL(page.url()).hash).toBe('#content');
    await page.reload();
    await readThrough(page);
    await page.evaluate(() => {
      // Tab would start from the last click.
      document.querySelector<HTMLElement>('.skip-link')?.focus();
      scrollTo(0, 0);
    });
    const visited = new Set<string>();
    for (let presses = 0; presses < 600 && visited.size < elements.length; presses++) {
      await page.keyboard.press('Tab');
      const found = await page.evaluate(
        (selectors) => selectors.find((selector) => document.activeElement?.matches(selector)),
        elements,
      );
      if (found !== undefined) visited.add(found);
    }
    expect([...visited]).toEqual(elements);
    await close();
  });

  test('switches between light and dark with its button, figures included, and remembers the choice', async () => {
    const { page, close } = await openSite('', { colorScheme: 'light' });
    await readThrough(page);
    const inks = (): Promise<string[]> =>
      page.evaluate(
        (names) => ['body', ...names].map((name) => getComputedStyle(document.querySelector(name) as Element).color),
        elements,
      );
    const light = await inks();
    expect(new Set(light).size).toBe(1);
    await page.getByRole('button', { name: 'Dark' }).click();
    const dark = await inks();
    expect(new Set(dark).size).toBe(1);
    expect(dark[0]).not.toBe(light[0]);
    await page.reload();
    expect((await inks())[0]).toBe(dark[0]);
    await page.getByRole('button', { name: 'Light' }).click();
    expect((await inks())[0]).toBe(light[0]);
    await close();
  });

  test('is readable without scripts: every figure shows its finished result', async () => {
    const { page, url, close } = await openSite();
    const context = await page.context().browser()?.newContext({ javaScriptEnabled: false });
    const bare = await context?.newPage();
    await bare?.goto(url);
    for (const name of elements.filter((one) => !withoutResult.includes(one))) {
      if (bare !== undefined) await unfold(bare, name);
      expect(await bare?.locator(`${name} table`).isVisible(), name).toBe(true);
    }
    expect(await bare?.locator('#theme-button').isVisible()).toBe(false);
    await context?.close();
    await close();
  });

  test('shows the finished run of its lab, labeled as such, until the reader trains', async () => {
    const { page, problems, close } = await openSite();
    const lab = page.locator('tied-training-lab[link-state="lab"]');
    await lab.scrollIntoViewIfNeeded();
    const mark = lab.locator('.run-state', { hasText: 'Finished run 500 steps, computed when this page was built.' });
    await mark.waitFor();
    expect(await lab.locator('.step-count').textContent()).toContain('Step 500 of 500');
    const readOut = lab.locator('.read-out');
    await expect
      .poll(() => readOut.textContent(), { timeout: 30_000 })
      .toMatch(/After 500 steps the tied model is \d\.\d{3} nats above/);
    expect(await lab.locator('.curves path.line').count()).toBe(4);
    await lab.getByRole('button', { name: 'One step', exact: true }).click();
    await expect.poll(() => readOut.textContent()).toMatch(/After 1 step/);
    expect(await mark.count()).toBe(0);
    expect(problems).toEqual([]);
    await close();
  });

  test.each([320, 1200])('shows the figure of a shared link, whatever grows above it, at %i px', async (width) => {
    const { page, close } = await openSite('#tied=advice&model=gpt2-xl', { width });
    const top = () => page.$eval('tied-advisor', (element) => element.getBoundingClientRect().top);
    const height = (name: string) => () =>
      page.$eval(name, (element) => element.shadowRoot?.querySelector('figure')?.getBoundingClientRect().height ?? 0);
    // Its fold is open, and the core has answered.
    await expect.poll(height('tied-advisor'), { timeout: 30_000 }).toBeGreaterThan(1000);
    await expect.poll(async () => Math.abs(await top())).toBeLessThan(60);
    // Something grows above, in a browser without scroll anchoring.
    const growAbove = () =>
      page.evaluate(async () => {
        document.documentElement.style.overflowAnchor = 'none';
        const block = document.createElement('div');
        block.style.height = '2000px';
        document.body.prepend(block);
        // After two frames, the page has been measured again.
        await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
      });
    await growAbove();
    await expect.poll(async () => Math.abs(await top())).toBeLessThan(60);
    // A reader who has scrolled on is not moved back. A single turn of the wheel can be lost while the page moves.
    await expect
      .poll(async () => {
        await page.mouse.wheel(0, 500);
        return top();
      })
      .toBeLessThan(-400);
    await growAbove();
    // At the reader's position or pushed down: the browser decides.
    expect(Math.abs(await top())).toBeGreaterThan(400);
    await close();
  });

  test('loads a folded figure when its fold is opened, and not before', async () => {
    const { page, close } = await openSite();
    const isDefined = (): Promise<boolean> => page.evaluate(() => customElements.get('tied-checkpoint') !== undefined);
    await page.locator('#more-trained').scrollIntoViewIfNeeded();
    // The figure above is within reach of the window as well.
    await page.waitForFunction(() => customElements.get('tied-hidden-states') !== undefined);
    expect(await isDefined()).toBe(false);
    await page.locator('#more-trained > summary').click();
    await expect.poll(isDefined).toBe(true);
    await close();
  });

  test('is printed with every fold open, and closes the folds afterwards', async () => {
    const { page, close } = await openSite();
    const visible = (): Promise<boolean> => page.locator('#figure-pairs table').isVisible();
    const print = (type: 'beforeprint' | 'afterprint'): Promise<void> =>
      page.evaluate((name) => {
        dispatchEvent(new Event(name));
      }, type);
    expect(await visible()).toBe(false);
    await print('beforeprint');
    expect(await visible()).toBe(true);
    expect(await page.locator('details:not([open])').count()).toBe(0);
    await print('afterprint');
    expect(await visible()).toBe(false);
    await close();
  });

  test('moves almost nothing when its fonts arrive late', async () => {
    const { page, url, close } = await openSite('', { width: 1440 });
    await page.route('**/*.woff2', async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 600));
      await route.continue();
    });
    await page.goto(`${url}?late-fonts`);
    const shift = await page.evaluate(async () => {
      let total = 0;
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) total += (entry as PerformanceEntry & { value: number }).value;
      }).observe({ type: 'layout-shift', buffered: true });
      await document.fonts.ready;
      await new Promise((resolve) => setTimeout(resolve, 200));
      return { total, loaded: [...document.fonts].filter(({ status }) => status === 'loaded').length };
    });
    expect(shift.loaded).toBeGreaterThan(2);
    // The Web Vitals call a page unstable from 0.1.
    expect(shift.total).toBeLessThan(0.1);
    await close();
  });

  test('has at most 60 KB of fonts, and 42 KB of page and styles gzipped', () => {
    const site = join(root, 'site');
    const fonts = ['source-serif-4', 'source-serif-4-italic', 'source-sans-3', 'math'].map((name) =>
      join(site, 'fonts', `${name}.woff2`),
    );
    expect(fonts.every((file) => existsSync(file))).toBe(true);
    const bytes = fonts.map((file) => readFileSync(file).length).reduce((total, size) => total + size, 0);
    expect(bytes).toBeLessThanOrEqual(60 * 1024);
    const gzipped = ['index.html', 'page.css'].map((name) => gzipSync(readFileSync(join(site, name))).length);
    expect(gzipped.reduce((total, size) => total + size, 0)).toBeLessThanOrEqual(42 * 1024);
  });
});
