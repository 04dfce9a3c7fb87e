// What a reader who navigates with Tab finds at a figure.
import { describe, expect, it } from 'vitest';
import { axeViolations, openFixture } from './harness.js';

describe('the skip button of a figure', () => {
  it('is its first tab stop, is visible while focused, and skips the figure', async () => {
    const script = `
      import './web/elements/index.ts';
      document.querySelector('tied-symmetry-explorer').strings = { skipFigure: 'Vorbei' };
    `;
    const tags = ['tied-symmetry-explorer', 'tied-model-table', 'tied-advisor'];
    const body = tags
      .map((tag) => `<a href="#x">before</a><${tag} heading-level="2"></${tag}><a href="#${tag}">after ${tag}</a>`)
      .join('');
    const { page } = await openFixture({ title: 'Figures', script, body });
    for (const tag of tags) {
      const figure = page.locator(tag);
      const skip = figure.locator('.skip');
      await expect.poll(() => skip.textContent().then((text) => text?.trim())).toMatch(/^(Vorbei|Skip this figure)$/);
      expect(await skip.evaluate((button) => getComputedStyle(button).clipPath)).toBe('inset(50%)');
      await page.locator(`a:has(+ ${tag})`).focus();
      await page.keyboard.press('Tab');
      expect(await skip.evaluate((button) => button.matches(':focus'))).toBe(true);
      expect(await skip.evaluate((button) => getComputedStyle(button).clipPath)).toBe('none');
      const box = await skip.boundingBox();
      expect(Math.min(box?.width ?? 0, box?.height ?? 0)).toBeGreaterThanOrEqual(24);
      await page.keyboard.press('Enter');
      await page.keyboard.press('Tab');
      expect(await page.evaluate(() => document.activeElement?.textContent)).toBe(`after ${tag}`);
    }
    expect(await axeViolations(page)).toEqual([]);
  });
});
