// The figure for a decision: a guess, every run, and the reader's own sizes and run.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { root } from '../../tools/lib/root.mjs';
import { guessedOf, intervalText, type DecisionRun } from '../../web/article/figures/decision/facts.js';
import { axeViolations, openSite } from './harness.js';

const run = JSON.parse(readFileSync(join(root, 'site/decision.json'), 'utf8')) as DecisionRun;
const dots = run.widths.reduce((sum, { costs }) => sum + costs.length, 0);
const [narrow, wide] = guessedOf(run);

const figure = (page: Page) => page.locator('article-decision');
const readOut = (page: Page) => figure(page).locator('.read-out');

async function opened(options: Parameters<typeof openSite>[1]) {
  const { page, problems } = await openSite('', { reducedMotion: true, ...options });
  await figure(page).scrollIntoViewIfNeeded();
  await figure(page).locator('.handle').first().waitFor({ timeout: 60_000 });
  return { page, problems };
}

describe.each([
  [1440, 900],
  [320, 700],
])('the figure for a decision, at %i x %i', (width, height) => {
  test('asks for a guess, shows every run, and answers for a width by keyboard', async () => {
    const { page, problems } = await opened({ width, height });
    expect(await figure(page).locator('.run').count()).toBe(0);
    // What the section finds would tell it, too.
    const finding = page.locator('#layers > .finding');
    await expect.poll(() => finding.isVisible()).toBe(false);
    const before = (await figure(page).boundingBox())!;
    await figure(page).locator('.handle').first().focus();
    for (let i = 0; i < 5; i++) await page.keyboard.press('ArrowUp');
    expect(await figure(page).locator('.handle').first().getAttribute('aria-valuetext')).toBe('0.20 nats per token');
    await figure(page).locator('.button.primary').focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => figure(page).locator('.run').count()).toBe(dots);
    expect(await finding.isVisible()).toBe(true);
    expect(await figure(page).locator('.interval').count()).toBe(
      run.widths.filter(({ halfWidth }) => halfWidth !== null).length,
    );
    expect(await readOut(page).textContent()).toContain(
      `${intervalText(narrow)} nats at width ${narrow.width}, ${intervalText(wide)} at ${wide.width}`,
    );
    expect(await readOut(page).textContent()).toContain('You said 0.20 and 0.15.');
    const after = (await figure(page).boundingBox())!;
    expect(Math.abs(after.height - before.height)).toBeLessThan(width < 560 ? 60 : 8);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);

    // The drawing has the focus now.
    await page.keyboard.press('Home');
    expect(await readOut(page).textContent()).toContain('At width 16 one table saves');
    await page.keyboard.press('ArrowRight');
    expect(await readOut(page).textContent()).toContain('its cost was not measured');
    await page.keyboard.press('End');
    expect(await readOut(page).textContent()).toContain('No measurement beyond');
    await figure(page).locator('.range input').fill('20');
    expect(await readOut(page).textContent()).toContain('Measured with 512 tokens, 4 layers.');
    await figure(page).getByRole('button', { name: 'Layers and data' }).click();
    expect(await figure(page).locator('.range').count()).toBe(2);
    await figure(page).getByRole('button', { name: 'Show data' }).click();
    expect(await figure(page).locator('.data tbody tr').count()).toBe(run.widths.length);
    expect(await axeViolations(page, 'article-decision')).toEqual([]);
    expect(problems).toEqual([]);
  });
});

test('answers to the mouse and to touch', async () => {
  const { page, problems } = await opened({ width: 390, height: 844, touch: true });
  const knob = (await figure(page).locator('.handle').last().locator('.knob').boundingBox())!;
  await page.mouse.move(knob.x + 11, knob.y + 11);
  await page.mouse.down();
  await page.mouse.move(knob.x + 11, knob.y + 80);
  await page.mouse.up();
  expect(Number(await figure(page).locator('.handle').last().getAttribute('aria-valuenow'))).toBeLessThan(0.1);
  await figure(page).locator('.button.primary').tap();
  const drawing = (await figure(page).locator('.position-slider svg').boundingBox())!;
  await page.touchscreen.tap(drawing.x + drawing.width - 30, drawing.y + 150);
  await expect.poll(() => readOut(page).textContent()).toContain('No measurement beyond');
  expect(problems).toEqual([]);
});

test('shows every run on paper without being asked, and asks again after that', async () => {
  const { page, problems } = await opened({});
  await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
  expect(await figure(page).locator('.run').count()).toBe(dots);
  await page.evaluate(() => dispatchEvent(new Event('afterprint')));
  expect(await figure(page).locator('.run').count()).toBe(0);
  expect(await figure(page).locator('.handle').count()).toBe(2);
  expect(problems).toEqual([]);
});

test('a complete run of the training lab lands as a ring, another does not', async () => {
  const { page } = await opened({});
  const report = (step: number, heldOut: object): Promise<void> =>
    page.evaluate(
      ([step, heldOut]) => {
        const lab = document.querySelector('tied-training-lab[model="transformer"]')!;
        Object.assign(lab, { steps: 20, dModel: 32 });
        const detail = { step, losses: {}, heldOut };
        lab.dispatchEvent(new CustomEvent('tied-step', { detail, bubbles: true, composed: true }));
      },
      [step, heldOut] as const,
    );
  await figure(page).locator('.button.primary').click();
  await report(19, { tied: 4.5, untied: 4.25 });
  expect(await figure(page).locator('.own').count()).toBe(0);
  await report(20, { tied: 4.5, untied: 4.25 });
  await expect.poll(() => figure(page).locator('.own').count()).toBe(1);
  expect(await figure(page).locator('[part="caption"]').textContent()).toContain(
    'Ring: your own run at width 32, 0.25 nats. One run, on another text, so no interval.',
  );
});
