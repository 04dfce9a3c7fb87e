import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { root } from '../../tools/lib/root.mjs';
import { contrast, parseColor } from '../../web/charts/color-scale.js';
import { axeViolations, horizontalOverflow, openSite, type OpenedPage } from './harness.js';
import { justShow } from './learning-page.js';

/** The interactive figures of the main text, in page order. */
const inText = [
  'article-worked-position',
  'tied-symmetry-explorer',
  'tied-bigrams',
  'article-repeat-game',
  'tied-training-lab[link-state="lab"]',
  'tied-parameter-calculator',
  'tied-compute-calculator',
  'tied-training-lab[link-state="gpt"]',
  'tied-direct-path',
  'tied-advisor',
];
/** Those of the chapters, with the chapter's page. */
const inChapters = {
  'tied-gradient-ledger': 'pull.html',
  'tied-alignment': 'trained.html',
  'tied-experiment': 'trained.html',
  'tied-lens': 'lens.html',
  'tied-hidden-states': 'word.html',
  'tied-checkpoint': 'opened.html',
  'tied-seq2seq': 'three-tables.html',
  'tied-heads': 'heads.html',
  'tied-model-table': 'models-all.html',
  'tied-parameter-map': 'models-all.html',
};
const elements = [...inText, ...Object.keys(inChapters)];
/** Figures that open the reader's own files or measure on request, so without scripts they have no result to show. */
const withoutResult = ['tied-checkpoint', 'tied-experiment'];

/** Opens the fold around a figure, if there is one, as a reader would. */
async function unfold(page: Page, name: string): Promise<void> {
  const summary = page.locator(`details.more:not([open]):has(> ${name}) > summary`);
  if ((await summary.count()) > 0) await summary.first().click();
}

/** Opens every chapter in the article, and waits until all have arrived. */
async function openChapters(page: Page): Promise<void> {
  for (const id of await page.$$eval('.chapter:not([open])', (all) => all.map((one) => one.id))) {
    await page.locator(`#${id} > summary`).click();
  }
  await page.waitForFunction(() => document.querySelector('.chapter:not(:has(> .chapter-body))') === null);
}

/** Scrolls the page from top to bottom as a reader would, so every figure loads, and waits until each has drawn. */
async function readThrough(page: Page): Promise<void> {
  await openChapters(page);
  await justShow(page, 'train');
  for (const name of elements) {
    await unfold(page, name);
    await page.locator(name).first().scrollIntoViewIfNeeded();
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
    const numbers = await opened.page.$$eval('h2[data-number]', (all) =>
      all.map((one) => {
        const { content, display } = getComputedStyle(one, '::before');
        return display === 'none' ? null : /^"(\w+)"/.exec(content)?.[1];
      }),
    );
    expect(numbers).toEqual([...Array.from({ length: 14 }, (_, index) => String(index + 1)), ...'ABCDEFGHIJKL', '15']);
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

  test('has all rows of a drawing on one axis', async () => {
    const drawings = await opened.page.$$eval('.strips', (all) =>
      all
        .filter((one) => one.checkVisibility())
        .map((one) =>
          [...one.querySelectorAll(':scope > div > .strip-line')].map((line) => {
            const { left, right } = line.getBoundingClientRect();
            return `${String(left)} to ${String(right)}`;
          }),
        ),
    );
    expect(drawings.length).toBeGreaterThan(1);
    for (const lines of drawings) {
      expect(lines.length).toBeGreaterThan(2);
      expect([...new Set(lines)]).toHaveLength(1);
    }
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
        // One inside a figure that has woken is not drawn.
        const drawn = dots.filter((dot) => dot.checkVisibility());
        return drawn.map((dot) => {
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
    const { page, close } = await openSite('', { width: 1440 });
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
    const sections = await page.$$eval('main > section[id], .chapter', (found) =>
      found.map((one) => [`#${one.id}`, one.querySelector('h2')?.textContent?.replace(/\s+/g, ' ').trim()]),
    );
    expect(links).toEqual(sections);
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
    for (let presses = 0; presses < 800 && visited.size < elements.length; presses++) {
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
        inText,
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
    for (const name of elements.filter((one) => !withoutResult.includes(one))) {
      const path = (inChapters as Record<string, string>)[name] ?? '';
      await bare?.goto(new URL(path, url).href);
      if (bare !== undefined) await unfold(bare, name);
      expect(await bare?.locator(`${name} table`).isVisible(), name).toBe(true);
      expect(await bare?.locator('#theme-button').isVisible()).toBe(false);
    }
    await context?.close();
    await close();
  });

  test('shows the finished run of its lab, labeled as such, once the reader has guessed, until the reader trains', async () => {
    const { page, problems, close } = await openSite('', { atRest: true });
    const lab = page.locator('tied-training-lab[link-state="lab"]');
    await lab.scrollIntoViewIfNeeded();
    const mark = lab.locator('.run-state', { hasText: 'Finished run 500 steps, computed when this page was built.' });
    const shown = (selector: string): Promise<number> =>
      lab
        .locator(`.fallback ${selector}`)
        .evaluateAll((all) => all.filter((one) => one.checkVisibility({ visibilityProperty: true })).length);
    expect(await shown(':is(.floor, .floor-label)')).toBe(6);
    expect(await shown(':is(.curve, .curve-label, table, figcaption)')).toBe(0);
    const height = await lab.evaluate((one) => one.getBoundingClientRect().height);
    await justShow(page, 'train');
    await mark.waitFor();
    // What is reserved is a little less than what the figure needs.
    const growth = () => lab.evaluate((one, before) => one.getBoundingClientRect().height / before, height);
    await expect.poll(growth).toBeLessThan(1.06);
    expect(await growth()).toBeGreaterThanOrEqual(1);
    expect(await lab.locator('.step-count').textContent()).toContain('Step 500 of 500');
    const readOut = () => lab.locator('.read-out').textContent();
    await expect.poll(readOut, { timeout: 30_000 }).toMatch(/After 500 steps the tied model is \d\.\d{3} nats above/);
    expect(await lab.locator('.curves path.line').count()).toBe(4);
    await lab.getByRole('button', { name: 'One step', exact: true }).click();
    await expect.poll(readOut).toMatch(/After 1 step/);
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

  test('fetches a chapter when it is opened, and its figures when the reader comes near', async () => {
    const { page, close } = await openSite();
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    const chapters = (): string[] => asked.filter((path) => path.endsWith('.html') && path !== '/transformer.html');
    await page.locator('#lens').scrollIntoViewIfNeeded();
    expect(chapters()).toEqual([]);
    await page.locator('#lens > summary').click();
    await page.locator('#lens tied-lens .read-out').waitFor();
    expect(chapters()).toEqual(['/lens.html']);
    // Its heading and first sentence are not repeated, and links stay in the article.
    expect(await page.locator('#lens h2').count()).toBe(1);
    expect(await page.locator('#lens .teaser').count()).toBe(1);
    expect(await page.locator('#lens a[href^="./"]').count()).toBe(0);
    await page.locator('#lens > summary').click();
    await page.locator('#lens > summary').click();
    expect(chapters()).toEqual(['/lens.html']);
    await close();
  });

  test('opens the chapter that a link leads into, and opens it again after a reload', async () => {
    const { page, close } = await openSite('#figure-alignment', { width: 1440 });
    const top = () => page.$eval('#figure-alignment', (one) => one.getBoundingClientRect().top);
    await page.locator('#figure-alignment').waitFor();
    await expect.poll(async () => Math.abs(await top())).toBeLessThan(60);
    await page.reload();
    await page.locator('#trained tied-alignment').waitFor();
    await close();
  });

  test('keeps a chapter’s link to its own page if it cannot be fetched, and fetches it again on the next try', async () => {
    const { page, close } = await openSite();
    await page.route('**/word.html', (route) => route.abort());
    const summary = page.locator('#word > summary');
    await summary.click();
    expect(await page.locator('#word .chapter-page a').isVisible()).toBe(true);
    await page.unroute('**/word.html');
    await expect
      .poll(async () => {
        await summary.click();
        await summary.click();
        return page.locator('#word .chapter-body').count();
      })
      .toBe(1);
    await close();
  });

  test('shows everything, or also the mathematics, on request, remembers that, and keeps folds that the reader opened', async () => {
    const { page, close } = await openSite();
    const closed = (kind: string) => page.locator(`details.${kind}:not([open])`).count();
    const pairs = page.locator('details:has(> #figure-pairs)');
    await pairs.locator('> summary').click();
    const maths = await closed('maths');
    expect(maths).toBeGreaterThan(3);
    await page.getByRole('button', { name: 'Everything' }).click();
    expect(await closed('chapter')).toBe(0);
    await expect.poll(() => closed('more')).toBe(0);
    await page.waitForFunction(() => document.querySelector('.chapter:not(:has(> .chapter-body))') === null);
    // Folds of chapters that arrive later, too.
    await expect.poll(() => closed('more')).toBe(0);
    expect(await closed('maths')).toBeGreaterThanOrEqual(maths);
    await page.getByRole('button', { name: 'Mathematics' }).click();
    await expect.poll(() => closed('maths')).toBe(0);
    await page.reload();
    await expect.poll(() => closed('maths')).toBe(0);
    await page.getByRole('button', { name: /^\d+ minutes$/ }).click();
    expect(await page.locator('details.maths[open], details.chapter[open]').count()).toBe(0);
    await close();
  });

  test('keeps what the reader opened when everything is closed again', async () => {
    const { page, close } = await openSite();
    const pairs = page.locator('details:has(> #figure-pairs)');
    await pairs.locator('> summary').click();
    await page.getByRole('button', { name: 'Everything' }).click();
    await page.getByRole('button', { name: /^\d+ minutes$/ }).click();
    expect(await pairs.getAttribute('open')).not.toBeNull();
    await close();
  });

  test('names the section in a bar on narrow screens, which opens the contents, as does a button in the header', async () => {
    const { page, close } = await openSite('', { width: 390 });
    const bar = page.locator('.contents-bar');
    expect(await page.locator('.contents').isVisible()).toBe(false);
    expect(await bar.isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Contents', exact: true }).click();
    expect(await page.getByRole('navigation').count()).toBe(1);
    await page.locator('.contents-panel').getByRole('link', { name: 'What does symmetry cost' }).click();
    await expect.poll(() => bar.textContent()).toMatch(/^5 · /);
    // Right of its words is the strip of the transformer.
    await bar.locator('span').click();
    const panel = page.locator('.contents-panel');
    await panel.getByRole('link', { name: 'When should a model tie' }).click();
    await expect.poll(() => bar.textContent()).toMatch(/^12 · /);
    expect(await panel.isVisible()).toBe(false);
    // Below the bar, not under it.
    const { bottom } = await bar.evaluate((one) => one.getBoundingClientRect());
    await expect
      .poll(() => page.$eval('#when', (one) => one.getBoundingClientRect().top))
      .toBeGreaterThanOrEqual(bottom - 1);
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

  test('has at most 60 KB of fonts, and 110 KB in all before the reader does anything', async () => {
    const fonts = ['source-serif-4', 'source-serif-4-italic', 'source-sans-3', 'math'].map((name) =>
      join(root, 'site/fonts', `${name}.woff2`),
    );
    expect(fonts.every((file) => existsSync(file))).toBe(true);
    const bytes = fonts.map((file) => readFileSync(file).length).reduce((total, size) => total + size, 0);
    expect(bytes).toBeLessThanOrEqual(60 * 1024);

    const { page, url, close } = await openSite('', { width: 1440 });
    const asked = new Set<string>();
    page.on('request', (request) => asked.add(new URL(request.url()).pathname));
    await page.goto(`${url}?first-view`);
    await page.locator('.hero[data-ready]').waitFor();
    await page.waitForLoadState('networkidle');
    await close();
    const sizes = [...asked].map((path) => {
      const file = readFileSync(join(root, 'site', path === '/' ? 'index.html' : path));
      return path.endsWith('.woff2') ? file.length : gzipSync(file).length;
    });
    expect(asked.has('/hero.json')).toBe(true);
    expect(
      sizes.reduce((total, size) => total + size, 0),
      [...asked].join(' '),
    ).toBeLessThanOrEqual(110 * 1024);
  });
});
