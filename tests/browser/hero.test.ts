// The experiment at the top of the article: a pair, a guess, and two models that learn, recorded at first and trained here after that.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { root } from '../../tools/lib/root.mjs';
import { serve } from '../../tools/serve/server.mjs';
import { percent, shareOf, type HeroRun } from '../../web/article/hero/run.js';
import { axeViolations, openSite } from './harness.js';

const run = JSON.parse(readFileSync(join(root, 'site/hero.json'), 'utf8')) as HeroRun;
const word = (name: string): number => run.words.indexOf(name);
const newYork = { from: word('New'), to: word('York') };
const yorkNew = { from: word('York'), to: word('New') };
const newNew = { from: word('New'), to: word('New') };

const ready = (page: Page) => page.locator('.hero[data-ready]').waitFor();
const shown = (page: Page): Promise<string[][]> =>
  page
    .locator('.hero-shares tbody tr')
    .evaluateAll((rows) => rows.map((row) => [...row.querySelectorAll('b')].map((one) => one.textContent)));
const heat = (page: Page): Promise<number[]> =>
  page.locator('.hero .shared .heat').evaluateAll((all) => all.map((one) => Number(one.getAttribute('fill-opacity'))));
const sentence = (page: Page) => page.locator('.hero-sentence');

describe.each([
  [1440, 900],
  [390, 844],
  [320, 568],
])('the experiment at the top, at %i x %i', (width, height) => {
  test('can be touched on the first screen, tells nothing before the guess, and repeats the recorded run', async () => {
    const { page, problems, close } = await openSite('', { width, height });
    await ready(page);
    for (const part of ['.hero-ask', '.hero-guess', '.train']) {
      const box = (await page.locator(`.hero ${part}`).boundingBox())!;
      expect(box.y + box.height, part).toBeLessThanOrEqual(height);
    }
    const story = (pair: typeof newYork): string => percent(shareOf(run.story, pair));
    const pairs = [newYork, yorkNew, newNew];
    expect(await shown(page)).toEqual(pairs.map((pair) => [story(pair), '?', '?']));
    expect(Math.max(...(await heat(page)))).toBe(0);
    expect(await page.locator('.hero .panel:visible').count()).toBe(width < 740 ? 1 : 2);

    const before = (await page.locator('.hero').boundingBox())!.height;
    await page.locator('.hero-guess input').focus();
    for (let i = 0; i < 15; i++) await page.keyboard.press('ArrowRight');
    expect(await page.locator('.hero-guess output').textContent()).toBe('65%');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await expect.poll(() => sentence(page).textContent(), { timeout: 30_000 }).toContain('your guess was 65%');
    const [tied, untied] = [run.tied.at(-1)!, run.untied.at(-1)!];
    expect(await shown(page)).toEqual(
      pairs.map((pair) => [story(pair), percent(shareOf(tied, pair)), percent(shareOf(untied, pair))]),
    );
    expect(await page.locator('[data-of="forward"] .tied .guess').getAttribute('d')).toBe('M65 0V8');
    expect(await heat(page)).toEqual(tied.map((share) => Number(Math.sqrt(share).toFixed(2))));
    // One table fails where two succeed.
    expect(shareOf(tied, newYork)).toBeLessThan(0.5);
    expect(shareOf(untied, newYork)).toBeGreaterThan(0.9);
    // What was found stands where it said how to read a map.
    expect((await page.locator('.hero').boundingBox())!.height).toBe(before);
    expect(await page.locator('.hero .when-live').isVisible()).toBe(false);
    expect(await axeViolations(page, '.hero')).toEqual([]);
    expect(problems).toEqual([]);
    await close();
  });
});

test('another pair is chosen in a list or in a map, and another model’s map is shown', async () => {
  const { page, problems } = await openSite('', { reducedMotion: true });
  await ready(page);
  await page.locator('.train').click();
  await expect.poll(() => sentence(page).textContent()).toContain('York after New always has the same score');
  await page.locator('.hero select.from').selectOption({ label: 'high' });
  await page.locator('.hero select.to').selectOption({ label: 'school' });
  expect(await sentence(page).textContent()).toContain(
    'school after high always has the same score as high after school',
  );
  // The cell of Park after Central.
  const cell = word('Central') * run.words.length + word('Park');
  await page.locator('.hero .free .heat').nth(cell).click();
  expect(await page.locator('.hero select.from').inputValue()).toBe(String(word('Central')));
  expect((await shown(page))[0]![0]).toBe(percent(shareOf(run.story, { from: word('Central'), to: word('Park') })));
  await page
    .locator('.hero .shared .heat')
    .nth(word('New') * run.words.length + word('New'))
    .click();
  expect(await sentence(page).textContent()).toContain('the length of its vector squared');
  await page.getByLabel('Two tables', { exact: true }).check();
  expect(await heat(page)).toEqual(run.untied.at(-1)!.map((share) => Number(Math.sqrt(share).toFixed(2))));
  expect(problems).toEqual([]);
});

test('the second run is trained in the page, from another start', async () => {
  const { page, problems } = await openSite('', { reducedMotion: true });
  await ready(page);
  await page.locator('.train').click();
  await expect.poll(() => sentence(page).textContent()).not.toBe('');
  const recorded = await heat(page);
  await page.locator('.train').click();
  await expect.poll(() => sentence(page).textContent()).toBe('');
  await expect.poll(() => sentence(page).textContent(), { timeout: 120_000 }).not.toBe('');
  expect(await page.locator('.train').textContent()).toBe('Train again, from another start');
  const live = await heat(page);
  expect(live).not.toEqual(recorded);
  // Both starts end where one table can.
  for (const [i, opacity] of live.entries()) expect(Math.abs(opacity - recorded[i]!), String(i)).toBeLessThan(0.15);
  expect(problems).toEqual([]);
});

test('without its recorded run it is the drawing of pages without scripts', async () => {
  const { page, url } = await openSite('');
  await page.route('**/hero.json', (route) => route.abort());
  await page.goto(`${url}?again`);
  await page.locator('.hero[data-still]').waitFor();
  expect(await page.locator('.hero .panel:visible').count()).toBe(3);
  expect(await page.locator('.hero .panel .heat:visible').count()).toBeGreaterThan(50);
  expect(await page.locator('.hero :is(button, select, input):visible').count()).toBe(0);
});

test('on paper it is that drawing, too, and afterwards what it was', async () => {
  const { page, problems } = await openSite('', { reducedMotion: true });
  await ready(page);
  await page.locator('.hero select.from').selectOption({ label: 'Grand' });
  await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
  await page.emulateMedia({ media: 'print' });
  expect(await page.locator('.hero .panel:visible').count()).toBe(3);
  expect(await page.locator('.hero :is(button, select, input):visible').count()).toBe(0);
  expect(await heat(page)).toEqual(run.tied.at(-1)!.map((share) => Number(Math.sqrt(share).toFixed(2))));
  const cell = page.locator('.hero .shared .heat').nth(newYork.from * run.words.length + newYork.to);
  expect(await page.locator('.hero .shared .outline').first().getAttribute('x')).toBe(await cell.getAttribute('x'));
  await page.emulateMedia({ media: null });
  await page.evaluate(() => dispatchEvent(new Event('afterprint')));
  expect(Math.max(...(await heat(page)))).toBe(0);
  expect(await page.locator('.hero select.from').inputValue()).toBe(String(word('Grand')));
  expect(problems).toEqual([]);
});

/** Serves the article, and its page in two pieces: up to the first `cut`, then, after a pause, the rest. */
const serveInPieces = (cut: string) => {
  const site = join(root, 'site');
  const html = readFileSync(join(site, 'index.html'), 'utf8');
  const at = html.indexOf(cut);
  expect(at, cut).toBeGreaterThan(0);
  return serve({
    folders: { '/': site },
    routes: {
      '/': (_, response, headers) => {
        response.writeHead(200, { ...headers, 'Content-Type': 'text/html; charset=utf-8' });
        response.write(html.slice(0, at));
        setTimeout(() => response.end(html.slice(at)), 500);
      },
    },
  });
};

test.each(
  [390, 1440].flatMap((width) =>
    [
      '<div class="hero-play">',
      '<div class="panel free">',
      '<div class="panel shared">',
      '<div class="hero-found">',
      '<section class="opening"',
    ].map((cut) => [width, cut] as const),
  ),
)('at %i px nothing moves while the page arrives in two pieces, the second from %s on', async (width, cut) => {
  const { page } = await openSite('', { width });
  const server = await serveInPieces(cut);
  await page.addInitScript(() => {
    const shifts: number[] = ((window as unknown as { shifts: number[] }).shifts = []);
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) shifts.push((entry as PerformanceEntry & { value: number }).value);
    }).observe({ type: 'layout-shift', buffered: true });
  });
  await page.goto(server.url);
  await ready(page);
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
  const shifts = await page.evaluate(() => (window as unknown as { shifts: number[] }).shifts);
  expect(shifts.reduce((sum, shift) => sum + shift, 0)).toBeLessThan(0.002);
  await server.close();
});
