// The page "Is it tied?", as the site serves it: what it opens, what its address holds, and what it weighs.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { afterEach, describe, expect, test } from 'vitest';
import { root } from '../../tools/lib/root.mjs';
import { ramp, restOfGpt2, safetensors, TIED_WTE } from '../web/checkpoint/checkpoint-files.js';
import { sendRange, startServer, type Answer, type FileServer } from '../web/checkpoint/file-server.js';
import { axeViolations, horizontalOverflow, openFolder, openSite, type OpenOptions } from './harness.js';

const [V, D] = [512, 32];
const tables = {
  'wte.weight': { shape: [V, D], data: ramp(V * D) },
  'lm_head.weight': { shape: [V, D], data: ramp(V * D, 1) },
};
const untied = safetensors(tables);
const tied = safetensors({ 'wte.weight': tables['wte.weight'], ...restOfGpt2(D) }, TIED_WTE);
const file = (name: string, bytes: Uint8Array | string) => ({ name, mimeType: '', buffer: Buffer.from(bytes) });
const give = (page: Page, ...files: ReturnType<typeof file>[]) =>
  page.locator('tied-checkpoint input[type=file]').first().setInputFiles(files);
const plain = async (page: Page, part: string): Promise<string> =>
  ((await page.locator(part).first().textContent()) ?? '').replace(/\s+/g, ' ').trim();
const soon = <T>(read: () => Promise<T>) => expect.poll(read, { timeout: 30_000 });
const verdict = (page: Page) => plain(page, 'tied-checkpoint .read-out');
/** Under the strict policy, or another one. */
const open = ({ query = '', policy, ...options }: OpenOptions & { query?: string } = {}) => {
  const path = `is-it-tied/${query}`;
  return policy === undefined
    ? openSite(path, { atRest: true, ...options })
    : openFolder(join(root, 'site'), policy, { atRest: true, ...options, path });
};

const servers: FileServer[] = [];
const folders: string[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});
const cors = { 'access-control-allow-origin': '*' };
async function serve(answer: Answer): Promise<FileServer> {
  const server = await startServer((request, response, number) => {
    if (request.url?.endsWith('.safetensors')) answer(request, response, number);
    else response.writeHead(404, cors).end();
  });
  servers.push(server);
  return server;
}
const asked = (url: string): string => `?url=${encodeURIComponent(url)}`;

describe('the page', () => {
  test.each([
    ['light', 1440],
    ['dark', 1440],
    ['light', 320],
    ['dark', 320],
  ] as const)(
    'says what to give it, and has no problems under the strict policy, %s, at %i px',
    async (colorScheme, width) => {
      const { page, problems } = await open({ colorScheme, width, touch: width === 320 });
      await page.getByRole('button', { name: 'Choose files' }).waitFor();
      await page.getByRole('button', { name: 'Choose a folder' }).waitFor();
      expect(await horizontalOverflow(page)).toBe(0);
      expect(await axeViolations(page)).toEqual([]);
      await give(page, file('model.safetensors', untied), file('config.json', '{"tie_word_embeddings":true}'));
      await soon(() => verdict(page)).toContain('Not tied. wte.weight and lm_head.weight differ.');
      expect(await horizontalOverflow(page)).toBe(0);
      expect(await axeViolations(page)).toEqual([]);
      await page.getByRole('button', { name: /^Look inside/ }).click();
      await page.locator('tied-checkpoint .statistics').waitFor();
      await expect.poll(() => horizontalOverflow(page)).toBe(0);
      expect(await axeViolations(page)).toEqual([]);
      expect(problems).toEqual([]);
    },
  );
});

describe('it opens', () => {
  test('a folder: its weights with their index, configuration and tokenizer, and names what it leaves closed', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tied-embeddings-folder-'));
    folders.push(folder);
    const names = ['model-00001-of-00002.safetensors', 'model-00002-of-00002.safetensors'] as const;
    const [wte, head] = [
      safetensors({ 'wte.weight': tables['wte.weight'] }),
      safetensors({ 'lm_head.weight': tables['wte.weight'] }),
    ];
    const index = { metadata: {}, weight_map: { 'wte.weight': names[0], 'lm_head.weight': names[1] } };
    writeFileSync(join(folder, names[0]), wte);
    writeFileSync(join(folder, names[1]), head);
    writeFileSync(join(folder, 'model.safetensors.index.json'), JSON.stringify(index));
    writeFileSync(join(folder, 'config.json'), '{"model_type":"gpt2","tie_word_embeddings":true}');
    writeFileSync(join(folder, 'vocab.json'), JSON.stringify({ New: 0, York: 21 }));
    writeFileSync(join(folder, 'README.md'), '# A model');
    mkdirSync(join(folder, 'onnx'));
    writeFileSync(join(folder, 'onnx', 'model.onnx'), 'x');
    const { page, problems } = await open({ width: 1440 });
    const choosing = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Choose a folder' }).click();
    await (await choosing).setFiles(folder);
    await soon(() => verdict(page)).toContain('Tied. wte.weight and lm_head.weight have the same bytes.');
    expect(await plain(page, 'tied-checkpoint .remark')).toMatch(
      /^Also in the folder, and not opened: [\w-]+\/onnx\/model\.onnx\.$/,
    );
    expect(problems).toEqual([]);
  });

  test('files that are dropped anywhere on it, and the folder that is dropped', async () => {
    const { page } = await open({ width: 1440 });
    await page.getByRole('button', { name: 'Choose files' }).waitFor();
    await page.locator('h1').evaluate(
      (heading, bytes) => {
        const dataTransfer = new DataTransfer();
        dataTransfer.items.add(new File([Uint8Array.from(bytes)], 'dropped.safetensors'));
        for (const type of ['dragover', 'drop'])
          heading.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true, composed: true }));
      },
      [...tied],
    );
    await soon(() => verdict(page)).toContain('Tied.');
    expect(await page.title()).toBe('dropped.safetensors · Is it tied?: tied-embeddings');
    expect(new URL(page.url()).search).toBe('');
  });

  test('the link in its address at once, keeps it there, and restores the view from a copied link', async () => {
    const server = await serve(sendRange(tied, cors));
    // The strict policy lets the page read only its own origin.
    const { page, problems } = await open({ width: 1440, policy: '', query: asked(server.url) });
    await soon(() => verdict(page)).toContain('Tied. The file stores one table and lists it as the other too');
    expect(server.seen.filter(({ range }) => range === undefined)).toEqual([]);
    expect(new URL(page.url()).searchParams.get('url')).toBe(server.url);
    await page.getByRole('button', { name: /^Look inside/ }).click();
    await page.getByRole('radio', { name: 'Element by element' }).check({ force: true });
    await page.locator('tied-checkpoint .title-row button').click();
    await page.getByRole('button', { name: 'Copy link' }).click();
    const copied = page.url();
    await page.goto('about:blank');
    await page.goto(copied);
    await soon(() => plain(page, 'tied-checkpoint .map .part-title')).toContain(
      'wte.weight: rows 0 to 47, columns 0 to 31',
    );
    expect(problems.filter((problem) => !/\b404\b/.test(problem))).toEqual([]);
  });

  test('no link of a server that forbids it, and says which of the two policies does', async () => {
    const server = await serve(sendRange(tied));
    const free = await open({ width: 1440, policy: '', query: asked(server.url) });
    await soon(() => plain(free.page, 'tied-checkpoint figure > [role=alert]')).toContain(
      'the server does not let other pages read it (CORS); download the file and choose it',
    );
    expect(await free.page.locator('.policy').isVisible()).toBe(false);
    const strict = await open({ width: 320, query: asked(server.url) });
    await soon(() => plain(strict.page, '.policy')).toContain(
      `does not let it read from ${new URL(server.url).host}. Download the file and open it here`,
    );
    expect(await axeViolations(strict.page)).toEqual([]);
    expect(await horizontalOverflow(strict.page)).toBe(0);
  });

  test('what its address asks for only if it is a URL', async () => {
    const { page } = await open({ query: asked('javascript:alert(1)') });
    await soon(() => plain(page, 'tied-checkpoint figure > [role=alert]')).toContain('not an http or https URL');
  });
});

describe('it weighs', () => {
  test('at most 140 KB until something is opened, without the core', async () => {
    // Something that is no page, so that nothing of the page is in the browser's cache.
    const { page, url } = await openSite('favicon.svg', { atRest: true, width: 1440 });
    const bodies = new Map<string, Promise<number>>();
    page.on('response', (response) => {
      const { pathname } = new URL(response.url());
      const size = response.body().then(
        (body) => (/\.(woff2|png)$/.test(pathname) ? body.length : gzipSync(body).length),
        () => NaN,
      );
      bodies.set(pathname, size);
    });
    await page.goto(`${url}is-it-tied/`);
    await page.getByRole('button', { name: 'Choose files' }).waitFor();
    await page.waitForLoadState('networkidle');
    const sizes = await Promise.all([...bodies].map(async ([name, size]) => [name, await size] as const));
    expect(sizes.filter(([name]) => /worker\.js$|\.wasm$/.test(name))).toEqual([]);
    const sum = sizes.reduce((all, [, size]) => all + size, 0);
    expect(sum, JSON.stringify(sizes)).toBeLessThanOrEqual(140_000);
  });

  test('nothing more without JavaScript: it says what to do instead', async () => {
    const { page } = await open({ width: 320 });
    const noscript = await page.locator('noscript').innerHTML();
    expect(noscript.replace(/\s+/g, ' ')).toContain('npx tied-embeddings check FILE_OR_URL');
  });
});

test('the article links to it, where a model is opened', async () => {
  const { page, url } = await openSite('opened.html', { width: 1440 });
  await page.getByRole('link', { name: 'A page of its own' }).click();
  await page.getByRole('heading', { name: 'Is it tied?', level: 1 }).waitFor();
  expect(page.url()).toBe(`${url}is-it-tied/`);
});
