// <tied-checkpoint>, used as by a reader: files chosen and dropped, a story written, stopped, and written again.
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { sharedFile } from '../web/core/support.js';
import { axeViolations, horizontalOverflow, openFixture, type OpenOptions } from './harness.js';
import { TINY_TABLE, tinyModel, tinyTokenizer, VOCAB } from './llama2c-files.js';

const script = `
import './web/elements/checkpoint/checkpoint.define.ts';
document.documentElement.style.background = 'Canvas';
`;

const open = (options?: OpenOptions) =>
  openFixture(
    { title: 'Checkpoint', script, body: '<tied-checkpoint heading-level="2" seed="7"></tied-checkpoint>' },
    options,
  );

const file = (name: string, bytes: Uint8Array) => ({
  name,
  mimeType: 'application/octet-stream',
  buffer: Buffer.from(bytes),
});
const give = (page: Page, ...files: ReturnType<typeof file>[]) =>
  page.locator('input[type=file]').first().setInputFiles(files);
const plain = async (page: Page, part: string): Promise<string> =>
  ((await page.locator(part).textContent()) ?? '').replace(/\s+/g, ' ').trim();
/** Announcements come after a pause, and machines may be slow. */
const soon = <T>(read: () => Promise<T>) => expect.poll(read, { timeout: 20_000 });
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

const weights = file('tiny.bin', tinyModel({ tied: true }));
const vocabulary = file('tokens.bin', tinyTokenizer());

describe('the checkpoint', () => {
  it('accepts weights and tokenizer in any order, and shows the architecture', async () => {
    const { page, problems } = await open();
    await give(page, vocabulary);
    await soon(() => plain(page, 'figure > [role=alert]')).toContain('tokens.bin is a tokenizer');
    await give(page, weights);
    await soon(() => plain(page, '.title')).toBe('tiny.bin: one table that reads and writes');
    // 2,104 of 2,104 + one layer (496) + the final norm (8).
    expect(await plain(page, '.read-out')).toContain(`2,608 parameters, of which the token tables are 80.7%`);
    expect(TINY_TABLE).toBe(2104);
    expect(await plain(page, '.read-out')).toContain('symmetric to the last bit');
    await button(page, 'Show data').click();
    const rows = await page.locator('.data tr').allTextContents();
    expect(rows.map((row) => row.replace(/\s+/g, ' ').trim())).toEqual(
      expect.arrayContaining([
        'Tokens in the vocabulary 263',
        'Query heads / key and value heads 2 / 1',
        'Positions rotary',
      ]),
    );
    expect(problems).toEqual([]);
  });

  it('distinguishes an untied model from a tied one', async () => {
    const { page } = await open();
    await give(page, file('two.bin', tinyModel({ tied: false })));
    await soon(() => plain(page, '.title')).toBe('two.bin: one table reads, another writes');
    const asymmetry = /asymmetry of its direct path is (0\.\d+)/.exec(await plain(page, '.read-out'))?.[1];
    // Unrelated tables: about 0.707.
    expect(Math.abs(Number(asymmetry) - Math.SQRT1_2)).toBeLessThan(0.05);
    expect(await plain(page, '.drop')).toContain('Without its tokenizer');
  });

  it('writes by keyboard, the same text for the same seed', async () => {
    const { page } = await open();
    await give(page, weights, vocabulary);
    const tokens = page.getByRole('spinbutton', { name: 'Tokens' });
    await tokens.fill('40');
    await tokens.press('Enter');
    await soon(() => button(page, 'Write').isEnabled()).toBe(true);
    await button(page, 'Write').focus();
    await page.keyboard.press('Enter');
    await soon(() => plain(page, '.visually-hidden[role=status]')).toContain('40 tokens written');
    const first = await page.locator('.story').textContent();
    expect(first).toContain('Once there was a');
    const seed = page.getByRole('spinbutton', { name: 'Seed' });
    expect(await seed.inputValue()).toBe('8');
    await seed.fill('7');
    await seed.press('Enter');
    await button(page, 'Write another').press('Enter');
    await soon(() => page.locator('.story').textContent()).toBe(first);
  });

  it('stops on request and keeps the text so far', async () => {
    const { page } = await open();
    await give(page, weights, vocabulary);
    const tokens = page.getByRole('spinbutton', { name: 'Tokens' });
    await tokens.fill('2000');
    await tokens.press('Enter');
    // Such a small model finishes before anyone could stop it, so the button is pressed as soon as it appears.
    await page.locator('tied-checkpoint').evaluate((element) => {
      const root = element.shadowRoot!;
      const observer = new MutationObserver(() => {
        const stop = [...root.querySelectorAll('button')].find(({ textContent }) => textContent.trim() === 'Stop');
        stop?.click();
        if (stop !== undefined) observer.disconnect();
      });
      observer.observe(root, { childList: true, subtree: true, characterData: true });
    });
    await button(page, 'Write').click();
    await soon(() => plain(page, '.visually-hidden[role=status]')).toMatch(/Stopped after [\d,]+ tokens/);
    expect(await page.locator('.story .given').textContent()).toBe('Once there was a');
  });

  it('names the format of a foreign file, and keeps the open model', async () => {
    const { page } = await open();
    await give(page, weights, vocabulary);
    await soon(() => plain(page, '.title')).toContain('tiny.bin');
    await give(page, file('cut.bin', tinyModel({ tied: true }).subarray(0, 3000)));
    await expect
      .poll(() => plain(page, 'figure > [role=alert]'))
      .toContain('cut.bin is incomplete: it has 3,000 bytes');
    expect(await plain(page, '.title')).toContain('tiny.bin');
    await give(page, file('other.bin', tinyTokenizer(VOCAB.slice(0, -1))));
    await soon(() => plain(page, 'figure > [role=alert]')).toMatch(/262 .*263/);
    expect(await button(page, 'Write').count()).toBe(0);
  });

  it.each(['light', 'dark'] as const)('has no axe violation, and fits 320 px, in %s', async (colorScheme) => {
    const { page } = await open({ colorScheme, width: 320, height: 800, reducedMotion: true });
    expect(await axeViolations(page)).toEqual([]);
    await give(page, weights, vocabulary);
    await soon(() => plain(page, '.title')).toContain('tiny.bin');
    expect(await axeViolations(page)).toEqual([]);
    expect(await horizontalOverflow(page)).toBe(0);
  });

  const story = sharedFile('models/stories260k.bin');
  const words = sharedFile('tokenizers/llama2c-tok512.bin');
  it.runIf(story !== null && words !== null)('writes the story of stories260k', async () => {
    const { page } = await open();
    await give(page, file('stories260k.bin', story!), file('tok512.bin', words!));
    const temperature = page.getByRole('spinbutton', { name: 'Temperature' });
    await temperature.fill('0');
    await temperature.press('Enter');
    await page.getByRole('textbox', { name: 'Prompt' }).fill('Once upon a time');
    await button(page, 'Write').click();
    await soon(() => plain(page, '.visually-hidden[role=status]')).toContain('200 tokens written');
    expect(await plain(page, '.story')).toContain(
      'Once upon a time, there was a little girl named Lily. She loved to play outside in the park.',
    );
    expect(await plain(page, '.read-out')).toContain('260,032 parameters');
  });
});
