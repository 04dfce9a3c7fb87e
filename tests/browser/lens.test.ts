// <tied-lens>, used as by a reader, by mouse and keyboard, on the article's two finished models with the real core in a worker.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { root } from '../../tools/lib/root.mjs';
import type { Measured } from '../../web/elements/lens/measure.js';
import { alert, button, promptAlert, readOut, scriptOf, servesModels } from './figure-page.js';
import { axeViolations, horizontalOverflow, openFixture, openSite, type OpenOptions } from './harness.js';

const script = scriptOf('lens');
const measured = (page: Page) =>
  expect.poll(() => readOut(page), { timeout: 60_000 }).toMatch(/^Right after the embedding/);

/** Opens the figure; `serve` answers requests for its file. */
async function open(options?: OpenOptions, attributes = 'weights="models.safetensors"') {
  const body = `<tied-lens heading-level="2" link-state="lens" ${attributes}></tied-lens>`;
  const opened = await openFixture({ title: 'Lens', script, body }, options);
  return { ...opened, ...(await servesModels(opened.page)) };
}

describe('the layers of two models', () => {
  it('are read on the reader’s request, and not before', async () => {
    const { page, asked, problems } = await open();
    await expect.poll(() => readOut(page)).toMatch(/Press Measure to read their layers as predictions\.$/);
    expect(asked).toEqual([]);
    await button(page, 'Measure').click();
    await measured(page);
    expect(await page.locator('.bar').count()).toBe(2 + 2 * 5 + 2 * 4);
    expect(await page.locator('svg.tied .same').last().textContent()).toBe('York');
    // A chance level beside every bar, and its key.
    expect(await page.locator('.bench .chance').count()).toBe(1 + 2 * 5);
    // Numbers are in a column of their own, where none can be taken for the chance level that it follows.
    const ends = await page
      .locator('svg:has(.chance) > .value')
      .evaluateAll((numbers) => numbers.map((number) => Math.round(number.getBoundingClientRect().right)));
    expect(ends).toHaveLength(2 * 5);
    expect(new Set(ends).size).toBe(1);
    expect(await readOut(page)).toMatch(
      /A layer that says the same after every token could come as close as 7\.\d\d and 7\.\d\d\./,
    );
    await page
      .getByRole('radiogroup', { name: 'Chance' })
      .getByRole('radio', { name: 'Hidden' })
      .check({ force: true });
    await expect.poll(() => page.locator('.bench .chance').count()).toBe(0);
    expect(await readOut(page)).not.toContain('says the same');
    await button(page, 'Show data').click();
    await expect.poll(() => page.locator('.data tbody tr').count()).toBe(5 + 4 + 2 * 15);
    expect(problems).toEqual([]);
  });

  it('can be viewed by position, by keyboard and pointer, and the link contains the position', async () => {
    const { page, problems } = await open();
    await button(page, 'Measure').click();
    await measured(page);
    const slider = page.getByRole('slider', { name: 'Position' });
    await slider.focus();
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => slider.getAttribute('aria-valuetext')).toMatch(/^after girl\. Tied: girl, /);
    await button(page, 'Copy link').click();
    await expect.poll(() => page.evaluate(() => location.hash)).toBe('#tied=lens&lens=logit&position=2');
    const grid = (await page.locator('svg.tied').boundingBox())!;
    await page.mouse.click(grid.x + 74 + 3.5 * 68, grid.y + 60);
    await expect.poll(() => slider.getAttribute('aria-valuenow')).toBe('4');
    const told = await page.evaluate(() => (globalThis as unknown as { told: { position: number }[] }).told);
    expect(told.at(-1)?.position).toBe(4);
    expect(problems).toEqual([]);
  });

  it('are translated by a lens trained here, whose training the reader may cancel', async () => {
    const { page } = await open();
    await button(page, 'Measure').click();
    await measured(page);
    const before = await readOut(page);
    await page.getByRole('radio', { name: 'Translated' }).check({ force: true });
    await expect
      .poll(() => page.locator('.note[role=status]').first().textContent())
      .toMatch(/^Training a translation for every layer: \d+%\. These numbers are of the prompt .* read as it is\.$/);
    await button(page, 'Cancel').click();
    await expect.poll(() => button(page, 'Measure').isVisible()).toBe(true);
    expect(await readOut(page)).toBe(before);
    // The radio button says Translated; the numbers are still those of the lens before.
    expect(await page.locator('.note[role=status]').first().textContent()).toBe(
      'These numbers are of the prompt “The girl lived in Los Angeles. One day she took the train to New”, with every layer read as it is. Press Measure for yours.',
    );
    await button(page, 'Measure').click();
    await expect
      .poll(() => readOut(page), { timeout: 200_000 })
      .toMatch(/^Right after the embedding, the tied model is 4\.\d\d bits.*translation of its own/);
    expect(await alert(page)).toBe('');
  });

  it('are not read for unusable prompts and files, which a sentence reports', async () => {
    const { page, serve } = await open();
    await serve(404);
    await button(page, 'Measure').click();
    await expect.poll(() => alert(page)).toMatch(/opened: the server answers 404\. Press Measure to try again\.$/);
    await serve();
    await button(page, 'Measure').click();
    await measured(page);
    await page.getByRole('textbox', { name: 'Prompt' }).fill('漢字');
    await expect
      .poll(() => promptAlert(page))
      .toMatch(/^The models do not know “漢字”\. They know \w+, .* and others\.$/);
    await page.getByRole('textbox', { name: 'Prompt' }).fill('They went to New');
    await expect.poll(() => page.getByRole('slider').getAttribute('aria-valuemax')).not.toBe('15');
    expect(await promptAlert(page)).toBe('');
  });

  it('are read for a prompt that the reader chooses by touch, or by keyboard', async () => {
    const { page, problems } = await open({ width: 390, touch: true });
    const chip = page.getByRole('group', { name: 'Try' }).getByRole('button', { name: '… flew to Los' });
    expect((await chip.boundingBox())!.height).toBeGreaterThanOrEqual(44);
    await chip.tap();
    await measured(page);
    await expect.poll(() => page.locator('svg.tied .same').last().textContent()).toBe('Angeles');
    expect(await page.getByRole('textbox', { name: 'Prompt' }).inputValue()).toBe('She flew to Los');
    await chip.focus();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.locator('svg.untied .same').last().textContent()).toBe('Park');
    expect(problems).toEqual([]);
  });

  it('stay where they are while the models read what they know of a prompt, and a sentence says what they do not', async () => {
    const { page } = await open();
    await button(page, 'Measure').click();
    await measured(page);
    const top = async () => (await page.locator('.bench').boundingBox())!.y;
    const before = await top();
    await page.getByRole('textbox', { name: 'Prompt' }).fill('Tom took the train to New');
    await expect.poll(() => promptAlert(page)).toBe('Read without “Tom”, which the models do not know.');
    expect(await page.locator('svg.tied .same').last().textContent()).toBe('York');
    expect(await page.getByRole('slider').getAttribute('aria-valuemax')).toBe('5');
    expect(await top()).toBe(before);
  });

  for (const colorScheme of ['light', 'dark'] as const) {
    it(`fit a phone of 320 px and are accessible in ${colorScheme}`, async () => {
      const { page } = await open({ width: 320, colorScheme });
      expect(await axeViolations(page)).toEqual([]);
      await button(page, 'Measure').click();
      await measured(page);
      await expect.poll(() => horizontalOverflow(page)).toBe(0);
      expect(await axeViolations(page)).toEqual([]);
      await page.setViewportSize({ width: 1100, height: 900 });
      await expect.poll(() => horizontalOverflow(page)).toBe(0);
    });
  }

  it('are in the article from the build, with both kinds of lens', async () => {
    const { page, problems } = await openSite('lens.html');
    const figure = page.locator('tied-lens') as unknown as Page;
    await page.locator('tied-lens').scrollIntoViewIfNeeded();
    const fetched: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes('.safetensors')) fetched.push(request.url());
    });
    await measured(figure);
    await page.locator('tied-lens').getByRole('radio', { name: 'Translated' }).check({ force: true });
    await expect.poll(() => readOut(figure)).toMatch(/translation of its own/);
    expect(fetched).toEqual([]);
    expect(problems).toEqual([]);
  });

  it('agree with what the article says about them', () => {
    const lenses = JSON.parse(readFileSync(join(root, 'site/finished-lenses.json'), 'utf8')) as Measured[];
    const [logit, tuned] = lenses.map(({ means }) => means);
    expect(logit!.tied[0]).toBeGreaterThan(3 * logit!.untied[0]!);
    // "Further from the answer", "still".
    expect(tuned!.tied[0]!).toBeGreaterThan(tuned!.untied[0]! + 0.5);
    // "Both are lost", "more is left to later layers": each of them is worth more to the tied model.
    const { increases } = lenses[0]!;
    expect(Math.min(increases.tied[0]!, increases.untied[0]!)).toBeGreaterThan(4);
    for (const layer of [1, 2, 3]) expect(increases.tied[layer]).toBeGreaterThan(2 * increases.untied[layer]!);
    const gaps = [1, 2, 3, 4].map((layer) => tuned!.tied[layer]! - tuned!.untied[layer]!);
    expect(gaps[0]).toBeGreaterThan(0.3);
    expect(gaps).toEqual([...gaps].sort((a, b) => b - a));
  });
});
