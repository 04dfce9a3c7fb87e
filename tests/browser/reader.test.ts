// One visit by one reader: the built article from top to bottom, each figure used by mouse and keyboard, under its policy.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { root } from '../../tools/lib/root.mjs';
import { axeViolations, openSite } from './harness.js';
import { justShow } from './learning-page.js';

/** No-break spaces and line breaks only matter for typesetting. */
const textOf = async (locator: Locator): Promise<string> =>
  ((await locator.textContent()) ?? '').replace(/\s+/g, ' ').trim();

/** The reader pauses long before the end, since drawing all of the run takes long. */
const visits = [
  ['light', 200],
  ['dark', 60],
] as const;

describe.each(visits)('a visit to the article, %s', (colorScheme, steps) => {
  test('explorer, lab and calculator follow mouse and keyboard, the losses fall, and there are no problems', async () => {
    const { page, problems, close } = await openSite('', { colorScheme });
    const explorer = page.locator('tied-symmetry-explorer');
    const lab = page.locator('tied-training-lab[link-state="lab"]');
    const calculator = page.locator('tied-parameter-calculator');

    // The explorer: stepping a value by keyboard keeps every pair equal; with a second table, pairs differ.
    await explorer.scrollIntoViewIfNeeded();
    const claim = explorer.locator('.read-out strong');
    await expect.poll(() => textOf(claim)).toBe('All 3 pairs are equal both ways.');
    const cells = explorer.locator('tied-heat-map .number');
    expect(await cells.allTextContents()).toEqual('1.25 1.25 0.90 1.25 1.45 1.32 0.90 1.32 1.53'.split(' '));
    await explorer.getByRole('spinbutton', { name: 'W_E, New, dimension 0' }).focus();
    await page.keyboard.press('ArrowUp');
    await expect.poll(async () => (await cells.allTextContents()).slice(0, 4).join(' ')).toBe('1.35 1.29 0.92 1.29');
    expect(await textOf(claim)).toBe('All 3 pairs are equal both ways.');
    await explorer.getByText('Untied', { exact: true }).click();
    await expect.poll(() => textOf(claim)).toMatch(/differ/);

    // The lab, after the guess: one step by mouse, one by keyboard, then a run.
    await justShow(page, 'train');
    const readOut = lab.locator('.read-out');
    const count = lab.locator('.step-count');
    await lab.getByText('Finished run').waitFor({ timeout: 60_000 });
    await lab.getByRole('button', { name: 'One step', exact: true }).click();
    await expect.poll(() => textOf(count)).toBe('Step 1 of 500');
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => textOf(count)).toBe('Step 2 of 500');
    const above = async (): Promise<number> =>
      Number(/tied model is (\d+\.\d+) nats above/.exec(await textOf(readOut))?.[1]);
    await expect.poll(() => textOf(readOut)).toMatch(/After 2 steps/);
    const early = await above();
    await lab.getByRole('button', { name: 'Play', exact: true }).focus();
    await page.keyboard.press('Space');
    const stepsDone = async (): Promise<number> => Number(/^Step (\d+) of 500$/.exec(await textOf(count))?.[1]);
    await expect.poll(stepsDone, { timeout: 90_000 }).toBeGreaterThanOrEqual(steps);
    await page.keyboard.press('Space');
    await expect.poll(async () => (await textOf(readOut)).includes(`After ${await stepsDone()} steps`)).toBe(true);
    const late = await above();
    expect(late).toBeLessThan(early);
    if (steps === 200) {
      // The tied loss stalls well above the untied loss.
      const untied = Number(/untied (\d+\.\d+)/.exec(await textOf(readOut))?.[1]);
      expect(late).toBeLessThan(early - 1);
      expect(late).toBeGreaterThan(0.5);
      expect(untied).toBeLessThan(0.05);
    }

    // The calculator, by typing.
    await calculator.scrollIntoViewIfNeeded();
    const saving = calculator.locator('.read-out');
    await expect
      .poll(() => textOf(saving))
      .toContain('Tying saves 38.6M parameters, 31.0% of the tied model, 23.7% of the untied');
    await calculator.getByRole('spinbutton', { name: 'Width' }).fill('1024');
    await page.keyboard.press('Enter');
    await expect.poll(() => textOf(saving)).toContain('Tying saves 51.5M parameters');

    expect(await axeViolations(page)).toEqual([]);
    expect(problems).toEqual([]);
    await close();
  });
});

test('a reader who drops tiny-shakespeare on the article gets its known floors', async (context) => {
  const corpus = join(root, '../shared/data/corpora/tiny-shakespeare.txt');
  if (!existsSync(corpus)) {
    console.log(`skipped: ${corpus} is not there`);
    context.skip();
  }
  const { page, problems, close } = await openSite();
  const lab = page.locator('tied-training-lab[link-state="lab"]');
  await justShow(page, 'train');
  await expect.poll(() => textOf(lab.locator('.read-out')), { timeout: 60_000 }).toMatch(/nats/);
  await lab.getByText('Characters', { exact: true }).click();
  await page.evaluate(
    (content) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([content], 'tiny-shakespeare.txt'));
      const target = document.querySelector('tied-training-lab[link-state="lab"]')?.shadowRoot?.querySelector('.lab');
      for (const type of ['dragover', 'drop']) {
        target?.dispatchEvent(
          new DragEvent(type, { dataTransfer: transfer, bubbles: true, composed: true, cancelable: true }),
        );
      }
    },
    readFileSync(corpus, 'utf8'),
  );
  await expect.poll(() => textOf(lab.locator('.facts')), { timeout: 60_000 }).toMatch(/1,115,394 tokens, 65 different/);
  await lab.getByRole('button', { name: 'Show data', exact: true }).click();
  const floors = lab.locator('.data table', { hasText: 'Floors, nats per token' });
  await expect.poll(() => textOf(floors)).toMatch(/3\.3128.*2\.7431.*2\.4526/);
  expect(problems).toEqual([]);
  await close();
});
