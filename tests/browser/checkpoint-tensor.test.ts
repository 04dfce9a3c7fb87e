// <tied-checkpoint> inside a file: any tensor, its heat map and statistics, and links that restore what is shown.
import type { Locator, Page } from 'playwright-core';
import { afterEach, describe, expect, it } from 'vitest';
import { floats, safetensors } from '../web/checkpoint/checkpoint-files.js';
import { sendRange, startServer, type FileServer } from '../web/checkpoint/file-server.js';
import { axeViolations, horizontalOverflow, openFixture, type OpenOptions } from './harness.js';

const script = `
import './web/elements/checkpoint/checkpoint.define.ts';
document.documentElement.style.background = 'Canvas';
`;
const fixture = (attributes: string) => ({
  title: 'Checkpoint',
  script,
  body: `<tied-checkpoint heading-level="2" link-state="file" ${attributes}></tied-checkpoint>`,
});
const open = (options: OpenOptions = {}, attributes = '') =>
  openFixture(fixture(attributes), { policy: '', atRest: true, ...options });

const [V, D] = [640, 96];
/** Numbers whose size grows with the row. */
const grown = (rows: number, cols: number, start = 0): Uint8Array<ArrayBuffer> =>
  floats(
    Array.from({ length: rows * cols }, (_, at) => Math.sin(start + at * at) * (1 + Math.floor(at / cols) / rows)),
  );
const model = safetensors({
  'model.embed_tokens.weight': { shape: [V, D], data: grown(V, D) },
  'model.layers.0.self_attn.q_proj.weight': { shape: [D, D], data: grown(D, D) },
  'model.norm.weight': { shape: [D], data: floats(Array.from({ length: D }, (_, at) => (at === 5 ? NaN : 1))) },
  'lm_head.weight': { shape: [V, D], data: grown(V, D, 1) },
});
const words = JSON.stringify(Object.fromEntries(Array.from({ length: V }, (_, id) => [`w${String(id)}`, id])));
const file = (name: string, bytes: Uint8Array | string) => ({ name, mimeType: '', buffer: Buffer.from(bytes) });
const give = (page: Page, ...files: ReturnType<typeof file>[]) =>
  page.locator('input[type=file]').first().setInputFiles(files);
const plain = async (page: Page, part: string): Promise<string> =>
  ((await page.locator(part).first().textContent()) ?? '').replace(/\s+/g, ' ').trim();
const soon = <T>(read: () => Promise<T>) => expect.poll(read, { timeout: 30_000 });
const inside = (page: Page) => page.getByRole('button', { name: /^Look inside/ });

const servers: FileServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});
const cors = { 'access-control-allow-origin': '*' };
async function serve(): Promise<FileServer> {
  const server = await startServer((request, response, number) => {
    if (request.url?.endsWith('.safetensors')) sendRange(model, cors)(request, response, number);
    else response.writeHead(404, cors).end();
  });
  servers.push(server);
  return server;
}

describe('the inside of a file', () => {
  it('is behind one button after the verdict and both tables', async () => {
    const { page, problems } = await open({ width: 1440 });
    await give(page, file('model.safetensors', model), file('vocab.json', words));
    await soon(() => plain(page, '.read-out')).toContain(
      'Not tied. model.embed_tokens.weight and lm_head.weight differ.',
    );
    const order = await page
      .locator('.drawing')
      .evaluate((drawing) =>
        [...drawing.children]
          .filter((one) => one.getBoundingClientRect().height > 0)
          .map((one) => one.className.split(' ')[0]),
      );
    expect(order.slice(0, 2)).toEqual(['read-out', 'facts']);
    expect(await page.locator('.card').first().isVisible()).toBe(false);
    await inside(page).click();
    await page.locator('.tensor tied-heat-map').waitFor();
    expect(await page.getByRole('region', { name: 'Identity card' }).isVisible()).toBe(true);
    await soon(() => plain(page, '.statistics')).toContain('61,440');
    expect(await axeViolations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Only the verdict and the tables' }).click();
    expect(await page.locator('.tensor').count()).toBe(0);
    expect(problems).toEqual([]);
  });
});

/** Opens the file, and the inside of it. */
async function openInside(options: OpenOptions = {}, attributes = '') {
  const opened = await open(options, attributes);
  const { page } = opened;
  await give(page, file('model.safetensors', model), file('vocab.json', words));
  await inside(page).click();
  await soon(() => plain(page, '.statistics')).toContain('61,440');
  return opened;
}
const cellWords = (page: Page) => plain(page, '.cell-words');
const list = (page: Page) => page.getByRole('combobox', { name: /tensors/ });

describe('a tensor', () => {
  it('has a heat map of all of it, whose blocks are read with mouse and keyboard, and opened element by element', async () => {
    const { page, problems } = await openInside({ width: 1440 });
    const map = page.locator('.tensor tied-heat-map');
    expect(await cellWords(page)).toBe('Point at a cell, or use the arrow keys, to read its value.');
    const grid = map.getByRole('grid');
    await grid.scrollIntoViewIfNeeded();
    const box = (await grid.boundingBox())!;
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await soon(() => cellWords(page)).toMatch(
      /^Rows \d+ to \d+, columns \d+( to \d+)?: root mean square 0\.\d+|1\.\d+$/,
    );
    await page.mouse.move(5, 5);
    // What the block was stays, for the button that opens it.
    const openBlock = page.getByRole('button', { name: 'Show this block element by element' });
    await openBlock.waitFor();
    await page.getByRole('radio', { name: 'mean', exact: true }).check({ force: true });
    await soon(() => plain(page, '.map .part-title')).toBe('model.embed_tokens.weight: the mean of each block');
    await grid.focus();
    await page.keyboard.press('Control+Home');
    await page.keyboard.press('ArrowDown');
    await soon(() => cellWords(page)).toMatch(/^Rows 13 to 25, columns 0: mean −?0\.\d+$/);
    await openBlock.click();
    await soon(() => plain(page, '.map .part-title')).toBe('model.embed_tokens.weight: rows 13 to 60, columns 0 to 63');
    await map.getByRole('grid').focus();
    await page.keyboard.press('Control+Home');
    await page.keyboard.press('ArrowRight');
    const value = Math.fround(Math.sin((13 * D + 1) ** 2) * (1 + 13 / V));
    await soon(() => cellWords(page)).toBe(`Row 13 (“w13”), column 1: ${value.toPrecision(3).replace('-', '−')}`);
    expect(problems).toEqual([]);
  });

  it('is found by parts of its name, and any of the file has its own numbers', async () => {
    const { page } = await openInside({ width: 1440 });
    const search = page.getByRole('searchbox', { name: 'Find a tensor by parts of its name' });
    await search.fill('attn Q_PROJ');
    await soon(() => list(page).locator('option').allTextContents()).toHaveLength(2);
    await list(page).selectOption('model.layers.0.self_attn.q_proj.weight');
    await soon(() => plain(page, '.statistics')).toContain('9,216');
    await search.fill('nothing like it');
    await soon(() => plain(page, '.finder .aside')).toBe('No tensor has all of these parts in its name.');
    await search.fill('');
    await list(page).selectOption('model.norm.weight');
    await soon(() => plain(page, '.statistics')).toMatch(/NaN 1 \(1%\)/);
    expect(await plain(page, '.statistics')).toContain('Least and greatest 1 … 1');
    expect(await page.locator('figure > [role=alert] .problem').count()).toBe(0);
  });

  it('at a URL is read by a window at once, and whole only when asked for, with progress and a way to cancel', async () => {
    const { page } = await open({ width: 1440 });
    const rows = 30_000;
    const big = safetensors({
      'model.embed_tokens.weight': { shape: [V, D], data: grown(V, D) },
      'lm_head.weight': { shape: [V, D], data: grown(V, D, 1) },
      'model.layers.0.mlp.up_proj.weight': { shape: [rows, 64], data: new Uint8Array(rows * 64 * 4) },
    });
    let isHeld = false;
    const release: (() => void)[] = [];
    const server = await startServer((request, response, number) => {
      if (!request.url?.endsWith('.safetensors')) return void response.writeHead(404, cors).end();
      const send = (): void => sendRange(big, cors)(request, response, number);
      if (isHeld) release.push(send);
      else send();
    });
    servers.push(server);
    await page.getByRole('searchbox', { name: 'URL', exact: true }).fill(server.url);
    await page.keyboard.press('Enter');
    await inside(page).click();
    await list(page).selectOption('model.layers.0.mlp.up_proj.weight');
    const before = server.asked();
    await page.getByRole('radio', { name: 'Element by element' }).check({ force: true });
    await soon(() => plain(page, '.map .part-title')).toContain('rows 0 to 47, columns 0 to 63');
    expect(server.asked() - before).toBe(48 * 64 * 4);
    isHeld = true;
    await page.getByRole('button', { name: 'Read all of it (7.68 MB)' }).click();
    await soon(() => plain(page, '.tensor .progress')).toMatch(/^Reading the tensor: \d+%$/);
    await page
      .getByRole('region', { name: 'Every tensor of the file' })
      .getByRole('button', { name: 'Cancel' })
      .click();
    await soon(() => plain(page, '.tensor')).toContain('Cancelled: nothing was measured.');
    isHeld = false;
    for (const send of release) send();
    await page.getByRole('button', { name: 'Read all of it (7.68 MB)' }).click();
    await soon(() => plain(page, '.statistics')).toContain('1,920,000');
  });

  it('works with touch, in the dark, at 320 px', async () => {
    const { page, problems } = await openInside({ width: 320, height: 800, touch: true, colorScheme: 'dark' });
    expect(await horizontalOverflow(page)).toBe(0);
    expect(await axeViolations(page)).toEqual([]);
    const grid = page.locator('.tensor tied-heat-map').getByRole('grid');
    await grid.scrollIntoViewIfNeeded();
    const box = (await grid.boundingBox())!;
    await page.touchscreen.tap(box.x + box.width * 0.7, box.y + box.height * 0.7);
    await soon(() => cellWords(page)).toMatch(/^Rows \d+ to \d+/);
    await page.getByRole('button', { name: 'Show this block element by element' }).tap();
    await soon(() => plain(page, '.map .part-title')).toMatch(/: rows \d+ to \d+, columns/);
    expect(await horizontalOverflow(page)).toBe(0);
    expect(problems).toEqual([]);
  });
});

describe('a link', () => {
  const copied = async (page: Page): Promise<string> => {
    await page.getByRole('button', { name: 'Copy link' }).click();
    return page.evaluate(() => location.hash);
  };

  it('restores a model at a URL, its tensor and its view; it opens at once only where the page allows it', async () => {
    const server = await serve();
    const { page } = await open({ width: 1440 });
    await page.getByRole('searchbox', { name: 'URL', exact: true }).fill(server.url);
    await page.keyboard.press('Enter');
    await inside(page).click();
    await list(page).selectOption('lm_head.weight');
    await page.getByRole('radio', { name: 'Element by element' }).check({ force: true });
    const from = page.getByRole('spinbutton', { name: 'From row' });
    await from.fill('100');
    await from.press('Enter');
    await soon(() => plain(page, '.map .part-title')).toContain('lm_head.weight: rows 100 to 147');
    await page
      .locator('figure')
      .getByRole('button', { name: 'More options' })
      .or(page.locator('.title-row button'))
      .first()
      .click();
    const hash = await copied(page);
    expect(new URLSearchParams(hash.slice(1)).get('given')).toBe(server.url);

    const waiting = await open({ width: 1440, path: hash });
    await soon(() => plain(waiting.page, '.drop')).toContain(`This link is about ${server.url}.`);
    const asked = server.seen.length;
    expect(await waiting.page.getByRole('searchbox', { name: 'URL', exact: true }).inputValue()).toBe(server.url);
    expect(server.seen).toHaveLength(asked);
    await waiting.page.getByRole('button', { name: 'Open', exact: true }).click();
    await soon(() => plain(waiting.page, '.map .part-title')).toContain('lm_head.weight: rows 100 to 147');

    const at = await open({ width: 1440, path: hash }, 'open-given');
    await soon(() => plain(at.page, '.map .part-title')).toContain('lm_head.weight: rows 100 to 147');
  });

  it('that is followed while another model is open opens its own, and restores a comparison of two URLs', async () => {
    const server = await serve();
    const other = server.url.replace('model.safetensors', 'other.safetensors');
    const { page } = await open({ width: 1440 }, 'open-given');
    await page.getByRole('searchbox', { name: 'URL', exact: true }).fill(server.url);
    await page.keyboard.press('Enter');
    await inside(page).click();
    await page.getByRole('searchbox', { name: 'Other URLs' }).fill(other);
    await page.keyboard.press('Enter');
    await soon(() => plain(page, '.compare .card-words')).toContain('has not changed: all 640 rows are equal.');
    await page.locator('.title-row button').click();
    const hash = await copied(page);
    expect(new URLSearchParams(hash.slice(1)).get('beside')).toBe(other);

    const next = await open({ width: 1440 }, 'open-given');
    await give(next.page, file('mine.safetensors', model));
    await soon(() => plain(next.page, '.title')).toContain('mine.safetensors');
    await next.page.evaluate((to) => {
      location.hash = to;
    }, hash);
    await soon(() => plain(next.page, '.title')).toContain('model.safetensors');
    await soon(() => plain(next.page, '.compare .card-words')).toContain('“other.safetensors”');
    // Elsewhere the figure says what the link is about, and fetches nothing.
    const still = await open({ width: 1440 });
    await give(still.page, file('mine.safetensors', model));
    await soon(() => plain(still.page, '.title')).toContain('mine.safetensors');
    const seen = server.seen.length;
    await still.page.evaluate((to) => {
      location.hash = to;
    }, hash);
    await soon(() => plain(still.page, '.remark')).toContain(`This link is about ${server.url}.`);
    expect(server.seen).toHaveLength(seen);
  });

  it('to a file of the reader’s names the file that has to be given again, and says if another one is', async () => {
    const { page } = await openInside({ width: 1440 });
    await list(page).selectOption('model.norm.weight');
    await soon(() => plain(page, '.statistics')).toContain('NaN');
    await page.locator('.title-row button').click();
    const hash = await copied(page);
    const size = model.length.toLocaleString('en-US');
    const again = await open({ width: 320, path: hash });
    await soon(() => plain(again.page, '.drop')).toContain(
      `This link shows model.safetensors (${size} bytes), a file on`,
    );
    expect(await axeViolations(again.page)).toEqual([]);
    await give(again.page, file('model.safetensors', model));
    await soon(() => plain(again.page, '.statistics')).toMatch(/Elements 96/);
    expect(await again.page.locator('.remark').count()).toBe(0);
    const other = await open({ width: 1440, path: hash });
    const less = safetensors({
      'model.embed_tokens.weight': { shape: [V, D], data: grown(V, D) },
      'lm_head.weight': { shape: [V, D], data: grown(V, D) },
    });
    await give(other.page, file('small.safetensors', less));
    await soon(() => plain(other.page, '.remark')).toBe(
      `The link is about model.safetensors (${size} bytes); this is small.safetensors (${less.length.toLocaleString('en-US')} bytes).`,
    );
  });
});

describe('two files side by side', () => {
  it('have their verdicts, the rows that differ, and the rows that moved most, with their tokens', async () => {
    const { page, problems } = await open({ width: 1440 });
    const tuned = Float32Array.from(new Float32Array(grown(V, D).buffer));
    tuned[7 * D + 3]! += 1;
    tuned[9 * D] = Math.fround(tuned[9 * D]! * 1.0001);
    const table = { shape: [V, D], data: new Uint8Array(tuned.buffer) };
    const base = { shape: [V, D], data: grown(V, D) };
    await give(
      page,
      file('a.safetensors', safetensors({ 'model.embed_tokens.weight': base, 'lm_head.weight': base })),
      file('b.safetensors', safetensors({ 'model.embed_tokens.weight': table, 'lm_head.weight': base })),
      file('vocab.json', words),
    );
    const compare = page.getByRole('region', { name: 'Compare with other models or training steps' });
    await soon(() => plain(page, '.compare .card-words')).toContain('The table that reads differs in 2 of 640 rows.');
    expect(await plain(page, '.compare .card-words')).toContain(
      'The table that writes has not changed: all 640 rows are equal.',
    );
    const moved = compare.getByRole('region', { name: /^The rows that moved most, reads/ });
    const cellsOf = (part: Locator) =>
      part
        .locator('tbody tr')
        .evaluateAll((rows) =>
          rows.map((row) => [...row.children].map((cell) => (cell.textContent ?? '').replace(/\s+/g, ' ').trim())),
        );
    const rows = await cellsOf(moved);
    expect(rows).toHaveLength(2);
    expect(rows.map(([token, distance]) => [token, distance])).toEqual([
      ['w7', '1'],
      ['w9', expect.stringMatching(/^\d(\.\d+)? × 10⁻⁵$|^0\.000\d+$/) as string],
    ]);
    expect((await cellsOf(compare.locator('.wide'))).map((cells) => cells.slice(1, 4))).toEqual([
      ['yes', 'the first', '–'],
      ['no', 'reads', '2 of 640'],
      ['no', 'writes', '0 of 640'],
    ]);
    expect(await axeViolations(page)).toEqual([]);
    expect(problems).toEqual([]);
  });
});
