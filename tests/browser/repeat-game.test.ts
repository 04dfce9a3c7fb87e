// Section 6 as a game: rows of one table as arrows, three tasks of which one is impossible, and a map as a third handle.
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { roadReach } from '../../web/article/figures/repeat-game/road.js';
import { reach, witnesses, type TaskNumber } from '../../web/article/figures/repeat-game/tasks.js';
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
  // So do lines that a late font breaks differently.
  await opened.page.evaluate(() => document.fonts.ready);
  await game(opened.page).scrollIntoViewIfNeeded();
  return opened;
}

/** Where a place of the plane is on the screen. */
async function spot(page: Page, [x, y]: readonly [number, number], most: number) {
  const box = (await game(page).locator('tied-vector-plane svg').boundingBox())!;
  return { x: box.x + ((x + most) / (2 * most)) * box.width, y: box.y + ((most - y) / (2 * most)) * box.height };
}

const arrowsNow = (page: Page): Promise<number[][]> =>
  game(page)
    .locator('.grip')
    .evaluateAll((grips) =>
      grips.map((grip) =>
        [...grip.querySelectorAll('[role=slider]')].map((one) => Number(one.getAttribute('aria-valuenow'))),
      ),
    );

async function dragTo(page: Page, token: number, to: readonly [number, number], most = reach): Promise<void> {
  await game(page).locator('tied-vector-plane').scrollIntoViewIfNeeded();
  const [x, y] = (await arrowsNow(page))[token]!;
  const [from, end] = [await spot(page, [x!, y!], most), await spot(page, to, most)];
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(end.x, end.y, { steps: 4 });
  await page.mouse.up();
}

const planeFits = (page: Page): Promise<boolean> =>
  game(page)
    .locator('tied-vector-plane')
    .evaluate((plane) => plane.shadowRoot!.querySelector('svg')!.clientWidth <= plane.clientWidth);

const height = async (page: Page): Promise<number> => (await game(page).boundingBox())!.height;

describe.each([
  [1440, 'light'],
  [320, 'dark'],
] as const)('the game, %i px wide and %s', (width, colorScheme) => {
  test('is guessed, played by mouse, proved and broken by a map, all in one place', async () => {
    const { page, problems } = await openGame({ width, colorScheme });
    // Until its own width is known, the plane is as large as it may ever be.
    await expect.poll(() => planeFits(page)).toBe(true);
    const before = await height(page);
    expect(await game(page).locator('.face:not(.away)').count()).toBe(1);
    // Nothing tells which one is impossible, not even the text below, and the proof cannot be reached yet.
    const told = page.locator('#repeating > .finding, #repeating > p .told');
    const isTold = () => Promise.all([told.nth(0).isVisible(), told.nth(1).isVisible()]);
    expect(await isTold()).toEqual([false, false]);
    expect(await game(page).locator('.mark').allTextContents()).toEqual(['', '', '']);
    expect(await game(page).locator('.lines').isVisible()).toBe(false);
    await game(page).getByRole('radio', { name: '2', exact: true }).check({ force: true });
    expect((await card(page, 2).locator('.mark').textContent())!.trim()).toBe('your guess');

    for (const [token, to] of witnesses[1].arrows.entries()) await dragTo(page, token, to);
    expect(await said(page).textContent()).toContain('Both orders score the same');
    expect(await card(page, 1).getAttribute('class')).toContain('done');
    expect(await isTold()).toEqual([false, false]);
    await act(page, 'To task 2');
    expect(await said(page).textContent()).toMatch(/^[b-z] after [a-y]: .*, to be 90%\. Likelier there: [a-z]/);
    for (const [token, to] of witnesses[2].road.entries()) await dragTo(page, token, to, roadReach);
    expect(await said(page).textContent()).toMatch(
      /^Done: each next letter has 9.*% or more\. But the road ends: z follows z\.$/,
    );
    const alphabet = 'a b c d e f g h i j k l m n o p q r s t u v w x y z z z';
    expect((await game(page).locator('.text').textContent())!.replace(/\s+/g, ' ').trim()).toMatch(`${alphabet} z`);
    expect(await game(page).locator('.text').ariaSnapshot()).toBe(`- paragraph: ${alphabet}`);
    expect(await game(page).getByRole('img').nth(0).getAttribute('aria-label')).toMatch(
      /^25 of 25 reach 90%; the least: /,
    );
    expect(await axeViolations(page, 'article-repeat-game')).toEqual([]);
    expect(Math.abs((await height(page)) - before)).toBeLessThan(1);

    // Who has done both knows which one is left.
    expect(await isTold()).toEqual([true, true]);
    await act(page, 'To task 3');
    expect(await said(page).textContent()).toMatch(/follows itself .* of the time, and occurs/);
    await act(page, 'This cannot be done');
    expect(await said(page).textContent()).toBe('It cannot be done, however the arrows lie. Your guess was 2.');
    expect(await game(page).locator('.lines li').count()).toBe(3);
    expect(await game(page).locator('.lines').isVisible()).toBe(true);
    expect(await axeViolations(page, 'article-repeat-game')).toEqual([]);

    await act(page, 'Put a map in between');
    expect(await said(page).textContent()).toMatch(/^The wall is down: \w+ repeats .* and occurs/);
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

test('the road by keyboard: both ends of the alphabet, until it is recited; and who would rather not play is shown the law', async () => {
  const { page, problems } = await openGame({}, '#tied=repeat&task=2&road=30+-8;-39+10');
  const told = page.locator('#repeating > .finding');
  await game(page).locator('.grip').nth(1).locator('[role=slider]').first().focus();
  await page.keyboard.press('Shift+ArrowLeft');
  expect(await arrowsNow(page)).toEqual(witnesses[2].road);
  expect(await said(page).textContent()).toMatch(/^Done: each next letter/);
  await game(page).locator('.grip').nth(0).locator('[role=slider]').first().focus();
  for (let i = 0; i < 3; i++) await page.keyboard.press('Shift+ArrowUp');
  expect(await arrowsNow(page)).toEqual([
    [30, 7],
    [-44, 10],
  ]);
  expect(await told.isVisible()).toBe(false);
  await card(page, 1).click();
  await act(page, 'Just show it');
  expect(await said(page).textContent()).toBe('It cannot be done, however the arrows lie.');
  expect(await told.isVisible()).toBe(true);
  // Nobody is asked to guess what has been shown.
  await card(page, 2).click();
  await expect.poll(() => said(page).textContent()).not.toMatch(/^(Which one|It cannot)/);
  await game(page).getByRole('button', { name: 'This cannot be done' }).waitFor();
  expect(problems).toEqual([]);
});

test.each([360, 390, 430, 600])('%i px wide, is as high in every task', async (width) => {
  const { page, problems } = await openGame({ width });
  await expect.poll(() => planeFits(page)).toBe(true);
  const before = await height(page);
  for (const task of [2, 3, 1] as const) {
    await card(page, task).click();
    await expect.poll(() => game(page).locator(`.bench.task-${task}`).count()).toBe(1);
    await expect.poll(() => planeFits(page)).toBe(true);
    expect(Math.abs((await height(page)) - before), `task ${task}`).toBeLessThan(1);
  }
  expect(problems).toEqual([]);
});

test('by touch: a tip follows the finger, and a finger elsewhere scrolls the page', async () => {
  const { page, problems } = await openGame({ width: 390, height: 844, touch: true });
  const client = await page.context().newCDPSession(page);
  await game(page).locator('tied-vector-plane').scrollIntoViewIfNeeded();
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', points: { x: number; y: number }[]) =>
    client.send('Input.dispatchTouchEvent', { type, touchPoints: points });
  const scrolled = await page.evaluate(() => scrollY);
  const [from, to] = [await spot(page, [-1.8, 0.8], reach), await spot(page, [-3, -4], reach)];
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

  await page.goto(`${url}?again#tied=repeat&task=2&road=30+-8;-44+10`);
  await expect.poll(() => said(page).textContent(), { timeout: 20_000 }).toMatch(/^Done: each next letter/);
  // Somebody else's arrows are no tick of the reader's.
  expect(await card(page, 2).locator('.mark').textContent()).toBe('');
  await page.goto(`${url}?more#tied=repeat&task=9&rows=1+2;x&turn=1000`);
  // The map of before has shown which task is impossible, so no guess is asked for.
  await expect.poll(() => said(page).textContent(), { timeout: 20_000 }).toMatch(/^York after New: 7\.2%/);
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
  await act(page, 'This cannot be done');
  await expect.poll(() => said(page).textContent(), { timeout: 20_000 }).toMatch(/^It can be done: each next letter/);
  await expect.poll(() => arrowsNow(page), { timeout: 20_000 }).toEqual(witnesses[2].road);
  expect((await card(page, 2).locator('.mark').textContent())!.trim()).toBe('shown');
  await act(page, 'To task 1');
  await card(page, 3).click();
  await act(page, 'This cannot be done');
  await act(page, 'Put a map in between');
  await expect.poll(() => game(page).locator('.turn output').textContent(), { timeout: 20_000 }).toBe('100°');
  expect(await said(page).textContent()).toMatch(/^The wall is down/);
  const shifts = await page.evaluate(() => (window as unknown as { shifts: number[] }).shifts);
  expect(shifts.reduce((sum, one) => sum + one, 0)).toBeLessThan(0.01);
  expect(problems).toEqual([]);
});
