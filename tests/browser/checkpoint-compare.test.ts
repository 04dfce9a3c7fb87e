// <tied-checkpoint> with several models: steps of one training run dropped together, added files, the page's pair.
import { join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { root } from '../../tools/lib/root.mjs';
import { Draw } from '../fuzz/draw.js';
import { floats, safetensors, TIED_WTE } from '../web/checkpoint/checkpoint-files.js';
import { axeViolations, horizontalOverflow, openFixture, type OpenOptions } from './harness.js';

const script = `
import './web/elements/checkpoint/checkpoint.define.ts';
document.documentElement.style.background = 'Canvas';
`;
const asset = join(root, 'web/article/assets/finished-transformers.safetensors');
async function open(attributes = '', options: OpenOptions = {}) {
  const opened = await openFixture({ title: 'Checkpoint', script, body: '<div id="place"></div>' }, options);
  await opened.page.route('**/models.safetensors', (route) => route.fulfill({ path: asset }));
  await opened.page.evaluate((html) => {
    document.querySelector('#place')!.innerHTML = html;
  }, `<tied-checkpoint heading-level="2" ${attributes}></tied-checkpoint>`);
  return opened;
}

const file = (name: string, bytes: Uint8Array | string) => ({ name, mimeType: '', buffer: Buffer.from(bytes) });
const plain = async (page: Page, part: string): Promise<string> =>
  ((await page.locator(part).first().textContent()) ?? '').replace(/\s+/g, ' ').trim();
const soon = <T>(read: () => Promise<T>) => expect.poll(read, { timeout: 30_000 });
const button = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name, exact: typeof name === 'string' });
const words = '.compare .card-words';

const [V, D] = [120, 12];
const start = (seed: number): Float32Array => {
  const draw = new Draw(seed);
  return Float32Array.from({ length: V * D }, () => 2 * draw.share() - 1);
};
/** `token` is turned around by `share`, all others stay. */
const step = (share: number, token = 7): Uint8Array => {
  const data = start(1).map((value, i) => (Math.floor(i / D) === token ? (1 - 2 * share) * value : value));
  return safetensors({ 'wte.weight': { shape: [V, D], data: floats(data) } }, TIED_WTE);
};
const vocabulary = file(
  'vocab.json',
  JSON.stringify(Object.fromEntries(Array.from({ length: V }, (_, i) => [i === 7 ? '<b>turned</b>' : `t${i}`, i]))),
);

describe('several models', () => {
  it('that are dropped together are treated as steps, in the order of their names', async () => {
    const { page, problems } = await open();
    await page
      .locator('input[type=file]')
      .first()
      .setInputFiles([
        file('step-1000.safetensors', step(1)),
        vocabulary,
        file('step-20.safetensors', step(0)),
        file('step-3.safetensors', step(0)),
      ]);
    await soon(() => plain(page, words)).toMatch(
      /^From “step-3\.safetensors” to “step-1000\.safetensors”\. Its table differs in 1 of 120 rows\. Its table has moved by \d+(\.\d+)?% of its length\./,
    );
    expect(await plain(page, '.title')).toContain('step-3.safetensors');
    const rows = await page.locator('.compare .wide tbody tr').allTextContents();
    // One of 120 rows turned around: 2 / √120 of the length, if all rows had the same.
    expect(rows.map((row) => row.replace(/\s+/g, ' ').trim())).toEqual([
      expect.stringMatching(/^step-3\.safetensors yes ?the first/),
      expect.stringMatching(/^step-20\.safetensors yes ?both roles ?0 of 120 ?0% ?1\.000/),
      expect.stringMatching(/^step-1000\.safetensors yes ?both roles ?1 of 120 ?18\.4% ?0\.983/),
    ]);
    // The token that turned around is named, as text.
    const turned = page.locator('.compare .turned tbody tr').filter({ hasText: '−1.000' });
    expect(((await turned.textContent()) ?? '').replace(/\s+/g, ' ')).toContain('<b>turned</b>');
    // And it is the one that moved most, by twice its length.
    expect(await page.locator('.compare .turned tbody tr').first().textContent()).toContain('<b>turned</b>');
    expect(await page.locator('.compare svg[role=img]').count()).toBe(2);
    await page.getByRole('radio', { name: 'the one before' }).check({ force: true });
    await soon(() => plain(page, words)).toContain('From “step-20.safetensors” to');
    expect(problems).toEqual([]);
  });

  it('can be added by keyboard, removed again, and saved', async () => {
    const { page } = await open();
    await page
      .locator('input[type=file]')
      .first()
      .setInputFiles(file('a.safetensors', step(0)));
    await soon(() => plain(page, '.title')).toContain('a.safetensors');
    await page.locator('.compare input[type=file]').setInputFiles(file('b.safetensors', step(0.5)));
    await soon(() => plain(page, words)).toContain('From “a.safetensors” to “b.safetensors”');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.locator('.compare').getByRole('button', { name: 'Save as JSON' }).press('Enter'),
    ]);
    expect(download.suggestedFilename()).toBe('a.safetensors-comparison.json');
    const saved = JSON.parse(await textOf(await download.createReadStream())) as { checkpoints: { name: string }[] };
    expect(saved.checkpoints.map(({ name }) => name)).toEqual(['a.safetensors', 'b.safetensors']);
    await button(page, 'Remove b.safetensors').press('Enter');
    await soon(() => page.locator(words).count()).toBe(0);
    expect(await plain(page, '.compare')).toContain('how far have their tables moved');
  });

  it('of other shapes are refused with a sentence, and the comparison stays', async () => {
    const { page } = await open();
    await page
      .locator('input[type=file]')
      .first()
      .setInputFiles(file('a.safetensors', step(0)));
    await soon(() => plain(page, '.title')).toContain('a.safetensors');
    const add = page.locator('.compare input[type=file]');
    await add.setInputFiles(file('b.safetensors', step(0.5)));
    await soon(() => page.locator(words).count()).toBe(1);
    const wide = safetensors({ 'wte.weight': { shape: [D, V], data: floats(start(3)) } }, TIED_WTE);
    await add.setInputFiles(file('wide.safetensors', wide));
    await soon(() => plain(page, 'figure > [role=alert]')).toMatch(/could not be compared: .*\[12, 120\]/);
    expect(await page.locator('.compared li').count()).toBe(1);
    expect(await plain(page, words)).toContain('to “b.safetensors”');
    await add.setInputFiles(file('x.png', Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10)));
    await soon(() => plain(page, 'figure > [role=alert]')).toBe('x.png is a picture or document, not a model.');
    expect(await page.locator('.compared li').count()).toBe(1);
  });

  it('of other shapes can be compared if both have token strings', async () => {
    const { page, problems } = await open();
    const input = page.locator('input[type=file]').first();
    await input.setInputFiles([file('a.safetensors', step(0)), vocabulary]);
    await soon(() => plain(page, '.title')).toContain('a.safetensors');
    const wide = safetensors({ 'wte.weight': { shape: [V / 2, 2 * D], data: floats(start(3)) } }, TIED_WTE);
    const add = page.locator('.compare input[type=file]');
    await add.setInputFiles([file('wide.safetensors', wide), vocabulary]);
    await soon(() => plain(page, words)).toMatch(
      /Its table has another shape: for the 60 tokens that both have, the lengths of rows have a rank correlation of −?0\.\d{3} \(by chance 0 ± 0\.130\)\./,
    );
    const rows = await page.locator('.compare .wide tbody tr').allTextContents();
    expect(rows[1]!.replace(/\s+/g, ' ').trim()).toMatch(/^wide\.safetensors yes ?both roles ?– ?– ?– ?– ?/);
    expect(problems).toEqual([]);
  });

  it('at several URLs are compared in order', async () => {
    const { page, problems } = await open();
    for (const [name, share] of [
      ['b', 0.5],
      ['c', 1],
    ] as const)
      await page.route(`**/${name}.safetensors`, (route) => {
        const bytes = Buffer.from(step(share));
        const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(route.request().headers()['range'] ?? '')!;
        const last = Math.min(Number(to), bytes.length - 1);
        const headers = { 'content-range': `bytes ${from}-${last}/${bytes.length}`, etag: '"1"' };
        return route.fulfill({ status: 206, headers, body: bytes.subarray(Number(from), last + 1) });
      });
    await page.route('**/*.json', (route) => route.fulfill({ status: 404 }));
    await page
      .locator('input[type=file]')
      .first()
      .setInputFiles(file('a.safetensors', step(0)));
    await soon(() => plain(page, '.title')).toContain('a.safetensors');
    const field = page.getByRole('searchbox', { name: 'Other URLs' });
    await field.fill('javascript:alert(1)');
    await page.keyboard.press('Enter');
    await soon(() => plain(page, 'figure > [role=alert]')).toContain('not an http or https URL');
    await field.fill('c.safetensors  b.safetensors');
    await page.keyboard.press('Enter');
    await soon(() => plain(page, words)).toContain('From “a.safetensors” to “b.safetensors”');
    expect(await page.locator('.compared li span').allTextContents()).toEqual(['c.safetensors', 'b.safetensors']);
    expect(await field.inputValue()).toBe('');
    expect(problems.filter((problem) => !problem.includes('404'))).toEqual([]);
  });

  it.each(['light', 'dark'] as const)(
    'of the page are compared without an axe violation, at 320 px, in %s',
    async (colorScheme) => {
      const { page } = await open('weights="models.safetensors" model="tied"', {
        ...{ colorScheme, width: 320, height: 800, reducedMotion: true },
      });
      await button(page, 'Add the untied GPT of this page').click();
      await soon(() => plain(page, words)).toContain('The table that writes has moved by');
      expect(await axeViolations(page)).toEqual([]);
      expect(await horizontalOverflow(page)).toBe(0);
    },
  );
});
