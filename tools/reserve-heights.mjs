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
const share = 0.98;
/** A height that is lower by no more than this is good enough, and needs no rule. */
const enough = { fine: 0.97, coarse: 0.95 };
/** A page drawn again at another width. */
const settleMs = 500;
/** A figure that has its data and has been drawn. */
const drawnMs = 4000;

/** Those without a state in the link. The roundabout and the game about lines have the same height before they wake. */
const own = ['worked-position', 'direction', 'decision'].map((name) => `article-${name}`);
const figures = `[link-state], ${own.join(', ')}`;

/** Wakes all figures of the page one after the other; one that waits for the reader's guess is loaded without it. */
async function wake(page) {
  await page.$$eval('details:not(.chapter)', (folds) => folds.forEach((fold) => (fold.open = true)));
  for (const figure of await page.locator(figures).all()) {
    await figure.scrollIntoViewIfNeeded();
    const guess = await figure.getAttribute('data-guess');
    if (guess !== null) await page.locator(`article-guess[name="${guess}"]`).getByText('Just show it').click();
    await page.waitForFunction((one) => one.shadowRoot?.querySelector('figure, .frame'), await figure.elementHandle());
    await page.waitForTimeout(drawnMs);
  }
}

/** [[selector, height, whether the first reading shows it]] of the page's figures. A lab with other models has other heights, an experiment of another file, too. */
const heightsOf = (page) =>
  page.$$eval(figures, (all) =>
    all.map((one) => {
      const kind = one.matches("[model='transformer']") ? "[model='transformer']" : one.matches('[src]') ? '[src]' : '';
      const selector = `${one.localName}${kind}`;
      const { height } = (one.shadowRoot?.querySelector('figure, .frame') ?? one).getBoundingClientRect();
      return [selector, height, one.closest('details') === null];
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
/** Of the first reading, and of its folds and chapters: pointer -> breakpoint -> selector -> the least height */
const least = () => ({
  fine: new Map(breakpoints.map((from) => [from, new Map()])),
  coarse: new Map(breakpoints.map((from) => [from, new Map()])),
});
const first = least();
const others = least();

async function measure(path, pointer) {
  const page = await browser.newPage({
    viewport: { width: 1440, height: 900 },
    reducedMotion: 'reduce',
    hasTouch: pointer === 'coarse',
  });
  await page.goto(server.url + path);
  await wake(page);
  for (const [index, from] of breakpoints.entries()) {
    for (const width of widthsOf(from, breakpoints[index + 1])) {
      await page.setViewportSize({ width, height: 900 });
      await page.waitForTimeout(settleMs);
      for (const [name, height, isFirst] of await heightsOf(page)) {
        const found = (isFirst && path === '' ? first : others)[pointer].get(from);
        found.set(name, Math.min(found.get(name) ?? Infinity, height));
      }
    }
  }
  await page.close();
  console.log(`${path || 'index.html'} is measured, with a ${pointer} pointer`);
}

try {
  for (const path of ['', ...inside.chapters.map((id) => `${id}.html`)]) {
    for (const pointer of ['fine', 'coarse']) await measure(path, pointer);
  }
} finally {
  await browser.close();
  await server.close();
}

/** Where one machine needs a line more than another: what an experiment takes is said for its cores. */
const spare = { 'tied-experiment[src]': 24 };

const rounded = (height) => Math.floor((height * share) / 5) * 5;

/**
 * Rules for the widths from `from` on, where what is reserved so far is too high, or so low that what is below would jump. For fingers
 * they refine those for a mouse, and win at all greater widths.
 */
function rulesOf(heights, pointer, from, reservedSoFar, set) {
  const rules = [];
  for (const [name, measured] of heights[pointer].get(from)) {
    const height = measured - (spare[name] ?? 0);
    const reserved = rounded(height);
    const before = reservedSoFar(name);
    if (before <= height && before >= reserved * enough[pointer]) continue;
    set.set(name, reserved);
    rules.push(`  ${name} { --reserve: ${reserved}px; }`);
  }
  const finger = pointer === 'coarse' ? '(pointer: coarse) and ' : '';
  return rules.length === 0 ? [] : [`@media ${finger}(min-width: ${from}px) {\n${rules.join('\n')}\n}`];
}

function sheet(heights) {
  const fine = new Map();
  const coarse = new Map();
  const [forMice, forFingers] = [[], []];
  for (const from of breakpoints) {
    forMice.push(...rulesOf(heights, 'fine', from, (name) => fine.get(name) ?? 0, fine));
    forFingers.push(...rulesOf(heights, 'coarse', from, (name) => coarse.get(name) ?? fine.get(name) ?? 0, coarse));
  }
  return [...forMice, ...forFingers].join('\n').replace('@media (min-width: 320px)', '@media all');
}

for (const { name, what, heights } of [
  { name: 'styles/reserved-heights.css', what: 'outside folds', heights: first },
  { name: 'learning/reserved-heights.css', what: 'in folds and chapters', heights: others },
]) {
  const file = join(root, 'web/article', name);
  const head = `Written by tools/reserve-heights.mjs: ${share * 100} % of the height of each figure ${what}, at the widths where it is least.`;
  writeFileSync(file, `/* ${head} */\n${sheet(heights)}\n`);
  console.log(`${file} is written`);
}
