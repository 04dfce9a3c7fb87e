// Links to a figure's state, followed while the page is open.
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { openFixture, openSite } from './harness.js';
import { button, readOut, runState, script, setNumber, stepCount } from './training-lab-page.js';

const follow = (page: Page, settings: Record<string, string>) =>
  page.evaluate((given) => {
    location.hash = new URLSearchParams(given).toString();
  }, settings);

describe('a link that is followed while the page is open', () => {
  it('sets what it names, and the rest to the author’s values', async () => {
    const body = `
      <tied-symmetry-explorer link-state="first" view="probabilities"></tied-symmetry-explorer>
      <tied-symmetry-explorer link-state="second"></tied-symmetry-explorer>
      <tied-parameter-calculator link-state="third" model="bert-base"></tied-parameter-calculator>`;
    const { page, problems } = await openFixture({
      title: 'Figures',
      script: `import './web/elements/index.ts';
        import { configureLabs } from './web/elements/shared/page-labs.ts';
        configureLabs({ workerUrl: 'worker.js' });`,
      body,
    });
    const [first, second] = [
      page.locator('tied-symmetry-explorer').first(),
      page.locator('tied-symmetry-explorer').nth(1),
    ];
    const words = (of: typeof first) => of.locator('.read-out').textContent();
    await second.locator('.read-out strong').waitFor();
    await follow(page, { tied: 'first', mode: 'untied', view: 'logits', tokens: 'San, Jose', embedding: '1 0; 0 1' });
    await expect.poll(() => words(first)).toMatch(/1 of 1 pairs differ.*Jose can be/);
    expect(await words(second)).toMatch(/All 3 pairs are equal/);
    await follow(page, { tied: 'first', tokens: 'Los, Angeles', onclick: 'alert(1)', 'heading-level': '6' });
    await expect.poll(() => words(first)).toMatch(/P\(Angeles |Symmetric logits/);
    expect(await first.getAttribute('mode')).toBe('tied');
    expect(await first.getAttribute('onclick')).toBeNull();
    expect(await first.getAttribute('heading-level')).toBeNull();
    const third = page.locator('tied-parameter-calculator');
    await third.locator('.read-out').waitFor();
    await follow(page, { tied: 'third', model: 'gpt2', 'n-layers': '13' });
    await expect.poll(() => third.locator('.read-out').textContent()).toMatch(/131\.\dM tied/);
    // Another model with the same depth as the last one.
    await follow(page, { tied: 'third', model: 'gpt2-medium', 'n-layers': '13' });
    await expect.poll(() => third.locator('.read-out').textContent()).toMatch(/216\.\dM tied/);
    await follow(page, { tied: 'third' });
    await expect.poll(() => third.evaluate((one) => (one as unknown as { model: string }).model)).toBe('bert-base');
    await expect.poll(() => third.locator('.read-out').textContent()).not.toMatch(/131\.\dM tied/);
    expect(problems).toEqual([]);
  });

  it('trains to its step, and the reader’s own run can be restored', async () => {
    const attributes = 'link-state="lab" tokenizer="character" d-model="4" arms="tied untied" steps="60"';
    const body = `<a href="#elsewhere">elsewhere</a><tied-training-lab ${attributes}></tied-training-lab>`;
    const { page, problems } = await openFixture({ title: 'Lab', script, body });
    await readOut(page, /In this text/);
    await setNumber(page, 'Step to run to', 30);
    await button(page, 'Run to step').click();
    await readOut(page, /After 30 steps/);
    const own = await readOut(page, /After 30 steps/);
    await follow(page, { tied: 'lab', seed: '7', 'at-step': '20', 'view-step': '12' });
    const sent = await readOut(page, /After 12 steps .* Looking back from step 20/);
    await follow(page, { tied: 'lab', 'at-step': '20' });
    await readOut(page, /After 20 steps/);
    await follow(page, { tied: 'lab', seed: '7', 'at-step': '20', 'view-step': '12' });
    expect(await readOut(page, /After 12 steps .* Looking back from step 20/)).toBe(sent);
    // The same seed, an earlier step.
    await follow(page, { tied: 'lab', seed: '7', 'at-step': '5' });
    await readOut(page, /After 5 steps/);
    await follow(page, { tied: 'lab', 'at-step': '30' });
    expect(await readOut(page, /After 30 steps/)).toBe(own);
    await button(page, /^Undo/).click();
    await expect.poll(() => stepCount(page)).toBe('Step 5 of 60');
    expect(await runState(page)).not.toContain('Undo');
    // Going back to a link that was already read changes nothing.
    await button(page, 'One step').click();
    await expect.poll(() => stepCount(page)).toBe('Step 6 of 60');
    await page.locator('a').click();
    await page.goBack();
    await expect.poll(() => page.evaluate(() => location.hash)).toContain('at-step=30');
    await expect.poll(() => stepCount(page)).toBe('Step 6 of 60');
    expect(problems).toEqual([]);
  });

  it('loads and shows a figure of the article that was folded and not loaded', async () => {
    const { page, problems } = await openSite();
    await follow(page, { tied: 'advice', model: 'gpt2-xl' });
    const advisor = page.locator('tied-advisor');
    await advisor.locator('.verdict').waitFor();
    await expect.poll(() => advisor.evaluate((one) => one.getBoundingClientRect().top < innerHeight)).toBe(true);
    expect(await advisor.evaluate((one) => (one as unknown as { model: string }).model)).toBe('gpt2-xl');
    await follow(page, { tied: 'lab', seed: '3' });
    await expect
      .poll(() =>
        page.locator('[link-state=lab]').evaluate((one) => {
          const { top, bottom } = one.getBoundingClientRect();
          return top < innerHeight && bottom > 0;
        }),
      )
      .toBe(true);
    await follow(page, { tied: 'lab' });
    await page.locator('[link-state=lab] .badge.is-finished').waitFor();
    expect(problems).toEqual([]);
  });
});
