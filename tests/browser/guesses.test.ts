// Guesses before the answer: on a scale or among choices, by mouse, touch and keyboard, kept for the next visit.
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { axeViolations, horizontalOverflow, openSite } from './harness.js';
import { justShow, see, start } from './learning-page.js';

test.each([1440, 320])(
  'a guess on a scale hides the answer, then shows both, and moves nothing, at %i px',
  async (width) => {
    const { page, problems } = await openSite('', { width, reducedMotion: true });
    await start(page);
    const guess = page.locator('[name="train"]');
    await see(page, '[name="train"]');
    await guess.locator('.show').waitFor();
    const answer = guess.locator('.answer');
    // What the section finds would tell it, too.
    const finding = page.locator('#train > .finding');
    for (const hidden of [answer, finding]) expect(await hidden.isVisible()).toBe(false);
    await page.emulateMedia({ media: 'print' });
    expect(await finding.isVisible()).toBe(true);
    await page.emulateMedia({ media: 'screen' });
    // The answer comes where the buttons are, so no place is kept empty for it.
    const { bottom } = await guess.locator('.buttons').evaluate((one) => one.getBoundingClientRect());
    const box = (await guess.boundingBox())!;
    expect(box.y + box.height - bottom).toBeLessThan(40);
    const height = (await guess.boundingBox())!.height;
    await guess.getByRole('slider').focus();
    for (let i = 0; i < 5; i++) await page.keyboard.press('ArrowRight');
    expect(await guess.locator('output').textContent()).toBe('2.85 nats');
    await guess.getByRole('button', { name: 'Show', exact: true }).click();
    for (const shown of [answer, finding]) expect(await shown.isVisible()).toBe(true);
    expect(await guess.locator('.mine-name').textContent()).toBe('your guess, 2.85 nats');
    const truth = await guess.getAttribute('data-truth');
    expect(await guess.locator('.truth-name').textContent()).toBe(`${truth} nats`);
    expect(await answer.textContent()).toContain(truth!);
    expect((await guess.boundingBox())!.height).toBe(height);
    expect(await axeViolations(page, '[name="train"]')).toEqual([]);
    expect(await horizontalOverflow(page)).toBe(0);
    // Kept for the next visit.
    await page.reload();
    await start(page);
    await see(page, '[name="train"]');
    await expect.poll(() => guess.locator('.mine-name').textContent()).toBe('your guess, 2.85 nats');
    expect(await finding.isVisible()).toBe(true);
    expect(problems).toEqual([]);
  },
);

test('a guess among choices is a press, or none', async () => {
  const { page, problems } = await openSite('', { width: 390, touch: true, reducedMotion: true });
  await start(page);
  const guess = page.locator('[name="savings"]');
  await see(page, '[name="savings"]');
  // Its buttons are short; who comes to them by keyboard hears the question, too.
  const asked = await guess.getAttribute('aria-describedby');
  expect(await page.locator(`#${asked!}`).textContent()).toMatch(
    /^Tying takes .* multiplications for its next word\?$/,
  );
  const height = (await guess.boundingBox())!.height;
  await guess.getByRole('button', { name: 'about half' }).tap();
  expect((await guess.boundingBox())!.height).toBe(height);
  expect(await guess.locator('.verdict').textContent()).toBe('Wrong. ');
  expect(await guess.getByRole('status').textContent()).toMatch(/^Your guess: about half\. Wrong\. None: /);
  expect(await guess.locator('li').evaluateAll((all) => all.map((one) => one.dataset['is']))).toEqual([
    'guess',
    '',
    'right',
  ]);
  expect(await guess.locator('.answer').isVisible()).toBe(true);
  const other = page.locator('[name="case"]');
  await see(page, '[name="case"]');
  // Nor does the text below tell it before.
  const told = page.locator('#case .told');
  expect(await told.isVisible()).toBe(false);
  await other.getByRole('button', { name: 'Just show it' }).tap();
  expect(await told.isVisible()).toBe(true);
  expect(await other.locator('.truth-name').textContent()).toBe('74.3');
  expect(await other.locator('.mine').count()).toBe(0);
  expect(problems).toEqual([]);
});

test('an answer that was shown without a guess stays while the reader goes on', async () => {
  const { page, problems } = await openSite('', { reducedMotion: true });
  await start(page);
  await justShow(page, 'symmetry');
  const answer = page.locator('[name="symmetry"] .answer');
  expect(await answer.isVisible()).toBe(true);
  await see(page, '[name="savings"]');
  await page.locator('[name="savings"]').getByRole('button', { name: 'none' }).click();
  await page.locator('.progress-kept', { hasText: '1 guess' }).waitFor({ state: 'attached' });
  expect(await answer.isVisible()).toBe(true);
  await page.getByRole('button', { name: 'Forget it' }).click();
  await expect.poll(() => answer.isVisible()).toBe(false);
  expect(problems).toEqual([]);
});

test('works where storage is forbidden', async () => {
  const { page, problems } = await openSite('', { width: 1440, reducedMotion: true });
  await page.addInitScript(() => {
    for (const name of ['localStorage', 'sessionStorage']) {
      Object.defineProperty(window, name, {
        get: () => {
          throw new DOMException('forbidden', 'SecurityError');
        },
      });
    }
  });
  await page.reload();
  await start(page);
  const guess = page.locator('[name="savings"]');
  await see(page, '[name="savings"]');
  await guess.getByRole('button', { name: 'none' }).click();
  expect(await guess.locator('[data-is="right guess"]').count()).toBe(1);
  expect(problems).toEqual([]);
});

test('readers without scripts have every answer and no control, and paper has no guesses', async () => {
  const { page, url } = await openSite('', { reducedMotion: true });
  const everything = async (one: Page): Promise<void> => {
    const all = one.locator('main > section article-guess');
    expect(await all.count()).toBeGreaterThan(3);
    expect(await all.locator('.answer:visible').count()).toBe(await all.count());
    expect(await one.locator('article-guess .controls:visible').count()).toBe(0);
  };
  await start(page);
  await page.locator('[name="train"] .show').waitFor();
  await page.emulateMedia({ media: 'print' });
  expect(await page.locator('article-guess:visible').count()).toBe(0);
  const context = await page.context().browser()!.newContext({ javaScriptEnabled: false });
  const bare = await context.newPage();
  await bare.goto(url);
  await everything(bare);
  await context.close();
});
