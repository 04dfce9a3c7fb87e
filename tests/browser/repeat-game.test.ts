// Section 6 as a game: three arrows of one table, three tasks of which one is impossible, and a map as a third handle.
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { witnesses, type TaskNumber } from '../../web/article/figures/repeat-game/tasks.js';
import { axeViolations, horizontalOverflow, openSite, type OpenOptions } from './harness.js';

const game = (page: Page) => page.locator('article-repeat-game');
const said = (page: Page) => game(page).locator('.face:not(.away) .says');
const card = (page: Page, task: TaskNumber) =>
  game(page)
    .locator('.card')
    .nth(task - 1);
const act = (page: Page, name: string) => game(page).getByRole('button', { name, exact: true }).click();

async function openGame(options: OpenOptions = {}, path = '') {
  const opened = await openSite(path, { reducedMotion: true, ...options });
  await game(opened.page).scrollIntoViewIfNeeded();
  await game(opened.page).locator('.card').first().waitFor();
  // Until figures above have their height, the page moves below the pointer.
  await opened.page.waitForFunction(() => document.querySelector('article-repeat-game[data-drawn]') !== null);
  await game(opened.page).scrollIntoViewIfNeeded();
  return opened;
}

/** Where a place of the plane is on the screen; the plane shows -7 to 7. */
async function spot(page: Page, [x, y]: readonly [number, number]) {
  const box = (await game(page).locator('tied-vector-plane svg').boundingBox())!;
  return { x: box.x + ((x + 7) / 14) * box.width, y: box.y + ((7 - y) / 14) * box.height };
}

const arrowsNow = (page: Page): Promise<number[][]> =>
  game(page)
    .locator('.grip')
    .evaluateAll((grips) =>
      grips.map((grip) =>
        [...grip.querySelectorAll('[role=slider]')].map((one) => Number(one.getAttribute('aria-valuenow'))),
      ),
    );

async function dragTo(page: Page, token: number, to: readonly [number, number]): Promise<void> {
  await game(page).locator('tied-vector-plane').scrollIntoViewIfNeeded();
  const [x, y] = (await arrowsNow(page))[token]!;
  const [from, end] = [await spot(page, [x!, y!]), await spot(page, to)];
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(end.x, end.y, { steps: 4 });
  await page.mouse.up();
}

const height = async (page: Page): Promise<number> => (await game(page).boundingBox())!.height;

describe.each([
  [1440, 'light'],
  [320, 'dark'],
] as const)('the game, %i px wide and %s', (width, colorScheme) => {
  test('is guessed, played by mouse, proved and broken by a map, all in one place', async () => {
    const { page, problems } = await openGame({ width, colorScheme });
    const before = await height(page);
    expect(await game(page).locator('.face:not(.away)').count()).toBe(1);
    // Nothing tells which one is impossible, and the proof cannot be reached yet.
    expect(await game(page).locator('.mark').allTextContents()).toEqual(['', '', '']);
    expect(await game(page).locator('.lines').isVisible()).toBe(false);
    await game(page).getByRole('radio', { name: '2', exact: true }).check({ force: true });
    expect((await card(page, 2).locator('.mark').textContent())!.trim()).toBe('your guess');

    for (const [token, to] of witnesses[1].arrows.entries()) await dragTo(page, token, to);
    expect(await said(page).textContent()).toContain('Both orders score the same');
    expect(await card(page, 1).getAttribute('class')).toContain('done');
    await act(page, 'To task 2');
    // The longest first: the tips must not meet.
    for (const token of [2, 1, 0]) await dragTo(page, token, witnesses[2].arrows[token]!);
    expect(await said(page).textContent()).toMatch(
      /^Done\. Growing arrows make a road\. But it ends: City follows City/,
    );
    expect(await game(page).locator('.text').textContent()).toMatch(/^\s*New\s+York\s+City\s+City/);
    expect(await game(page).locator('.text').ariaSnapshot()).toMatch(/^- paragraph: (\w+ ?){12}$/);

    await act(page, 'To task 3');
    expect(await said(page).textContent()).toMatch(/follows itself .* of the time, and occurs/);
    await act(page, 'I think this cannot be done');
    expect(await said(page).textContent()).toBe('It cannot be done, however the arrows lie. Your guess was 2.');
    expect(await game(page).locator('.lines li').count()).toBe(3);
    expect(await game(page).locator('.lines').isVisible()).toBe(true);
    expect(await axeViolations(page, 'article-repeat-game')).toEqual([]);

    await act(page, 'Put a map in between');
    expect(await said(page).textContent()).toMatch(/^The wall is down: \w+ follows itself .* and occurs/);
    expect(await game(page).locator('.walls .broken').count()).toBeGreaterThan(0);
    expect(await card(page, 3).locator('.mark').textContent()).toContain('done with a map');
    expect(await axeViolations(page, 'article-repeat-game')).toEqual([]);
    await act(page, 'Take the map away');
    expect(await game(page).locator('.walls .broken').count()).toBe(0);
    expect(await height(page)).toBe(before);
    expect(await horizontalOverflow(page)).toBe(0);

    // Kept for the next visit, until the reader starts over.
    await page.reload();
    await game(page).locator('.card').first().waitFor();
    expect(await card(page, 1).getAttribute('class')).toContain('done');
    await act(page, 'Options, data and sharing');
    await act(page, 'Start over');
    expect(await game(page).locator('.mark').allTextContents()).toEqual(['', '', '']);
    expect(problems).toEqual([]);
  });
});

test('by keyboard alone: a guess, a move, a task; the wall thuds, and the proof unfolds after a dozen moves', async () => {
  const { page, problems } = await openGame({}, '#tied=repeat&rows=0.1+0;0+0.1;1+0');
  await game(page).getByRole('radio', { name: '3', exact: true }).focus();
  await page.keyboard.press('Space');
  // The words that replaced the question have the focus.
  expect(await page.evaluate(() => document.activeElement!.shadowRoot!.activeElement!.className)).toContain('play');
  await game(page).locator('.card input').first().focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  expect(await card(page, 3).locator('input').isChecked()).toBe(true);
  const before = await height(page);
  await game(page).locator('.grip').nth(2).locator('[role=slider]').first().focus();
  await page.keyboard.press('Shift+ArrowLeft');
  // All three within a tenth of each other: next to the wall, and no further.
  expect(await arrowsNow(page)).toEqual([
    [0.1, 0],
    [0, 0.1],
    [0, 0],
  ]);
  expect(await game(page).locator('.walls .thud').count()).toBe(3);
  expect(await said(page).textContent()).toMatch(
    /^Thud\. \w+ follows itself 33\.\d% of the time, and occurs 33\.\d%: the wall holds\.$/,
  );
  // Not yet, however long that took.
  expect(await game(page).locator('.lines').isVisible()).toBe(false);
  for (let i = 0; i < 11; i++) await page.keyboard.press('ArrowUp');
  expect(await game(page).locator('.lines').isVisible()).toBe(true);
  expect(await said(page).textContent()).toBe('It cannot be done, however the arrows lie. You guessed right.');
  expect(await height(page)).toBe(before);
  expect(problems).toEqual([]);
});

test('by touch: a tip follows the finger, and a finger elsewhere scrolls the page', async () => {
  const { page, problems } = await openGame({ width: 390, height: 844, touch: true });
  const client = await page.context().newCDPSession(page);
  await game(page).locator('tied-vector-plane').scrollIntoViewIfNeeded();
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', points: { x: number; y: number }[]) =>
    client.send('Input.dispatchTouchEvent', { type, touchPoints: points });
  const scrolled = await page.evaluate(() => scrollY);
  const [from, to] = [await spot(page, [-1.8, 0.8]), await spot(page, [-3, -4])];
  await touch('touchStart', [from]);
  for (const way of [0.3, 0.7, 1]) {
    await touch('touchMove', [{ x: from.x + way * (to.x - from.x), y: from.y + way * (to.y - from.y) }]);
  }
  await touch('touchEnd', []);
  const [x, y] = (await arrowsNow(page))[2]!;
  expect(x).toBeCloseTo(-3, 0);
  expect(y).toBeCloseTo(-4, 0);
  expect(await page.evaluate(() => scrollY)).toBe(scrolled);
  // Everything that can be pressed is large enough for a finger.
  const small = await game(page)
    .locator(':is(button, .card, .segments label, .grip, summary):visible')
    .evaluateAll((all) =>
      all.filter((one) => one.getBoundingClientRect().height < 43.5).map((one) => one.outerHTML.slice(0, 80)),
    );
  expect(small).toEqual([]);
  expect(problems).toEqual([]);
});

test('a link of section 8 puts the map in, and a link of the figure repeats arrows, map and task', async () => {
  const { page, problems, url } = await openGame();
  await page.locator('#ways-out a[href^="#tied=repeat"]').click();
  await expect.poll(() => said(page).textContent()).toMatch(/^The wall is down/);
  expect(await arrowsNow(page)).toEqual(witnesses[3].arrows);
  expect(await game(page).locator('.mapped .text').textContent()).toMatch(/^\s*New\s+York\s+City\s+New\s+York\s+City/);
  expect(
    await game(page).evaluate(
      (one) => one.getBoundingClientRect().top < innerHeight && one.getBoundingClientRect().bottom > 0,
    ),
  ).toBe(true);
  // The map as a handle: without a turn the wall stands.
  const handle = game(page).locator('.turn input');
  await handle.fill('0');
  expect(await said(page).textContent()).toMatch(/^The wall still holds/);
  await handle.fill('180');
  expect(await said(page).textContent()).toMatch(/^The wall is down/);
  await act(page, 'Options, data and sharing');
  await act(page, 'Copy link');
  const link = page.url();
  expect(link.startsWith(url)).toBe(true);
  expect(new URLSearchParams(new URL(link).hash.slice(1)).get('turn')).toBe('180');

  await page.goto(`${url}?again#tied=repeat&task=2&rows=2.7+-0.5;5+2.4;4.2+6.6`);
  await expect.poll(() => said(page).textContent(), { timeout: 20_000 }).toMatch(/Growing arrows make a road/);
  // Somebody else's arrows are no tick of the reader's.
  expect(await card(page, 2).locator('.mark').textContent()).toBe('');
  await page.goto(`${url}?more#tied=repeat&task=9&rows=1+2;x&turn=1000`);
  await expect.poll(() => said(page).textContent(), { timeout: 20_000 }).toMatch(/^Which one\?/);
  expect((await arrowsNow(page)).length).toBe(3);
  expect(problems).toEqual([]);
});

test('an answer that is shown glides into place, is no tick of the reader’s, and moves nothing else', async () => {
  const { page, problems } = await openGame({ reducedMotion: false });
  await page.evaluate(() => {
    const shifts: number[] = [];
    Object.assign(window, { shifts });
    new PerformanceObserver((list) => {
      const entries = list.getEntries() as (PerformanceEntry & { value: number; hadRecentInput: boolean })[];
      shifts.push(...entries.filter((one) => !one.hadRecentInput).map((one) => one.value));
    }).observe({ type: 'layout-shift' });
  });
  await game(page).getByRole('radio', { name: '1', exact: true }).check({ force: true });
  await card(page, 2).click();
  await act(page, 'I think this cannot be done');
  await expect.poll(() => said(page).textContent(), { timeout: 20_000 }).toMatch(/^It can be done\. Growing arrows/);
  await expect.poll(() => arrowsNow(page), { timeout: 20_000 }).toEqual(witnesses[2].arrows);
  expect((await card(page, 2).locator('.mark').textContent())!.trim()).toBe('shown');
  await act(page, 'To task 1');
  await card(page, 3).click();
  await act(page, 'I think this cannot be done');
  await act(page, 'Put a map in between');
  await expect.poll(() => game(page).locator('.turn output').textContent(), { timeout: 20_000 }).toBe('100°');
  expect(await said(page).textContent()).toMatch(/^The wall is down/);
  const shifts = await page.evaluate(() => (window as unknown as { shifts: number[] }).shifts);
  expect(shifts.reduce((sum, one) => sum + one, 0)).toBeLessThan(0.01);
  expect(problems).toEqual([]);
});
