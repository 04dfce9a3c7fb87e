// <tied-checkpoint> with models of other programs: dropped together, at URLs of good and bad servers, with tables to choose.
import type { Page } from 'playwright-core';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { root } from '../../tools/lib/root.mjs';
import { loadCore } from '../../web/index.js';
import { ramp, safetensors } from '../web/checkpoint/checkpoint-files.js';
import { sendRange, sendWhole, startServer, type Answer, type FileServer } from '../web/checkpoint/file-server.js';
import { axeViolations, horizontalOverflow, openFixture, type OpenOptions } from './harness.js';

const script = `
import './web/elements/checkpoint/checkpoint.define.ts';
document.documentElement.style.background = 'Canvas';
window.changes = [];
addEventListener('tied-change', ({ detail }) => window.changes.push(detail));
`;
const fixture = (attributes: string) => ({
  title: 'Checkpoint',
  script,
  body: `<tied-checkpoint heading-level="2" ${attributes}></tied-checkpoint>`,
});
/** The strict policy lets the page read only its own origin. */
const open = (options: OpenOptions = {}, attributes = '') =>
  openFixture(fixture(attributes), { policy: '', ...options });

const [V, D] = [512, 32];
const tables = {
  'wte.weight': { shape: [V, D], data: ramp(V * D) },
  'lm_head.weight': { shape: [V, D], data: ramp(V * D, 1) },
};
const untied = safetensors(tables);
const large = safetensors({ first: { shape: [50_000], data: new Uint8Array(200_000) }, ...tables });
const nameless = safetensors({
  a: { shape: [V, D], data: ramp(V * D) },
  b: { shape: [V, D], data: ramp(V * D) },
  c: { shape: [D, D], data: ramp(D * D) },
});
/** A GGUF file with GPT-2's architecture and a tokenizer; its layers have more bytes than are read with the header. */
async function littleModel(): Promise<Uint8Array> {
  const core = await loadCore();
  const text = 'New York is old and new Jersey is new. '.repeat(20);
  const tokenizer = core.trainTokenizer(text, { kind: 'bpe', vocabSize: 262 });
  const trainer = core.createTrainer({
    model: {
      ...{ kind: 'transformer', vocabSize: 262, dModel: 64, nLayers: 2, nHeads: 2, contextLength: 16 },
      ...{ tying: 'untied', norm: 'layer-norm', biases: 'all' },
    },
    training: { learningRate: 0.01, batchSize: 2, seed: 1 },
    tokenIds: tokenizer.encode(text),
    tokenizer,
  });
  return trainer.toGguf();
}
const file = (name: string, bytes: Uint8Array | string) => ({ name, mimeType: '', buffer: Buffer.from(bytes) });
const give = (page: Page, ...files: ReturnType<typeof file>[]) =>
  page.locator('input[type=file]').first().setInputFiles(files);
const plain = async (page: Page, part: string): Promise<string> =>
  ((await page.locator(part).textContent()) ?? '').replace(/\s+/g, ' ').trim();
const soon = <T>(read: () => Promise<T>) => expect.poll(read, { timeout: 20_000 });
const button = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name, exact: typeof name === 'string' });
const alert = 'figure > [role=alert]';
async function openUrl(page: Page, url: string): Promise<void> {
  await page.getByRole('searchbox', { name: 'URL', exact: true }).fill(url);
  await page.keyboard.press('Enter');
}

const servers: FileServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});
/** A server of the model, without any of the files that may accompany it. */
async function serve(answer: Answer): Promise<FileServer> {
  const server = await startServer((request, response, number) => {
    if (request.url?.endsWith('.safetensors')) answer(request, response, number);
    else response.writeHead(404, cors).end();
  });
  servers.push(server);
  return server;
}
const cors = { 'access-control-allow-origin': '*' };

describe('files of a model', () => {
  it('are opened together, with evidence, a contradiction, and token strings as text', async () => {
    const { page, problems } = await open();
    const tokens = JSON.stringify({ '<img src=x onerror=alert(1)>': 10, Ġthe: 31 });
    await give(
      page,
      file('model.safetensors', untied),
      file('config.json', '{"model_type":"gpt2","tie_word_embeddings":true}'),
      file('vocab.json', tokens),
    );
    await soon(() => plain(page, '.title')).toBe('model.safetensors: one table reads, another writes');
    expect(await plain(page, '.read-out')).toMatch(
      /Not tied\. wte\.weight and lm_head\.weight differ\. Over 512 tokens, the mean cosine of a token’s two rows is [01][.\d]* \(by chance [01][.\d]*\), and 0% of the rows are equal\. One table for both roles would save 65\.5 KB\./,
    );
    expect(await plain(page, '.notes .conflict')).toContain('config.json says tie_word_embeddings: true');
    expect((await page.locator('.facts tbody :is(th, td)').allTextContents()).map((cell) => cell.trim())).toEqual([
      ...['reads', 'wte.weight', '512 × 32', 'F32', '65.5 KB'],
      ...['writes', 'lm_head.weight', '512 × 32', 'F32', '65.5 KB'],
    ]);
    expect(await page.locator('.token-sample code').allTextContents()).toContain('<img␣src=x␣onerror=alert(1)>');
    expect(await page.locator('.token-sample img').count()).toBe(0);
    expect(await page.evaluate(() => (window as unknown as { changes: unknown[] }).changes)).toEqual([
      { name: 'model.safetensors', tied: false, parameters: 2 * V * D },
    ]);
    expect(problems).toEqual([]);
  });

  it('are opened when they are dropped on the figure', async () => {
    const { page, problems } = await open();
    await page.locator('tied-checkpoint').evaluate(
      (element, bytes) => {
        const dataTransfer = new DataTransfer();
        dataTransfer.items.add(new File([Uint8Array.from(bytes)], 'dropped.safetensors'));
        for (const type of ['dragover', 'drop'])
          element.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }));
      },
      [...untied],
    );
    await soon(() => plain(page, '.title')).toBe('dropped.safetensors: one table reads, another writes');
    expect(problems).toEqual([]);
  });

  it('that do not name their tables make the figure ask for them', async () => {
    const { page } = await open({ width: 320 });
    await give(page, file('odd.safetensors', nameless));
    await soon(() => plain(page, alert)).toContain('odd.safetensors does not say which of its matrices');
    expect(await plain(page, '.title')).toBe('Is a trained model tied?');
    expect(await axeViolations(page)).toEqual([]);
    expect(await horizontalOverflow(page)).toBe(0);
    const input = page.getByRole('combobox', { name: 'Input table' });
    expect(await input.locator('option').allTextContents()).toEqual(
      ['a', 'b', 'c'].map((name) => expect.stringContaining(`${name}: `) as string),
    );
    await page.getByRole('combobox', { name: 'Output table' }).selectOption({ label: 'b: 512 × 32, F32, 65.5 KB' });
    await button(page, 'Open with these').click();
    await soon(() => plain(page, '.read-out')).toContain('Tied. a and b have the same bytes.');
    expect(await plain(page, alert)).toBe('');
    expect(await horizontalOverflow(page)).toBe(0);
  });

  it('that are damaged do not replace the open model', async () => {
    const { page } = await open();
    await give(page, file('model.safetensors', untied));
    await soon(() => plain(page, '.title')).toContain('model.safetensors');
    await give(page, file('cut.safetensors', untied.subarray(0, 40_000)));
    await soon(() => plain(page, alert)).toMatch(/^cut\.safetensors was not opened: .*Download it again/);
    expect(await plain(page, '.title')).toContain('model.safetensors');
    // The files that accompany the open model.
    await give(page, file('vocab.json', '{"York":0}'));
    await soon(() => plain(page, '.token-sample')).toContain('512 tokens');
    expect(await plain(page, alert)).toBe('');
  });

  it('wait for the weights that they accompany', async () => {
    const { page } = await open();
    await give(page, file('vocab.json', JSON.stringify(Array.from({ length: V }, (_, id) => `t${id}`))));
    await soon(() => plain(page, alert)).toContain('vocab.json may have token strings');
    await give(page, file('model.safetensors', untied));
    await soon(() => plain(page, '.token-sample')).toContain('t10');
  });
});

describe('a URL', () => {
  it('of a server with range requests is read only where needed', async () => {
    const { page } = await open();
    const server = await serve(sendRange(large, cors));
    await openUrl(page, server.url);
    await soon(() => plain(page, '.title')).toBe('model.safetensors: one table reads, another writes');
    expect(server.seen.filter(({ range }) => range === undefined)).toEqual([]);
  });

  it('of a server without range requests shows the size before the download', async () => {
    const { page } = await open();
    const server = await serve(sendWhole(large, { ...cors, 'access-control-expose-headers': 'Content-Length' }));
    await openUrl(page, server.url);
    await soon(() => plain(page, alert)).toContain('model.safetensors can only be downloaded as a whole: 331 KB');
    await button(page, 'Download 331 KB').click();
    await soon(() => plain(page, '.title')).toContain('another writes');
  });

  it('whose download is cut off is offered again', async () => {
    const { page } = await open();
    let isWhole = false;
    const server = await serve((request, response, number) => {
      if (isWhole) sendRange(large, cors)(request, response, number);
      else response.writeHead(503, cors).end();
    });
    await openUrl(page, server.url);
    await soon(() => plain(page, alert)).toContain('model.safetensors could not be fetched');
    isWhole = true;
    await button(page, 'Try again').click();
    await soon(() => plain(page, '.title')).toContain('another writes');
  });

  it('of a stalled server can be cancelled, and the open model stays', async () => {
    const { page } = await open();
    await give(page, file('mine.safetensors', untied));
    await soon(() => plain(page, '.title')).toContain('mine.safetensors');
    const server = await serve(() => undefined);
    await openUrl(page, server.url);
    await button(page, 'Cancel').click();
    await soon(() => plain(page, alert)).toBe('Cancelled.');
    expect(await plain(page, '.title')).toContain('mine.safetensors');
    expect(await button(page, 'Open').isEnabled()).toBe(true);
  });

  it('of a model that can run here is read completely on request, and the model writes', async () => {
    const { page, problems } = await open();
    let isThere = true;
    const whole = await littleModel();
    const server = await serve((request, response, number) => {
      if (isThere) sendRange(whole, cors)(request, response, number);
      else response.writeHead(503, cors).end();
    });
    await openUrl(page, server.url);
    await soon(() => plain(page, '.why-not')).toMatch(
      /^Only the tables were read\. The model may run here, too: its files take up/,
    );
    const title = await plain(page, '.title');
    const run = button(page, 'Read it all and run it');
    expect(await axeViolations(page)).toEqual([]);
    // A server that fails meanwhile does not affect the open model.
    isThere = false;
    await run.click();
    await soon(() => plain(page, alert)).toContain('could not be fetched');
    expect(await plain(page, '.title')).toBe(title);
    isThere = true;
    await button(page, 'Try again').click();
    await button(page, 'Write').click();
    await soon(() => plain(page, '.written')).not.toBe('');
    expect(await page.locator('.why-not').count()).toBe(0);
    expect(await plain(page, '.title')).toBe(title);
    expect(await plain(page, alert)).toBe('');
    // For the accompanying files, and for the failed server.
    expect(problems.filter((problem) => !/\b(404|503)\b/.test(problem))).toEqual([]);
  });

  it('of a model with another architecture says why it does not run, and offers no download for running', async () => {
    const { page } = await open();
    const server = await serve(sendRange(large, cors));
    await openUrl(page, server.url);
    await soon(() => plain(page, '.why-not')).toMatch(/^The model itself does not run here: its tensors \('/);
    expect(await button(page, 'Read it all and run it').count()).toBe(0);
    expect(await plain(page, '.title')).toContain('another writes');
  });

  it('that is invalid is refused with a sentence', async () => {
    const { page } = await open();
    await openUrl(page, 'javascript:alert(1)');
    await soon(() => plain(page, alert)).toContain('not an http or https URL');
  });

  it('in src is fetched unasked only from the page’s own origin', async () => {
    const server = await serve(sendRange(large, cors));
    const { page } = await open({}, `src="${server.url}"`);
    await soon(() => page.getByRole('searchbox', { name: 'URL', exact: true }).inputValue()).toBe(server.url);
    expect(server.seen).toEqual([]);
    await button(page, 'Open').click();
    await soon(() => plain(page, '.title')).toContain('another writes');
  });
});

describe('the models of the page', () => {
  const asset = 'web/article/assets/finished-transformers.safetensors';
  /** The element is added once the file can be served. */
  async function openPage(options: OpenOptions = {}) {
    const opened = await openFixture({ title: 'Checkpoint', script, body: '<div id="place"></div>' }, options);
    await opened.page.route('**/models.safetensors', (route) => route.fulfill({ path: join(root, asset) }));
    await opened.page.evaluate(() => {
      document.querySelector('#place')!.innerHTML =
        '<tied-checkpoint heading-level="2" weights="models.safetensors" seed="7"></tied-checkpoint>';
    });
    return opened;
  }

  it('are available without a file from the reader, and write', async () => {
    const { page, problems } = await openPage();
    await soon(() => plain(page, '.title')).toBe('The tied GPT of this page: one table that reads and writes');
    expect(await page.evaluate(() => (window as unknown as { changes: unknown[] }).changes)).toEqual([]);
    await page.getByRole('radio', { name: 'The untied GPT of this page' }).check({ force: true });
    await soon(() => plain(page, '.title')).toBe('The untied GPT of this page: one table reads, another writes');
    const tokens = page.getByRole('spinbutton', { name: 'Tokens' });
    await tokens.fill('20');
    await tokens.press('Enter');
    await button(page, 'Write').click();
    await soon(() => plain(page, '.visually-hidden[role=status]')).toContain('20 tokens written');
    expect(await plain(page, alert)).toBe('');
    await give(page, file('mine.safetensors', untied));
    await soon(() => plain(page, '.title')).toContain('mine.safetensors');
    await page.getByRole('radio', { name: 'The tied GPT of this page' }).check({ force: true });
    await soon(() => plain(page, '.title')).toContain('The tied GPT');
    await page.getByRole('radio', { name: 'Yours: mine.safetensors' }).check({ force: true });
    await soon(() => plain(page, '.title')).toContain('mine.safetensors');
    expect(problems).toEqual([]);
  });

  it.each(['light', 'dark'] as const)('have no axe violation, and fit 320 px, in %s', async (colorScheme) => {
    const { page } = await openPage({ colorScheme, width: 320, height: 800 });
    await soon(() => plain(page, '.title')).toContain('The tied GPT');
    expect(await axeViolations(page)).toEqual([]);
    expect(await horizontalOverflow(page)).toBe(0);
  });
});
