// <tied-gradient-ledger> as readers use it, by mouse and keyboard, on models that the real core trains in a worker.
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { axeViolations, horizontalOverflow, openFixture, type OpenOptions } from './harness.js';

const script = `
import './web/elements/gradient-ledger/gradient-ledger.define.ts';
import { configureLabs } from './web/elements/shared/page-labs.ts';
configureLabs({ workerUrl: 'worker.js' });
document.documentElement.style.background = 'Canvas';
document.addEventListener('tied-change', ({ detail }) => (globalThis.told ??= []).push(detail));
`;
const plain = (text: string | null): string => (text ?? '').replace(/\s+/g, ' ').trim();
const readOut = async (page: Page): Promise<string> => plain(await page.locator('.read-out').textContent());
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const choose = (page: Page, group: string, name: string) =>
  page.getByRole('radiogroup', { name: group }).getByRole('radio', { name, exact: true }).check({ force: true });

const open = (options?: OpenOptions) =>
  openFixture(
    {
      title: 'Gradient ledger',
      script,
      body: '<tied-gradient-ledger heading-level="2" link-state="ledger"></tied-gradient-ledger>',
    },
    options,
  );

describe('the gradients of two models', () => {
  it('are taken apart while they train, and looked at step by step', async () => {
    const { page, problems } = await open({ width: 320 });
    await expect.poll(() => readOut(page)).toMatch(/Press Train and measure\.$/);
    expect(await axeViolations(page)).toEqual([]);
    await button(page, 'Train and measure').click();
    await expect.poll(() => readOut(page), { timeout: 60_000 }).toMatch(/^Training: \d+ %\.$/);
    await button(page, 'Cancel').click();
    await expect.poll(() => readOut(page)).toMatch(/Press Train and measure\.$/);
    await button(page, 'Train and measure').click();
    // Writing leads early in training, in both models.
    await expect
      .poll(() => readOut(page), { timeout: 200_000 })
      .toMatch(/^At step (10|20), 9\d % of the gradient of the tied table comes from writing, and [89]\d %/);
    expect(await readOut(page)).toMatch(/reaches the hidden state; a random direction would keep 35 %\.$/);
    await expect.poll(() => horizontalOverflow(page)).toBe(0);
    expect(await axeViolations(page)).toEqual([]);

    const slider = page.getByRole('slider', { name: 'Training step' });
    await slider.focus();
    await page.keyboard.press('End');
    await expect.poll(() => slider.getAttribute('aria-valuetext')).toMatch(/^step 100\. Writing: tied \d\d %/);
    await page.keyboard.press('Home');
    await expect.poll(() => readOut(page)).toMatch(/^At step 0,/);
    await choose(page, 'Rows of the', 'Untied model');
    await expect.poll(() => page.locator('svg .untied .push').count()).toBeGreaterThan(3);
    const before = await readOut(page);
    await choose(page, 'Reading counted', 'By position');
    await expect.poll(() => readOut(page)).not.toBe(before);
    await button(page, 'Copy link').click();
    expect(await page.evaluate(() => location.hash)).toBe(
      '#tied=ledger&definition=position&model=untied&seed=1&moment=1',
    );
    await button(page, 'Show data').click();
    expect(await page.locator('.data table').count()).toBe(2);
    const told = await page.evaluate(() => (globalThis as unknown as { told: { step: number }[] }).told);
    expect(told.map(({ step }) => step)).toContain(100);
    await page.setViewportSize({ width: 1100, height: 900 });
    await expect.poll(() => horizontalOverflow(page)).toBe(0);
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await axeViolations(page)).toEqual([]);
    expect(problems).toEqual([]);
  });
});
