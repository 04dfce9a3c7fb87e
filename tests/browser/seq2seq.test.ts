// <tied-seq2seq>, used as by a reader, by mouse and keyboard, with models that the real core trains in a worker.
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { contrast, parseColor } from '../../web/charts/color-scale.js';
import { button, choose, plain, readOut, scriptOf } from './figure-page.js';
import { axeViolations, horizontalOverflow, openFixture, type OpenOptions } from './harness.js';
import { repeatedInNode } from './repeated.js';

/** What the figure says about a model. */
interface Trained {
  tying: string;
  exactMatch: number;
  characterErrorRate: number;
  loss: number;
}

const script = scriptOf('seq2seq');
const told = (page: Page) =>
  page.evaluate(() => (globalThis as unknown as { told?: { step: number; running: boolean }[] }).told ?? []);

const open = (attributes: string, options?: OpenOptions) =>
  openFixture(
    {
      title: 'Encoder-decoders',
      script,
      body: `<tied-seq2seq heading-level="2" link-state="tables" ${attributes}></tied-seq2seq>`,
    },
    options,
  );

describe('models with one, two and three tables', () => {
  it('train, pause and resume, and can be viewed', async () => {
    const { page, problems } = await open('length="3" steps="40"', { width: 320 });
    await expect.poll(() => readOut(page)).toMatch(/Press Train\.$/);
    expect(await axeViolations(page)).toEqual([]);
    await button(page, 'Train').click();
    await expect.poll(() => page.locator('.state .note').textContent(), { timeout: 60_000 }).toMatch(/Step [1-9]/);
    await button(page, 'Pause').click();
    await button(page, 'Train on').waitFor();
    await button(page, 'Train on').click();
    await expect
      .poll(() => readOut(page), { timeout: 200_000 })
      .toMatch(
        /^After 40 steps, these shares of 100 unseen sources are right: one table \d+%, two tables \d+%, three tables \d+%\. Of the pull at the one table, \d+% comes from where the (encoder|decoder) (reads|writes)\. (The three tables have not become alike|Among the three tables, more alike than by chance): .*\.$/,
      );
    await expect.poll(() => button(page, 'Train on').isDisabled()).toBe(true);
    await expect.poll(() => horizontalOverflow(page)).toBe(0);
    expect(await axeViolations(page)).toEqual([]);

    // One table, two and three, each with its parameters.
    const drawn = await page
      .locator('.tables svg')
      .evaluateAll((found) => found.map((one) => one.querySelectorAll('.table').length));
    expect(drawn).toEqual([1, 2, 3]);
    const labels = await page
      .locator('.tables svg')
      .evaluateAll((found) => found.map((one) => one.getAttribute('aria-label')));
    expect(labels[2]).toMatch(/^Three tables: 5,\d{3} parameters in tables\. Encoder reads: \d+% of the pull\. /);

    // An earlier moment, by keyboard.
    await page.getByRole('radiogroup', { name: 'At step' }).getByRole('radio', { name: '40' }).focus();
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => page.locator('.across .part-title').textContent()).toMatch(/at step 0:/);
    // Another example, and what its decoder attends to.
    const second = page.locator('.examples > li > button').nth(1);
    const source = (await second.textContent())!.trim().split(' ')[0]!;
    await second.click();
    await expect.poll(() => second.getAttribute('aria-pressed')).toBe('true');
    await page.getByRole('grid', { name: new RegExp(`looks in “${source}” as it writes, step 0`) }).waitFor();
    await choose(page, 'Look at', 'Three tables');
    await page.getByText('Three tables: how unseen examples get better').waitFor();
    await choose(page, 'Show', 'Loss');
    await page.getByText('Loss on 100 unseen pairs, nats per character').waitFor();
    await button(page, 'Show data').click();
    await expect.poll(() => page.locator('.data table').count()).toBe(7);
    expect(await axeViolations(page)).toEqual([]);

    const last = (await told(page)).at(-1)!;
    expect(last).toMatchObject({ step: 40, running: false });
    await button(page, 'Reset').click();
    await expect.poll(() => readOut(page)).toMatch(/Press Train\.$/);
    expect(problems).toEqual([]);
  });

  it('continue to another number of steps, keep the chosen moment in view, and stop at once', async () => {
    // The run is far from its end however slow this test is, so that the change comes while it trains.
    const { page, problems } = await open('length="3" steps="1000" tyings="all"');
    const moments = page.getByRole('radiogroup', { name: 'At step' });
    const count = page.locator('.state .note');
    await button(page, 'Train').click();
    await moments.getByRole('radio').nth(2).waitFor({ timeout: 60_000 });
    // In one task of the page: the choices change as the run goes on.
    const earlier = moments.getByRole('radio').nth(1);
    const chosen = await earlier.evaluate((radio: HTMLInputElement) => {
      radio.click();
      return radio.value;
    });
    await page.getByRole('spinbutton', { name: 'Steps' }).fill('300');
    await page.keyboard.press('Tab');
    await expect.poll(() => count.textContent(), { timeout: 100_000 }).toBe('Step 300 of 300');
    await expect.poll(() => button(page, 'Pause').count()).toBe(0);
    expect(await moments.getByRole('radio', { name: chosen, exact: true }).isChecked()).toBe(true);
    await page.locator('.across .part-title', { hasText: `at step ${chosen}:` }).waitFor();
    await page.getByRole('spinbutton', { name: 'Steps' }).fill('24');
    await page.keyboard.press('Tab');
    await expect.poll(() => count.textContent()).toBe('Step 300');
    await page.getByRole('spinbutton', { name: 'Steps' }).fill('2000');
    await page.keyboard.press('Tab');
    await button(page, 'Train on').click();
    await button(page, 'Pause').click();
    expect((await told(page)).slice(-2).map(({ running }) => running)).toEqual([true, false]);
    expect(problems).toEqual([]);
  });

  it('with the same seed are the same, also in Node by the figure’s command, and a link restores the choices', async () => {
    const outcome = async (attributes: string, repeats = false): Promise<unknown> => {
      const { page, close } = await open(attributes);
      await button(page, 'Train').click();
      await expect.poll(async () => (await told(page)).at(-1)?.step, { timeout: 200_000 }).toBe(20);
      const models = await page.evaluate(
        () => (globalThis as unknown as { told: { models: Trained[] }[] }).told.at(-1)!.models,
      );
      if (repeats) {
        const inNode = (await repeatedInNode(page)) as { models: Trained[] };
        expect(inNode.models).toMatchObject(models);
      }
      await close();
      return models;
    };
    const attributes = 'task="sorting" length="3" steps="20" tyings="all"';
    const first = await outcome(`${attributes} seed="5"`, true);
    expect(await outcome(`${attributes} seed="5"`)).toEqual(first);
    expect(await outcome(`${attributes} seed="6"`)).not.toEqual(first);
    const { page } = await open('', { path: '#tied=tables&task=plurals&tyings=all%20none&seed=9&model=none' });
    expect(await page.getByRole('combobox', { name: 'Task' }).inputValue()).toBe('plurals');
    expect(await page.getByRole('checkbox', { name: 'Two tables' }).isChecked()).toBe(false);
    expect(await page.getByRole('spinbutton', { name: 'Letters' }).count()).toBe(0);
  });
});

describe('the reader’s own pairs', () => {
  it.each(['light', 'dark'] as const)('are waited for with a legible disabled button, %s', async (colorScheme) => {
    const { page } = await open('task="own"', { colorScheme });
    await expect.poll(() => button(page, 'Train').isDisabled()).toBe(true);
    const legible = () =>
      button(page, 'Train').evaluate((element) => {
        const { color, backgroundColor } = getComputedStyle(element);
        const { backgroundColor: page } = getComputedStyle(document.documentElement);
        return { color, background: backgroundColor === 'rgba(0, 0, 0, 0)' ? page : backgroundColor };
      });
    // Colors change in a transition.
    await expect
      .poll(async () => {
        const { color, background } = await legible();
        return contrast(parseColor(color), parseColor(background));
      })
      .toBeGreaterThan(4.5);
  });

  it('can be pasted and trained on, and a line without a tab is named', async () => {
    const { page, problems } = await open('task="own" steps="20" tyings="all decoder"');
    await expect.poll(() => readOut(page)).toMatch(/^Paste pairs/);
    expect(await button(page, 'Train').isDisabled()).toBe(true);
    const box = page.locator('.own-text textarea');
    const problem = async (): Promise<string> => plain((await page.locator('.problem').allTextContents()).join(' '));
    await box.fill('cat\tchat\ndog\tch\u0003ien');
    await button(page, 'Use these pairs').click();
    await expect.poll(problem).toMatch(/^Line 2 has a control character, U\+0002 or U\+0003, /);
    await box.fill('cat\tchat\ndog chien');
    await button(page, 'Use these pairs').click();
    const sentence = 'Line 2 is not a pair. Each line needs a source, a tab and a target.';
    await expect.poll(problem).toBe(sentence);
    await box.fill('   ');
    await button(page, 'Use these pairs').click();
    await expect.poll(problem).toMatch(/^Paste some pairs first/);
    await box.fill('cat\tchat');
    await button(page, 'Use these pairs').click();
    await page.getByText(/at least two are needed/).waitFor();
    const words = Array.from({ length: 30 }, (_, at) => `w${at}\t${at}w`).join('\n');
    await box.fill(words);
    await button(page, 'Use these pairs').click();
    await expect.poll(() => button(page, 'Train').isDisabled()).toBe(false);
    await button(page, 'Train').click();
    await expect
      .poll(() => readOut(page), { timeout: 100_000 })
      .toMatch(/^After 20 steps, these shares of 3 unseen sources are right: one table \d+%, two tables \d+%\./);
    expect(await page.locator('.examples > li > button').first().textContent()).toContain('w1 → 1w');
    await box.fill('cat\tchat\ndog chien');
    await button(page, 'Use these pairs').click();
    await expect.poll(problem).toBe(sentence);
    await button(page, 'Reset').click();
    await expect.poll(problem).toBe('');
    expect(problems).toEqual([]);
  });
});
