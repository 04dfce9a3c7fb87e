// <tied-direct-path>, used as by a reader, by mouse and keyboard: the finished result of the article, and its own measurement.
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { root } from '../../tools/lib/root.mjs';
import { plain, scriptOf } from './figure-page.js';
import { axeViolations, horizontalOverflow, openFixture, openSite } from './harness.js';

const script = scriptOf('direct-path');
const figureOf = (page: Page) => page.locator('tied-direct-path');
const readOut = async (page: Page): Promise<string> => plain(await figureOf(page).locator('.read-out').textContent());
const button = (page: Page, name: string) => figureOf(page).getByRole('button', { name, exact: true });

describe('the direct paths of two models', () => {
  it('are in the article from the build, for every step and measure', async () => {
    const { page, problems } = await openSite('', { width: 320 });
    await page.locator('#more-paths > summary').click();
    const figure = figureOf(page);
    await figure.scrollIntoViewIfNeeded();
    await expect
      .poll(() => readOut(page))
      .toMatch(/^At step 400, the two tables alone reach an agreement of −?0\.\d\d with the bigrams in the tied model/);
    expect(await horizontalOverflow(page)).toBe(0);
    expect(plain(await figure.locator('p[role=status]').textContent())).toMatch(/^Measured when this page was built\./);
    expect(await button(page, 'Train and measure').count()).toBe(0);
    expect(await figure.locator('svg .by-chance').count()).toBe(3);
    expect(await figure.locator('svg[data-picture] .mark.mlp0').count()).toBe(14);

    const slider = figure.getByRole('slider', { name: 'Training step' });
    await slider.focus();
    await page.keyboard.press('Home');
    await expect.poll(() => readOut(page)).toMatch(/^At step 0,/);
    expect(await slider.getAttribute('aria-valuetext')).toMatch(/^step 0\. After the first MLP: tied −?0\.\d\d/);
    const box = (await slider.boundingBox())!;
    // In the lower panel, where the narrow figure shows the untied model.
    await slider.click({ position: { x: box.width - 20, y: box.height - 100 } });
    await expect.poll(() => readOut(page)).toMatch(/^At step 400,/);

    await figure.getByLabel('Measured').selectOption({ label: 'Tokens that predict themselves' });
    await expect
      .poll(() => readOut(page))
      .toMatch(/^At step 400, [89]\d% of all tokens predict themselves with the tied table alone, and 0% with the two/);
    // Only logits of single tokens have a diagonal.
    expect(await figure.locator('svg[data-picture] .mark.model').count()).toBe(0);
    await figure
      .getByRole('radiogroup', { name: 'Chance' })
      .getByRole('radio', { name: 'Hidden' })
      .check({ force: true });
    await expect.poll(() => figure.locator('svg .by-chance').count()).toBe(0);
    await button(page, 'Show data').click();
    await expect.poll(() => figure.locator('.data table tbody tr').count()).toBe(7);
    await button(page, 'Copy link').click();
    await expect
      .poll(() => page.evaluate(() => location.hash))
      .toBe('#tied=paths&measure=selfPrediction&chance=hidden&seed=1&moment=7');

    await page.setViewportSize({ width: 1100, height: 900 });
    await expect.poll(() => horizontalOverflow(page)).toBe(0);
    // The right panel.
    const { width } = (await slider.boundingBox())!;
    await slider.click({ position: { x: width / 2 + 75, y: 100 } });
    await expect.poll(() => readOut(page)).toMatch(/^At step 0,/);

    // The models of the page, fetched when they are chosen.
    const models = figure.getByRole('radiogroup', { name: 'Models' });
    await models.getByRole('radio', { name: 'Of this page' }).check({ force: true });
    await expect.poll(() => readOut(page), { timeout: 60_000 }).toMatch(/^In these models, \d/);
    await models.getByRole('radio', { name: 'Trained here' }).check({ force: true });
    await expect.poll(() => readOut(page)).toMatch(/^At step 0,/);
    expect(problems).toEqual([]);
  });

  it('are measured while two models train, and only on the reader’s request', async () => {
    const { page, problems } = await openFixture({
      title: 'Direct paths',
      script,
      body: '<tied-direct-path heading-level="2" link-state="paths"></tied-direct-path>',
    });
    await expect.poll(() => readOut(page)).toMatch(/Press Train and measure\.$/);
    expect(await axeViolations(page)).toEqual([]);
    await button(page, 'Train and measure').click();
    await expect.poll(() => readOut(page), { timeout: 60_000 }).toMatch(/^Training: \d+%\.$/);
    await button(page, 'Cancel').click();
    await expect.poll(() => readOut(page)).toMatch(/Press Train and measure\.$/);
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await axeViolations(page)).toEqual([]);
    expect(problems).toEqual([]);
  });

  it('of the models of a file are read without training, on the reader’s request', async () => {
    const { page, problems } = await openFixture({
      title: 'Direct paths',
      script,
      body: '<tied-direct-path heading-level="2" link-state="paths" weights="models.safetensors"></tied-direct-path>',
    });
    const asked: string[] = [];
    await page.route('**/models.safetensors', (route) => {
      asked.push(route.request().url());
      return route.fulfill({ path: join(root, 'web/article/assets/finished-transformers.safetensors') });
    });
    await expect.poll(() => readOut(page)).toMatch(/Press Measure to read their direct paths\.$/);
    expect(asked).toEqual([]);
    await button(page, 'Measure').click();
    await expect
      .poll(() => readOut(page), { timeout: 60_000 })
      .toMatch(
        /^In these models, the two tables alone reach an agreement of −?0\.\d\d with the bigrams in the tied model/,
      );
    const values = await figureOf(page).locator('svg[data-picture]:has(.tied) .value').allTextContents();
    expect(values).toHaveLength(4);
    const [tables, , mlp0] = values.map((value) => Number(value.replace('−', '-')));
    expect(tables).toBeLessThan(mlp0!);
    await figureOf(page).getByLabel('Measured').selectOption({ label: 'Tokens that predict themselves' });
    await expect.poll(() => figureOf(page).locator('svg[data-picture] .value').count()).toBe(6);
    await button(page, 'Embed').click();
    await expect.poll(() => figureOf(page).locator('.disclosure textarea').inputValue()).toMatch(/weights="http:/);
    expect(await axeViolations(page)).toEqual([]);
    await page.setViewportSize({ width: 320, height: 900 });
    await expect.poll(() => horizontalOverflow(page)).toBe(0);
    expect(asked).toHaveLength(1);
    expect(problems).toEqual([]);
  });
});
