// The identity card in <tied-checkpoint>: measured, cancelled, shown as drawings and tables, copied and saved.
import { join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { root } from '../../tools/lib/root.mjs';
import { floats, ramp, safetensors } from '../web/checkpoint/checkpoint-files.js';
import { Draw } from '../fuzz/draw.js';
import { axeViolations, horizontalOverflow, openFixture, type OpenOptions } from './harness.js';

const script = `
import './web/elements/checkpoint/checkpoint.define.ts';
document.documentElement.style.background = 'Canvas';
window.copied = [];
Object.defineProperty(navigator, 'clipboard', { value: { writeText: async (text) => void window.copied.push(text) } });
`;
const body = (attributes = ''): string => `<tied-checkpoint heading-level="2" ${attributes}></tied-checkpoint>`;
const open = (options?: OpenOptions) => openFixture({ title: 'Checkpoint', script, body: body() }, options);

const file = (name: string, bytes: Uint8Array | string) => ({ name, mimeType: '', buffer: Buffer.from(bytes) });
const give = (page: Page, ...files: ReturnType<typeof file>[]) =>
  page.locator('input[type=file]').first().setInputFiles(files);
const plain = async (page: Page, part: string): Promise<string> =>
  ((await page.locator(part).first().textContent()) ?? '').replace(/\s+/g, ' ').trim();
const soon = <T>(read: () => Promise<T>) => expect.poll(read, { timeout: 30_000 });
const button = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name, exact: typeof name === 'string' });
const words = (page: Page) => page.locator('.card-words');

const [V, D] = [200, 16];
function table(seed: number): { shape: number[]; data: Uint8Array } {
  const draw = new Draw(seed);
  return { shape: [V, D], data: floats(Float32Array.from({ length: V * D }, () => 2 * draw.share() - 1)) };
}
const untied = safetensors({ 'wte.weight': table(1), 'lm_head.weight': table(2) });
const strings = Array.from({ length: V }, (_, id) =>
  id % 2 === 0 ? `<img src=x onerror=alert(${id})>` : id < 52 ? String.fromCharCode(97 + (id >> 1)) : `w${id}`,
);
const vocabulary = file('vocab.json', JSON.stringify(Object.fromEntries(strings.map((token, id) => [token, id]))));

/** The file that the page saves when `act` runs. */
async function saved(page: Page, act: () => Promise<void>): Promise<{ name: string; text: string }> {
  const [download] = await Promise.all([page.waitForEvent('download'), act()]);
  return { name: download.suggestedFilename(), text: await textOf(await download.createReadStream()) };
}

describe('the identity card', () => {
  it('of the reader’s files can be measured by keyboard, and has drawings with tables', async () => {
    const { page, problems } = await open();
    await give(page, file('model.safetensors', untied), vocabulary);
    await button(page, 'Measure its tables (reads 25.6 KB)').focus();
    await page.keyboard.press('Enter');
    await soon(() => words(page).count()).toBe(1);
    expect(await plain(page, '.card-words')).toMatch(
      /The asymmetry of its direct path is 0\.70\d; 0 is symmetric, and rows in a random order give 0\.70\d\./,
    );
    expect(await plain(page, '.card-words')).toContain('split into the longest tokens that fit');
    const pictures = page.locator('.card svg[role=img]');
    expect(await pictures.count()).toBe(4);
    for (const label of await pictures.evaluateAll((all) => all.map((one) => one.getAttribute('aria-label')!)))
      expect(label.length).toBeGreaterThan(60);
    // Tokens are shown as text, whatever they contain.
    expect(await page.locator('.card img').count()).toBe(0);
    const codes = await page.locator('.card code').allTextContents();
    expect(codes.filter((code) => code.startsWith('<img␣src=x'))).not.toEqual([]);
    await button(page, 'Show data').click();
    const captions = await page.locator('.data caption').allTextContents();
    expect(captions.map((caption) => caption.trim())).toEqual([
      'The identity card in numbers',
      ...['reading', 'writing'].map((role) => `Lengths of rows by token id: ${role}`),
      'Singular values of the tables without their mean row, in units of their root mean square',
      'Pairs with the largest difference between their two orders',
      'Nearest rows of each sampled token, by cosine',
      'All 2 tensors of the opened files',
    ]);
    expect(problems).toEqual([]);
  });

  it('of a table alone asks for tokens, not for a text', async () => {
    const { page, problems } = await open();
    const rows = Array.from({ length: 40 }, (_, id) => `word${id},${Math.sin(id + 1)},${Math.cos(2 * id)},${id % 7}`);
    await give(page, file('words.csv', rows.join('\n')));
    await soon(() => plain(page, '.title')).toBe('words.csv: a token table');
    expect(await page.locator('.card textarea').count()).toBe(0);
    expect(await plain(page, '.card .aside')).toBe('With only one table, there is no direct path to try a text on.');
    await page.getByLabel('More tokens to look at').fill('word7');
    await button(page, /^Measure its tables/).click();
    await soon(() => words(page).count()).toBe(1);
    expect(await page.locator('.card').first().innerText()).not.toContain('The text was not read');
    expect(await page.locator('.neighbors code').first().textContent()).toBe('word7');
    expect(problems).toEqual([]);
  });

  it('starts with the tokens that the reader names, and says why the model does not run', async () => {
    const { page } = await open();
    await give(page, file('model.safetensors', untied), vocabulary);
    await soon(() => plain(page, '.why-not')).toMatch(/^The model itself does not run here: its tensors/);
    await page.getByRole('searchbox', { name: /^More tokens to look at/ }).fill('3 nosuchtoken');
    await button(page, /^Measure its tables/).click();
    await soon(() => words(page).count()).toBe(1);
    expect(await plain(page, 'figure > [role=alert]')).toBe('The model has no such token: nosuchtoken.');
    const first = page.locator('.neighbors tbody tr').first().locator('code').first();
    expect(await first.getAttribute('title')).toBe('token 3');
  });

  it('is copied as Markdown, and saved as Markdown, JSON and a picture', async () => {
    const { page } = await open();
    await give(page, file('my model.safetensors', untied), vocabulary);
    await button(page, /^Measure its tables/).click();
    await soon(() => words(page).count()).toBe(1);
    await button(page, 'Copy for a model card').click();
    await soon(() => page.evaluate(() => (window as unknown as { copied: string[] }).copied.length)).toBe(1);
    const [copied] = await page.evaluate(() => (window as unknown as { copied: string[] }).copied);
    expect(copied).toContain('**Not tied**');
    expect(copied).not.toMatch(/(?<!\\)<img/);
    const markdown = await saved(page, () => button(page, 'Save as Markdown').click());
    expect(markdown).toEqual({ name: 'my-model.safetensors-card.md', text: `${copied}\n` });
    const json = await saved(page, () => button(page, 'Save as JSON').click());
    expect(json.name).toBe('my-model.safetensors-card.json');
    expect(JSON.parse(json.text)).toMatchObject({ tying: { evidence: 'different' }, sample: { tokens: 64 } });
    const picture = await saved(page, () => button(page, 'Save picture').click());
    expect(picture.name).toBe('tied-checkpoint.svg');
    expect(picture.text).toContain('Asymmetry of the direct path');
    expect(picture.text).not.toContain('<img');
  });

  it('can be cancelled between two parts, and measured again', async () => {
    const { page } = await open();
    const [rows, cols] = [8_000, 512];
    const large = safetensors({ 'wte.weight': { shape: [rows, cols], dtype: 'F16', data: halves(rows * cols) } });
    await give(page, file('large.safetensors', large));
    // The button is pressed as soon as it appears: such a table takes a few seconds.
    await page.locator('tied-checkpoint').evaluate((element) => {
      const shadow = element.shadowRoot!;
      const observer = new MutationObserver(() => {
        const cancel = [...shadow.querySelectorAll('.card button')].find(
          ({ textContent }) => textContent.trim() === 'Cancel',
        ) as HTMLButtonElement | undefined;
        if (!/[1-9]/.test(shadow.querySelector('.progress')?.textContent ?? '')) return;
        cancel?.click();
        if (cancel !== undefined) observer.disconnect();
      });
      observer.observe(shadow, { childList: true, subtree: true, characterData: true });
    });
    await button(page, /^Measure its tables/).click();
    await soon(() => plain(page, '.card')).toContain('Cancelled: nothing was measured.');
    expect(await words(page).count()).toBe(0);
    await button(page, /^Measure its tables/).click();
    await soon(() => words(page).count()).toBe(1);
    expect(await plain(page, '.card')).not.toContain('Cancelled');
  });

  it('names the tensor and row of an entry that is not a number, and disappears with another model', async () => {
    const { page } = await open();
    const broken = floats(Float32Array.from({ length: V * D }, (_, i) => (i === 5 * D ? NaN : i % 7)));
    await give(page, file('broken.safetensors', safetensors({ 'wte.weight': { shape: [V, D], data: broken } })));
    await button(page, /^Measure its tables/).click();
    await soon(() => plain(page, 'figure > [role=alert]')).toMatch(/could not be measured: 'wte\.weight': .*5/);
    await give(page, file('good.safetensors', untied));
    // Until the model is open, the button still belongs to the broken file.
    await soon(() => plain(page, '.title')).toContain('good.safetensors');
    await button(page, /^Measure its tables/).click();
    await soon(() => words(page).count()).toBe(1);
    expect(await plain(page, 'figure > [role=alert]')).toBe('');
    await give(page, file('ramp.safetensors', safetensors({ 'wte.weight': { shape: [V, D], data: ramp(V * D) } })));
    await soon(() => plain(page, '.title')).toContain('ramp.safetensors');
    expect(await words(page).count()).toBe(0);
    // A table that cannot be decoded does not end the figure.
    const half = { shape: [V, D], data: new Uint8Array((V * D) / 2), dtype: 'F4' };
    await give(page, file('half.safetensors', safetensors({ 'wte.weight': half })));
    await soon(() => plain(page, '.title')).toContain('half.safetensors');
    await button(page, /^Measure its tables/).click();
    await soon(() => plain(page, 'figure > [role=alert]')).toMatch(
      /could not be measured: .*'wte\.weight' has the type F4, which cannot be decoded/,
    );
    await soon(() => button(page, /^Measure its tables/).count()).toBe(1);
  });
});

/** Small 16-bit floats: 1 / 1024 times -8 to 7, in no particular order. */
function halves(count: number): Uint8Array {
  const codes = Array.from({ length: 16 }, (_, i) => halfOf((i - 8) / 1024));
  const bytes = new Uint8Array(2 * count);
  for (let i = 0, state = 1; i < count; i++) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    const code = codes[state >>> 28]!;
    bytes[2 * i] = code & 0xff;
    bytes[2 * i + 1] = code >> 8;
  }
  return bytes;
}
function halfOf(value: number): number {
  if (value === 0) return 0;
  const exponent = Math.floor(Math.log2(Math.abs(value)));
  const fraction = Math.round((Math.abs(value) / 2 ** exponent - 1) * 1024);
  return (value < 0 ? 0x8000 : 0) | ((exponent + 15) << 10) | fraction;
}

describe('the identity card of the page’s models', () => {
  const asset = 'web/article/assets/finished-transformers.safetensors';
  async function openPage(options: OpenOptions, model: string) {
    const opened = await openFixture({ title: 'Checkpoint', script, body: '<div id="place"></div>' }, options);
    await opened.page.route('**/models.safetensors', (route) => route.fulfill({ path: join(root, asset) }));
    await opened.page.evaluate(
      (html) => {
        document.querySelector('#place')!.innerHTML = html;
      },
      body(`weights="models.safetensors" model="${model}"`),
    );
    await soon(() => words(opened.page).count()).toBe(1);
    return opened;
  }

  it('is shown unasked, and follows the choice of the model', async () => {
    const { page, problems } = await openPage({}, 'tied');
    expect(await plain(page, '.card-words')).toContain('symmetric to the last bit');
    await page.getByRole('radio', { name: 'The untied GPT of this page' }).check({ force: true });
    await soon(() => plain(page, '.card-words')).toContain('The asymmetry of its direct path is 0.707');
    // The models' own tokenizer reads the text: its words, a comma and two periods. It knows all of them.
    expect(await plain(page, '.card-words')).toContain('On your text (25 pairs of tokens)');
    expect(await plain(page, '.card-words')).not.toMatch(/longest tokens|unknown/);
    await page.getByRole('textbox', { name: 'A text, to try the direct path on' }).fill('She said');
    await button(page, 'Measure again').click();
    await soon(() => plain(page, '.card-words')).toContain('On your text (1 pair of tokens)');
    for (const [text, words] of [
      ['She said upon the sea', '2 of its words are unknown to the model and read as the same token.'],
      ['She said upon', '1 of its words is unknown to the model'],
    ] as const) {
      await page.getByRole('textbox', { name: 'A text, to try the direct path on' }).fill(text);
      await button(page, 'Measure again').click();
      await soon(() => plain(page, '.card-words')).toContain(words);
    }
    expect(problems).toEqual([]);
  });

  it.each([
    ['light', 'untied'],
    ['dark', 'tied'],
  ] as const)('has no axe violation, and fits 320 px, in %s', async (colorScheme, model) => {
    const { page } = await openPage({ colorScheme, width: 320, height: 800, reducedMotion: true }, model);
    await button(page, 'Show data').click();
    expect(await axeViolations(page)).toEqual([]);
    expect(await horizontalOverflow(page)).toBe(0);
  });
});
