// The place of a reader who uses the keyboard: no press of a button may drop the focus to the page.
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { root } from '../../tools/lib/root.mjs';
import { openFixture, openSite } from './harness.js';

const script = (name: string): string => `
import './web/elements/${name}/${name}.define.ts';
import { configureLabs } from './web/elements/shared/page-labs.ts';
configureLabs({ workerUrl: 'worker.js' });
`;
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

/** The name of the control that has the focus; null if none inside the figure has. */
const focused = (page: Page): Promise<string | null> =>
  page.evaluate(() => {
    const active = document.activeElement?.shadowRoot?.activeElement ?? null;
    if (active === null) return null;
    return (active.getAttribute('aria-label') ?? active.textContent).replace(/\s+/g, ' ').trim();
  });

describe('the focus', () => {
  it('stays on a button of the training lab that is disabled for a while, or from now on', async () => {
    const { page, problems } = await openFixture({
      title: 'Lab',
      script: script('training-lab'),
      body: '<tied-training-lab heading-level="2" steps="50" tokenizer="character" d-model="8"></tied-training-lab>',
    });
    const step = button(page, 'One step');
    const count = () => page.locator('.step-count').textContent();
    await expect.poll(() => step.isEnabled()).toBe(true);
    await step.focus();
    await page.keyboard.press('Enter');
    await expect.poll(count).toContain('Step 1 of 50');
    expect(await focused(page)).toBe('One step');
    await page.keyboard.press('Enter');
    await expect.poll(count).toContain('Step 2 of 50');
    const rewind = button(page, 'Rewind to the same weights');
    await rewind.focus();
    await page.keyboard.press('Enter');
    await expect.poll(count).toContain('Step 0 of 50');
    await expect.poll(() => rewind.isDisabled()).toBe(true);
    expect(await focused(page)).toBe('Rewind to the same weights');
    // A disabled button does nothing.
    await page.keyboard.press('Enter');
    await rewind.evaluate((pressed: HTMLElement) => {
      pressed.click();
    });
    expect(await count()).toContain('Step 0 of 50');
    expect(problems).toEqual([]);
  });

  it('goes on to the next control if the button has gone, and stays in a list whose words change', async () => {
    const { page, problems } = await openFixture({
      title: 'Alignment',
      script: script('alignment'),
      body: '<tied-alignment heading-level="2" weights="models.safetensors"></tied-alignment>',
    });
    const file = join(root, 'web/article/assets/finished-transformers.safetensors');
    await page.route('**/models.safetensors', (route) => route.fulfill({ path: file }));
    await button(page, 'Measure').focus();
    await page.keyboard.press('Enter');
    await expect
      .poll(() => page.locator('.read-out').textContent(), { timeout: 60_000 })
      .toMatch(/^\s*The tied table is/);
    await expect.poll(() => page.getByRole('button', { name: /^(Measure|Cancel)$/ }).count()).toBe(0);
    expect(await focused(page)).not.toBeNull();
    const words = page.getByRole('list', { name: 'Tied', exact: true }).getByRole('button');
    await words.nth(1).waitFor();
    const next = (await words.nth(1).locator('span').first().textContent()) ?? '';
    await words.nth(1).focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => page.locator('.part-title', { hasText: next.trim() }).count()).toBeGreaterThan(0);
    expect(await page.evaluate(() => document.activeElement?.shadowRoot?.activeElement?.className)).toBe('line-button');
    expect(problems).toEqual([]);
  });
});

describe.each([320, 390])('at %i px', (width) => {
  it.each(['', 'pull.html', 'lens.html'])(
    'nothing that has the focus is under the bar at the top, forwards and backwards, on the page "%s"',
    async (path) => {
      const { page, problems } = await openSite(path, { width, height: 700, reducedMotion: true });
      /** How many pixels of the focused element are under a bar; null if none has the focus. */
      const covered = () =>
        page.evaluate(() => {
          let active = document.activeElement;
          while (active?.shadowRoot?.activeElement) active = active.shadowRoot.activeElement;
          if (active === null || active === document.body) return null;
          const bars = [...document.querySelectorAll('.contents-bar, .travel ul')].filter((bar) =>
            bar.checkVisibility({ visibilityProperty: true }),
          );
          const { left, right, top, bottom } = active.getBoundingClientRect();
          const over = bars
            .map((bar) => bar.getBoundingClientRect())
            .filter((bar) => bar.top <= 0 && left < bar.right && bar.left < right)
            .map((bar) => Math.min(bottom, bar.bottom) - top);
          const isBar = active.closest('.contents-bar, .travel') !== null;
          const name = active.getAttribute('aria-label') ?? active.textContent;
          return { name: name.trim().slice(0, 40), pixels: isBar ? 0 : Math.max(0, ...over), barred: bars.length > 0 };
        });
      let seen = 0;
      for (const key of ['Tab', 'Shift+Tab']) {
        for (let count = 0; count < 60; count++) {
          await page.keyboard.press(key);
          // What shows and hides the bar follows the scrolling by a frame.
          await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
          const found = await covered();
          if (found === null) continue;
          expect(found.pixels, `${key} ${String(count)}: ${found.name}`).toBeLessThan(1);
          seen += Number(found.barred);
        }
      }
      expect(seen).toBeGreaterThan(20);
      expect(problems).toEqual([]);
    },
  );
});
