// <tied-heads>, used as by a reader, by mouse and keyboard, on models that the real core trains in a worker.
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { HeadsChange } from '../../web/elements/heads/heads.js';
import { button, plain, readOut, scriptOf } from './figure-page.js';
import { axeViolations, horizontalOverflow, openFixture, openSite } from './harness.js';

const script = scriptOf('heads');
const status = async (page: Page): Promise<string> => plain(await page.locator('.transport .note').textContent());
const told = (page: Page): Promise<HeadsChange[]> =>
  page.evaluate(() => (globalThis as unknown as { told?: HeadsChange[] }).told ?? []);

describe('a race of heads', () => {
  it('can be trained, paused, resumed, compared at steps or time, and reset', async () => {
    const { page, problems } = await openFixture(
      {
        title: 'Heads',
        script,
        body: '<tied-heads heading-level="2" link-state="heads" steps="20" vocab-size="600" d-model="16"></tied-heads>',
      },
      { width: 320 },
    );
    await expect.poll(() => page.locator('.costs').count()).toBe(1);
    await expect.poll(() => readOut(page)).toMatch(/^Press Train: your browser trains \d+ small models/);
    // Nothing starts by itself; the cost of the heads is counted.
    expect(await page.locator('.costs text.number').allTextContents()).toContain('100% counted');
    expect(await page.locator('svg .mark').count()).toBeGreaterThan(0);
    expect(await axeViolations(page)).toEqual([]);
    await expect.poll(() => horizontalOverflow(page)).toBe(0);

    await button(page, 'Train').click();
    await expect.poll(() => status(page), { timeout: 60_000 }).toMatch(/^Training \d+ models in turns: \d+%\.$/);
    await button(page, 'Pause').click();
    await expect.poll(() => status(page)).toMatch(/^Paused at \d+%\.$/);
    await button(page, 'Resume').click();
    await expect.poll(() => button(page, 'Pause').count(), { timeout: 200_000 }).toBe(0);
    await expect.poll(() => status(page)).toBe('');
    await expect.poll(() => readOut(page)).toMatch(/^Given the same time, .* The culled head gives \d+(\.\d)?% /);
    await expect.poll(() => horizontalOverflow(page)).toBe(0);
    expect(await axeViolations(page)).toEqual([]);

    const [complete] = (await told(page)).slice(-1);
    expect(complete).toMatchObject({ by: 'time', complete: true });
    const { models, at } = complete!;
    expect(models.length).toBeGreaterThanOrEqual(8);
    for (const { steps, loss, head, lost } of models) {
      expect(steps).toBeGreaterThanOrEqual(19);
      // Below the loss of a guess among 600 tokens.
      expect(loss).toBeLessThan(Math.log(600));
      expect(lost > 0).toBe(head === 'culled');
    }
    expect(at).toBeGreaterThan(0);

    const steps = page.getByRole('radiogroup', { name: 'Compare at' }).getByRole('radio', { name: 'Equal time' });
    await steps.focus();
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => readOut(page)).toMatch(/^After the same steps, /);
    await expect.poll(async () => (await told(page)).at(-1)?.at).toBe(20);
    await page.getByRole('slider', { name: 'Part of the run' }).focus();
    await page.keyboard.press('Home');
    await expect.poll(async () => (await told(page)).at(-1)?.at).toBeLessThan(20);
    await button(page, 'Show data').click();
    await expect.poll(() => page.locator('.data table').count()).toBe(2);
    await button(page, 'Copy link').click();
    await expect
      .poll(() => page.evaluate(() => location.hash))
      .toBe('#tied=heads&vocab-size=600&d-model=16&steps=20&seed=1&by=steps&share=1');
    await page.setViewportSize({ width: 1100, height: 900 });
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await axeViolations(page)).toEqual([]);
    await expect.poll(() => horizontalOverflow(page)).toBe(0);

    await button(page, 'Reset').click();
    await expect.poll(() => readOut(page)).toMatch(/^Press Train/);
    expect(problems).toEqual([]);
  });

  it('accepts the reader’s own text, and says if it is too short', async () => {
    const { page, problems } = await openFixture({
      title: 'Heads',
      script,
      body: '<tied-heads heading-level="2" text-source="own" tokenizer="word" steps="20" d-model="16"></tied-heads>',
    });
    await expect.poll(() => readOut(page)).toBe('Paste a text, choose a file or drop one here.');
    expect(await button(page, 'Train').isDisabled()).toBe(true);
    const paste = async (text: string): Promise<void> => {
      await page.getByRole('textbox', { name: 'Paste a text here' }).fill(text);
      await button(page, 'Use this text').click();
    };
    await paste('Too few words to train on.');
    await button(page, 'Train').click();
    await expect.poll(async () => plain(await page.locator('.problem').first().textContent())).toMatch(/too short/);
    await paste(Array.from({ length: 3000 }, (_, at) => `w${String((at * at) % 101)}`).join(' '));
    await button(page, 'Train').click();
    await expect.poll(() => readOut(page), { timeout: 200_000 }).toMatch(/^Given the same time, /);
    expect(problems).toEqual([]);
  });

  it('is in the article as measured, and trains on this machine on request', async () => {
    const { page, problems } = await openSite('heads.html', { width: 390 });
    const figure = page.locator('tied-heads');
    await figure.scrollIntoViewIfNeeded();
    await expect
      .poll(async () => plain(await figure.locator('.read-out').textContent()))
      .toMatch(/^Given the same time, .*clustered.* lower loss than the full head, tied and untied\./);
    expect(plain(await figure.locator('.transport .note').textContent())).toMatch(/^Measured beforehand/);
    await figure.getByRole('button', { name: 'Train', exact: true }).click();
    await expect
      .poll(async () => plain(await figure.locator('.transport .note').textContent()), { timeout: 60_000 })
      .toMatch(/^Training \d+ models in turns/);
    await figure.getByRole('button', { name: 'Reset' }).click();
    await expect
      .poll(async () => plain(await figure.locator('.transport .note').textContent()))
      .toMatch(/^Measured beforehand/);
    expect(problems).toEqual([]);
  });
});
