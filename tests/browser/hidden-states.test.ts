// <tied-hidden-states>, used as by a reader, by mouse and keyboard, on the article's two finished models with the real core in a worker.
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { alert, button, choose, plain, promptAlert, readOut, scriptOf, servesModels } from './figure-page.js';
import { axeViolations, horizontalOverflow, openFixture, openSite, type OpenOptions } from './harness.js';

const script = scriptOf('hidden-states');
const measured = (page: Page) =>
  expect.poll(() => readOut(page), { timeout: 60_000 }).toMatch(/^After New both models/);
const names = (page: Page): Promise<string[]> => page.locator('.triangle .name').allTextContents();

/** Opens the figure; `serve` answers requests for its file. */
async function open(options?: OpenOptions, attributes = 'weights="models.safetensors"') {
  const body = `<tied-hidden-states heading-level="2" link-state="word" ${attributes}></tied-hidden-states>`;
  const opened = await openFixture({ title: 'Hidden states', script, body }, options);
  return { ...opened, ...(await servesModels(opened.page)) };
}

describe('hidden states beside the rows of their words', () => {
  it('are measured on the reader’s request, and not before', async () => {
    const { page, asked, problems } = await open();
    await expect.poll(() => readOut(page)).toMatch(/Press Measure to look at their hidden states\.$/);
    expect(asked).toEqual([]);
    await button(page, 'Measure').click();
    await measured(page);
    expect(await readOut(page)).toMatch(/h is 43° from its row in the tied model; in the untied one 43° .* and 84°/);
    expect(await names(page)).toEqual(['Tied', 'Untied, writing', 'Untied, reading', 'Random direction']);
    expect(await readOut(page)).toMatch(
      /Beside the words of other positions, the median is \d[\d.]* in the tied model\./,
    );
    await choose(page, 'Chance', 'Hidden');
    await expect.poll(() => names(page)).toHaveLength(3);
    expect(await readOut(page)).not.toContain('other positions');
    expect(await page.locator('.baseline').count()).toBe(0);
    expect(await readOut(page)).not.toContain('chance');
    await choose(page, 'Final norm', 'Before');
    await choose(page, 'Beside the row of', 'Next token');
    await expect.poll(() => readOut(page)).toMatch(/^After to the text continues with New\./);
    expect(asked).toHaveLength(1);
    await button(page, 'Show data').click();
    await expect.poll(() => page.locator('.data tbody tr').count()).toBe(14);
    await button(page, 'Embed').click();
    const code = await page.locator('.disclosure textarea').inputValue();
    expect(code).toMatch(/weights="http:[^"]*\/models\.safetensors"/);
    const told = await page.evaluate(() => (globalThis as unknown as { told: { position: number }[] }).told);
    expect([told[0]?.position, told.at(-1)?.position]).toEqual([15, 14]);
    expect(problems).toEqual([]);
  });

  it('can be chosen by keyboard and pointer, and the link contains the choice', async () => {
    const { page, problems } = await open();
    await button(page, 'Measure').click();
    await measured(page);
    const slider = page.getByRole('slider', { name: 'Position' });
    await slider.focus();
    await page.keyboard.press('Home');
    await expect.poll(() => slider.getAttribute('aria-valuenow')).toBe('1');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => readOut(page)).toMatch(/^After girl the tied model predicts had, the untied one named\./);
    expect(await slider.getAttribute('aria-valuetext')).toMatch(/^after girl\. Tied: \d\d° from the row of had/);
    await button(page, 'Copy link').click();
    await expect.poll(() => page.evaluate(() => location.hash)).toBe('#tied=word&target=predicted&position=2');
    const box = (await slider.boundingBox())!;
    await page.mouse.click(box.x + box.width - 14, box.y + 100);
    await expect.poll(() => slider.getAttribute('aria-valuenow')).toBe('15');
    expect(problems).toEqual([]);
  });

  it('of another prompt are measured as it is typed, and a sentence says what cannot be read', async () => {
    const { page } = await open();
    await button(page, 'Measure').click();
    await measured(page);
    const prompt = page.getByRole('textbox', { name: 'Prompt' });
    await prompt.fill('She lived in a');
    await expect.poll(() => readOut(page)).toMatch(/^After a /);
    await prompt.fill('漢字');
    await expect.poll(() => promptAlert(page)).toMatch(/^The models do not know “漢字”/);
    await prompt.fill('');
    await expect.poll(() => promptAlert(page)).toBe('A prompt needs at least two tokens.');
    await prompt.fill('They went to New');
    await expect.poll(() => readOut(page)).toMatch(/^After New /);
    expect(await promptAlert(page)).toBe('');
  });

  it('that are not available are reported in a sentence', async () => {
    const { page, serve } = await open();
    await serve(404);
    await button(page, 'Measure').click();
    await expect.poll(() => alert(page)).toMatch(/opened: the server answers 404\. Press Measure to try again\.$/);
    await serve();
    await button(page, 'Measure').click();
    await measured(page);
    expect(await alert(page)).toBe('');
    const none = await open({}, 'weights="javascript:alert(1)"');
    await expect.poll(() => readOut(none.page)).toMatch(/names no file/);
    expect(await button(none.page, 'Measure').isDisabled()).toBe(true);
  });

  for (const colorScheme of ['light', 'dark'] as const) {
    it(`fit a phone of 320 px and are accessible in ${colorScheme}`, async () => {
      const { page } = await open({ width: 320, colorScheme });
      expect(await axeViolations(page)).toEqual([]);
      await button(page, 'Measure').click();
      await measured(page);
      // Dashes mean a rest or chance.
      const dashes = (selector: string): Promise<string> =>
        page
          .locator(selector)
          .first()
          .evaluate((line) => getComputedStyle(line).strokeDasharray);
      expect(await dashes('.triangle.tied path.state')).toBe('none');
      expect(await dashes('.triangle.tied .across')).not.toBe('none');
      expect(await dashes('.triangle.random path.state')).not.toBe('none');
      await expect.poll(() => horizontalOverflow(page)).toBe(0);
      expect(await axeViolations(page)).toEqual([]);
      await page.setViewportSize({ width: 1100, height: 900 });
      await expect.poll(() => horizontalOverflow(page)).toBe(0);
    });
  }

  it('are in the article from the build, and are measured there for another prompt', async () => {
    const { page, problems } = await openSite('word.html');
    const figure = page.locator('tied-hidden-states');
    await figure.scrollIntoViewIfNeeded();
    const fetched: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes('.safetensors')) fetched.push(request.url());
    });
    await measured(page.locator('tied-hidden-states') as unknown as Page);
    expect(plain(await figure.locator('.note[role=status]').first().textContent())).toMatch(/^Measured when this page/);
    await figure.getByRole('slider', { name: 'Position' }).press('Home');
    expect(fetched).toEqual([]);
    const prompt = figure.getByRole('textbox', { name: 'Prompt' });
    await prompt.fill(`${await prompt.inputValue()} York`);
    await expect.poll(() => figure.getByRole('slider', { name: 'Position' }).getAttribute('aria-valuemax')).toBe('16');
    expect(fetched).toHaveLength(1);
    expect(problems).toEqual([]);
  });
});
