// Measures the figures of the built page, and writes the heights that it reserves for them until they have drawn: node tools/reserve-heights.mjs (after npm run build).
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { root } from './lib/root.mjs';
import { serve } from './serve/server.mjs';
import { browserPath } from './setup/browser.mjs';
import { inside } from '../web/article/build/outline.mjs';

/** Where the layout of some figure changes. */
const breakpoints = [320, 345, 380, 430, 480, 600, 760, 848, 1180];
const widest = 1500;
/** Too low is better than too high, which would leave an empty space. */
const share = 0.96;
/** A page drawn again at another width. */
const settleMs = 700;
/** A figure that has its data and has been drawn. */
const drawnMs = 4000;

/** Those of the package; the article's own have theirs in their style sheets. */
const figures = 'section > [link-state]:not(article-repeat-game)';

/** Wakes all figures of the page one after the other; one that waits for the reader's guess is loaded without it. */
async function wake(page) {
  for (const figure of await page.locator(figures).all()) {
    await figure.scrollIntoViewIfNeeded();
    const guess = await figure.getAttribute('data-guess');
    if (guess !== null) await page.locator(`article-guess[name="${guess}"]`).getByText('Just show it').click();
    await page.waitForFunction((one) => one.shadowRoot?.querySelector('figure'), await figure.elementHandle());
    await page.waitForTimeout(drawnMs);
  }
}

/** [[selector, height]] of the page's figures. A lab with other models has other heights. */
const heightsOf = (page) =>
  page.$$eval(figures, (all) =>
    all.map((one) => {
      const selector = one.matches("[model='transformer']") ? `${one.localName}[model='transformer']` : one.localName;
      return [selector, (one.shadowRoot?.querySelector('figure') ?? one).getBoundingClientRect().height];
    }),
  );

/** Widths at which the range that begins with `from` is measured: its ends and its middle. */
function widthsOf(from, next = widest) {
  return [from, Math.round((from + next) / 2), next - 1];
}

const server = await serve({ folders: { '/': join(root, 'site') }, policy: '' });
const browser = await chromium.launch({
  executablePath: browserPath(),
  args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
});
/** breakpoint -> selector -> the least height */
const least = new Map(breakpoints.map((from) => [from, new Map()]));
try {
  for (const path of ['', ...inside.chapters.map((id) => `${id}.html`)]) {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' });
    await page.goto(server.url + path);
    await wake(page);
    for (const [index, from] of breakpoints.entries()) {
      for (const width of widthsOf(from, breakpoints[index + 1])) {
        await page.setViewportSize({ width, height: 900 });
        await page.waitForTimeout(settleMs);
        for (const [name, height] of await heightsOf(page)) {
          const found = least.get(from);
          found.set(name, Math.min(found.get(name) ?? Infinity, height));
        }
      }
    }
    await page.close();
    console.log(`${path || 'index.html'} is measured`);
  }
} finally {
  await browser.close();
  await server.close();
}

const rounded = (height) => Math.floor((height * share) / 5) * 5;
const rules = (found, indent) =>
  [...found]
    .map(([name, height]) => `${indent}${name} {\n${indent}  --reserve: ${rounded(height)}px;\n${indent}}`)
    .join('\n\n');
const blocks = breakpoints.map((from, index) =>
  index === 0 ? rules(least.get(from), '') : `@media (min-width: ${from}px) {\n${rules(least.get(from), '  ')}\n}`,
);
const file = join(root, 'web/article/styles/reserved-heights.css');
writeFileSync(
  file,
  `/* Written by tools/reserve-heights.mjs: ${share * 100} % of the height of each figure outside folds, at the widths where it is least. */\n${blocks.join('\n\n')}\n`,
);
console.log(`${file} is written`);
