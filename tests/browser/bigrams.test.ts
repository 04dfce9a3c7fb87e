// <tied-bigrams>, used as by a reader, by mouse, touch and keyboard and with own texts, with the real core in a worker.
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { plain, readOut, scriptOf } from './figure-page.js';
import { axeViolations, horizontalOverflow, openFixture, type OpenOptions } from './harness.js';
import { savePicture } from './save-picture.js';

const script = scriptOf('bigrams');

async function open(attributes = '', options?: OpenOptions) {
  const body = `<tied-bigrams heading-level="2" ${attributes}></tied-bigrams>`;
  const opened = await openFixture({ title: 'Bigrams', script, body }, options);
  if (!attributes.includes('own')) await measured(opened.page);
  return opened;
}

/** All three orders have been measured, and nothing is under way. */
async function measured(page: Page): Promise<void> {
  await expect.poll(() => page.locator('.axis .js').count(), { timeout: 60_000 }).toBe(4);
  await expect.poll(() => page.locator('.axis .part-title').textContent()).toBe('How irreversible: JS in nats');
}

const pairs = async (page: Page): Promise<string[]> =>
  (await page.locator('.pairs button').allTextContents()).map(plain);
const cycles = async (page: Page): Promise<string[]> => (await page.locator('.cycles li').allTextContents()).map(plain);
const choose = (page: Page, name: string) => page.getByRole('radio', { name, exact: true }).check({ force: true });
const paste = async (page: Page, text: string): Promise<void> => {
  await page.getByRole('combobox', { name: 'Text' }).selectOption('own');
  await page.getByRole('textbox', { name: 'Paste a text here' }).fill(text);
  await page.getByRole('button', { name: 'Use this text' }).click();
};

async function drop(page: Page, name: string, content: string | number[]): Promise<void> {
  await page.evaluate(
    ([fileName, what]) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([typeof what === 'string' ? what : Uint8Array.from(what)], fileName));
      const event = new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true, composed: true });
      document.querySelector('tied-bigrams')!.dispatchEvent(event);
    },
    [name, content] as const,
  );
}

describe('the bigrams of a text', () => {
  it('are shown with the text’s irreversibility, chance and a shuffle, and are reversed when it is read backwards', async () => {
    const { page, problems } = await open();
    expect(await readOut(page)).toMatch(
      /^This text has a direction\. .* by 0\.281 nats\. .* reach 0\.004\d ± 0\.000\d\. With its tokens shuffled it reaches 0\.01\d\. The excess is 38%/,
    );
    expect(await readOut(page)).toMatch(
      /Around cycles of three characters, .* by 3\.47 bits on average; in reversible texts, by 0\.\d\d ± 0\.0\d\.$/,
    );
    expect((await pairs(page))[1]).toBe('h → e 1,283 times, 17 back');
    expect((await cycles(page))[0]).toBe('␣ → a → n → ␣ 1 in 170, 1 in 57,000 back');
    await choose(page, 'Backward');
    expect((await pairs(page))[1]).toBe('e → h 1,283 times, 17 back');
    expect((await cycles(page))[0]).toBe('␣ → n → a → ␣ 1 in 170, 1 in 57,000 back');
    expect(await readOut(page)).toContain('fit this text and its reverse equally well');
    await choose(page, 'Shuffled');
    expect(await readOut(page)).toMatch(/^No order is left\. .*by 0\.\d\d bits on average; in reversible texts, by/);
    expect(await page.locator('.axis rect.null').count()).toBe(4);
    await choose(page, 'Hidden');
    expect(await page.locator('.axis rect.null').count()).toBe(0);
    expect(await readOut(page)).not.toMatch(/chance|reversible texts/);
    await page.getByRole('button', { name: 'Show data' }).click();
    const table = page.locator('.data table', { hasText: 'Cycles of three tokens, by their net flow' });
    expect(await table.locator('tbody tr').count()).toBe(5);
    const orders = page.locator('.data table').first().locator('th[scope=col]');
    expect(await orders.allTextContents()).toEqual(['JS', 'JS, held out', 'Mutual information', 'Share']);
    expect(problems).toEqual([]);
  });

  it('can be highlighted in the list and in the map, by mouse and keyboard', async () => {
    const { page } = await open();
    const second = page.locator('.pairs button').nth(1);
    await second.focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => second.getAttribute('aria-pressed')).toBe('true');
    expect(await readOut(page)).toMatch(/h → e 1,283 times, e → h 17 times\.$/);
    const grid = page.locator('tied-heat-map').getByRole('grid');
    await grid.focus();
    for (const key of ['Control+Home', 'ArrowDown']) await page.keyboard.press(key);
    await expect.poll(() => readOut(page)).toMatch(/e → ␣ 1,556 times, ␣ → e 124 times\.$/);
    const active = await grid.getAttribute('aria-activedescendant');
    expect(plain(await page.locator(`#${active!}`).textContent())).toBe('e → ␣ 1,556 times, ␣ → e 124 times');
  });

  it('keep the reader’s other visible choices when a control appears', async () => {
    const { page } = await open();
    const chosen = (): Promise<string[]> =>
      page
        .locator('tied-bigrams input[type=radio]')
        .evaluateAll((all) =>
          all.filter((one) => (one as HTMLInputElement).checked).map((one) => one.parentElement!.textContent.trim()),
        );
    expect(await chosen()).toEqual(['Characters', 'As written', 'Net flow', 'Shown']);
    await choose(page, 'Words');
    await expect.poll(() => page.locator('tied-number-field[data-setting=vocabSize]').count()).toBe(1);
    expect(await chosen()).toEqual(['Words', 'As written', 'Net flow', 'Shown']);
    await choose(page, 'Characters');
    await expect.poll(() => page.locator('tied-number-field[data-setting=vocabSize]').count()).toBe(0);
    expect(await chosen()).toEqual(['Characters', 'As written', 'Net flow', 'Shown']);
  });

  it('use words on request, and the choice is reported and is in the embed code', async () => {
    const { page } = await open();
    await choose(page, 'Words');
    await expect.poll(async () => (await pairs(page)).join('; ')).toContain('the → (rare word)');
    await measured(page);
    await page.getByRole('slider', { name: 'Vocabulary' }).waitFor();
    const told = (await page.evaluate(() => (globalThis as { told?: unknown[] }).told)) as { text: string }[];
    expect(told.at(-1)).toMatchObject({ text: 'A year in New York', textOrder: 'written' });
    await page.getByRole('button', { name: 'Embed' }).click();
    await expect.poll(() => page.locator('.embed-code').inputValue()).toContain('tokenizer="word"');
  });
});

describe('the reader’s own text', () => {
  it('leaves the last drawing in its place, grayed, until it is there', async () => {
    const { page, problems } = await open();
    const map = page.locator('.map');
    const { height } = (await map.boundingBox())!;
    await page.getByRole('combobox', { name: 'Text' }).selectOption('own');
    await expect.poll(() => readOut(page)).toBe('Paste a text, choose a file or drop one here.');
    expect((await map.boundingBox())!.height).toBe(height);
    expect(await map.evaluate((part: HTMLElement) => part.inert)).toBe(true);
    expect(await map.evaluate((part) => Number(getComputedStyle(part).opacity))).toBeLessThan(0.5);
    await paste(page, 'abc'.repeat(100));
    await expect.poll(() => readOut(page)).toContain('by 0.693 nats');
    expect(await map.evaluate((part: HTMLElement) => part.inert)).toBe(false);
    expect(await map.evaluate((part) => getComputedStyle(part).opacity)).toBe('1');
    expect(problems).toEqual([]);
  });

  it('can be pasted or dropped, and is refused in place if unusable', async () => {
    const { page, problems } = await open('text-source="own"');
    await expect.poll(() => readOut(page)).toBe('Paste a text, choose a file or drop one here.');
    await page.getByRole('button', { name: 'Use this text' }).click();
    const problem = async (): Promise<string> => plain((await page.locator('.problem').allTextContents()).join(' '));
    expect(await problem()).toBe('Paste some text first.');
    await paste(page, 'abc'.repeat(100));
    await measured(page);
    expect(await readOut(page)).toContain('by 0.693 nats');
    expect(await pairs(page)).toEqual([
      'a → b 100 times, never back',
      'b → c 100 times, never back',
      'c → a 99 times, never back',
    ]);
    expect(await cycles(page)).toEqual(['a → b → c → a always, never back']);
    expect(await readOut(page)).toContain('No cycle of three characters occurs in both directions');
    await choose(page, 'Words');
    await paste(page, 'word');
    await expect.poll(problem).toMatch(/^This text is a single word\. /);
    await paste(page, '   ');
    await expect.poll(problem).toBe('Paste some text first.');
    await choose(page, 'Characters');
    await drop(page, 'picture.png', [0x89, 0x50, 0x4e, 0x47, 0, 0, 0]);
    await expect
      .poll(async () => plain(await page.locator('#text-problem').textContent()))
      .toContain('picture.png does not look like plain text');
    await drop(page, 'mirror.txt', 'abcdcb'.repeat(50));
    await expect.poll(() => readOut(page)).toContain('shows no direction');
    expect(await cycles(page)).toEqual([]);
    expect(plain(await page.locator('#text-problem').textContent())).toBe('');
    expect(problems).toEqual([]);
  });
});

describe('accessibility', () => {
  it('passes axe in light and dark, wide and narrow, and never scrolls sideways', async () => {
    for (const [colorScheme, width] of [
      ['light', 1280],
      ['dark', 320],
    ] as const) {
      const { page, problems } = await open('', { colorScheme, width, touch: width === 320 });
      for (const values of ['Counts', 'Next token', 'Net flow']) {
        await choose(page, values);
        expect(await axeViolations(page), `${values}, ${colorScheme}`).toEqual([]);
      }
      await page.getByRole('button', { name: 'Show data' }).click();
      expect(await axeViolations(page)).toEqual([]);
      expect(await horizontalOverflow(page), String(width)).toBe(0);
      expect(problems).toEqual([]);
    }
  });

  it('can be saved as a self-contained picture that names its text', async () => {
    const { page } = await open();
    const { name, picture } = await savePicture(page);
    expect(name).toBe('tied-bigrams.svg');
    expect(picture).toContain('A year in New York: 43,876 tokens');
    expect(picture).toContain('As written');
    expect(picture).not.toContain('var(--');
  });
});
