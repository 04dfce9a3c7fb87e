// <tied-alignment>, used as by a reader, by mouse and keyboard, on the article's two finished models with the real core in a worker.
import type { Page } from 'playwright-core';
import { describe, expect, it, test } from 'vitest';
import { button, choose, plain, readOut, scriptOf, servesModels } from './figure-page.js';
import { axeViolations, horizontalOverflow, openFixture, openSite, type OpenOptions } from './harness.js';

const script = scriptOf('alignment');
const list = async (page: Page, name: string): Promise<string[]> =>
  (await page.getByRole('list', { name, exact: true }).getByRole('button').allTextContents()).map(plain);
const measured = (page: Page) => expect.poll(() => readOut(page), { timeout: 60_000 }).toMatch(/^The tied table is/);

/** Opens the figure; `serve` answers requests for its file or leaves them pending. */
async function open(options?: OpenOptions, attributes = 'weights="models.safetensors"') {
  const body = `<tied-alignment heading-level="2" link-state="whose" ${attributes}></tied-alignment>`;
  const opened = await openFixture({ title: 'Alignment', script, body }, options);
  return { ...opened, ...(await servesModels(opened.page)) };
}

describe('the tables of two trained models', () => {
  it('are fetched and compared on the reader’s request, and not before', async () => {
    const { page, asked, problems } = await open();
    await expect.poll(() => readOut(page)).toMatch(/Press Measure to compare their tables\.$/);
    expect(asked).toEqual([]);
    await button(page, 'Measure').click();
    await measured(page);
    expect(await readOut(page)).toMatch(/to the writing table \(0\.45\) as to the reading table \(0\.47\)\./);
    expect(await page.locator('.axis svg[role=img]').getAttribute('aria-label')).toMatch(
      /Untied reading table to untied writing table: 0\.33, by chance 0\.19, on unseen tokens 0\.19\.$/,
    );
    expect(await page.locator('.axis .chance').count()).toBe(4);
    await choose(page, 'Chance', 'Hidden');
    await expect.poll(() => page.locator('.axis .chance').count()).toBe(0);
    expect(await readOut(page)).not.toContain('chance');
    expect(await page.locator('.axis svg[role=img]').getAttribute('aria-label')).not.toContain('chance');
    await choose(page, 'Chance', 'Shown');
    await choose(page, 'Map', 'Rotation');
    await expect.poll(() => readOut(page)).toMatch(/\(0\.38\) as to the reading table \(0\.40\)/);
    await choose(page, 'Unseen tokens', 'None');
    await expect.poll(() => readOut(page)).not.toContain('not seen');
    expect(await page.locator('.axis .held-out').count()).toBe(0);
    await choose(page, 'Mean row', 'Kept');
    await expect.poll(() => readOut(page)).toMatch(/\(0\.44\) as to the reading table \(0\.41\)/);
    await choose(page, 'Map', 'None');
    await expect.poll(() => readOut(page)).toMatch(/^Without a map/);
    expect(await page.getByRole('radiogroup', { name: 'Unseen tokens' }).count()).toBe(0);
    expect(asked).toHaveLength(1);
    await button(page, 'Show data').click();
    await expect.poll(() => page.locator('.data table').count()).toBe(2);
    const byChance = page.locator('.data th', { hasText: 'By chance' });
    expect(await byChance.count()).toBe(2);
    await choose(page, 'Chance', 'Hidden');
    await expect.poll(() => byChance.count()).toBe(0);
    expect(await page.locator('.data table').first().locator('tbody tr').first().locator('th, td').count()).toBe(4);
    await button(page, 'Embed').click();
    await expect
      .poll(() => page.locator('.disclosure textarea').inputValue())
      .toMatch(/weights="http:[^"]*\/models\.safetensors"/);
    const told = await page.evaluate(() => (globalThis as unknown as { told: { method: string }[] }).told);
    expect([told[0]?.method, told.at(-1)?.method]).toEqual(['linear', 'identity']);
    expect(problems).toEqual([]);
  });

  it('show the neighbors of a word, and move to other words by keyboard', async () => {
    const { page, problems } = await open();
    await page.getByRole('radio', { name: 'Linear' }).focus();
    // The first use of a control also starts the measurement.
    await page.keyboard.press('ArrowRight');
    await measured(page);
    await expect.poll(() => list(page, 'Tied')).toContain('Her 0.68');
    expect((await list(page, 'Untied, writing'))[0]).toBe('Her 0.75');
    const word = page.getByRole('searchbox', { name: 'A word' });
    await word.fill('girl');
    await expect.poll(async () => (await list(page, 'Untied, reading'))[0]).toBe('play 0.49');
    await word.press('Tab');
    await page.keyboard.press('Enter');
    await expect.poll(() => word.inputValue()).toBe('boy');
    await expect.poll(async () => (await list(page, 'Tied'))[0]).toBe('girl 0.82');
    // A word without a list leaves its place empty, so nothing below moves.
    const below = async (): Promise<number> => (await page.locator('.others').boundingBox())!.y;
    const before = await below();
    await word.fill('quetzal');
    await expect.poll(() => page.locator('.words [role=status]').textContent()).toMatch(/^“quetzal” is not a token/);
    expect(await page.locator('.lists').isVisible()).toBe(false);
    expect(Math.abs((await below()) - before)).toBeLessThan(3);
    await button(page, 'Copy link').click();
    await expect.poll(() => page.evaluate(() => location.hash)).toBe('#tied=whose&method=orthogonal&word=quetzal');
    expect(problems).toEqual([]);
  });

  it('can be cancelled while they are fetched, and requested again', async () => {
    const { page, serve } = await open();
    await serve('never');
    await button(page, 'Measure').click();
    await expect.poll(() => readOut(page)).toBe('Fetching the models: 0.0 MB.');
    await button(page, 'Cancel').click();
    await expect.poll(() => readOut(page)).toBe('Nothing was measured because you cancelled.');
    await serve('file');
    await button(page, 'Measure').click();
    await measured(page);
  });

  it('are reported in a sentence if they are missing or not named', async () => {
    const { page, serve } = await open();
    await serve(404);
    await button(page, 'Measure').click();
    const alert = page.locator('figure > [role=alert]');
    await expect
      .poll(async () => plain(await alert.textContent()))
      .toMatch(/opened: the server answers 404\. Press Meas/);
    await serve('file');
    await button(page, 'Measure').click();
    await measured(page);
    expect(plain(await alert.textContent())).toBe('');
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
      await expect.poll(() => list(page, 'Tied')).toHaveLength(6);
      await expect.poll(() => horizontalOverflow(page)).toBe(0);
      const lists = page.locator('.lists ol');
      const tops = await lists.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().top));
      expect(tops).toEqual(tops.map(() => tops[0]));
      // Long row names leave space for three numbers.
      await button(page, 'Show data').click();
      const row = page.locator('.data tbody tr').first();
      const third = (cells: Element): number =>
        cells.children[3]!.getBoundingClientRect().right - cells.closest('.data')!.getBoundingClientRect().right;
      await expect.poll(() => row.evaluate(third)).toBeLessThan(1);
      expect(await axeViolations(page)).toEqual([]);
      await page.setViewportSize({ width: 1100, height: 900 });
      await expect.poll(() => horizontalOverflow(page)).toBe(0);
    });
  }
});

test('the article contains its measurement from the build, and fetches the tables for another word', async () => {
  const { page, problems } = await openSite('trained.html');
  const fetched: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('.safetensors')) fetched.push(request.url());
  });
  const figure = page.locator('tied-alignment');
  await figure.scrollIntoViewIfNeeded();
  const words = async (): Promise<string> => plain(await figure.locator('.read-out').textContent());
  await expect
    .poll(words, { timeout: 30_000 })
    .toMatch(/^The tied table is about as close to the writing table \(0\.45\) as to the reading table \(0\.47\)/);
  expect(plain(await figure.locator('.note[role=status]').first().textContent())).toMatch(/^Measured when this page/);
  const lists = figure.locator('.lists ol');
  expect(await lists.count()).toBe(3);
  const first = async (): Promise<string> => plain(await lists.first().locator('button').first().textContent());
  expect(await first()).toMatch(/^He 0\.\d\d$/);
  expect(fetched).toEqual([]);
  await lists.first().locator('button').first().click();
  await expect.poll(first, { timeout: 60_000 }).toMatch(/^She 0\.\d\d$/);
  expect(fetched).toHaveLength(1);
  // Another map is measured too, and the page's own result is shown again.
  await figure.getByRole('radio', { name: 'Rotation' }).check({ force: true });
  await expect.poll(words, { timeout: 60_000 }).toMatch(/\(0\.38\) as to the reading table \(0\.40\)/);
  expect(problems).toEqual([]);
});
