// The package in a page without a build step: its modules and its classic script, as files, under the strict policy.
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { elementNames } from '../../tools/build/dist.mjs';
import { root } from '../../tools/lib/root.mjs';
import { serve } from '../../tools/serve/server.mjs';
import { axeViolations, openFile, openHtml } from './harness.js';

const dist = { '/dist/': join(root, 'dist') };
const scripts = join(root, 'tests/browser/scripts');

function html(head: string, body = ''): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>A post</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><link rel="icon" href="data:,">${head}</head>
<body><main><h1>A post</h1>${body}<p id="out">waiting</p></main></body></html>`;
}

async function outcome(script: string) {
  const opened = await openHtml(html(`<script type="module" src="/scripts/${script}"></script>`), {
    ...dist,
    '/scripts/': scripts,
  });
  await opened.page.locator('#out:not(:text("waiting"))').waitFor();
  const text = await opened.page.locator('#out').textContent();
  expect(opened.problems).toEqual([]);
  await opened.close();
  return JSON.parse(text ?? '') as unknown;
}

test.each(['tied-embeddings.js', 'slim.js'])('%s trains in a worker and on the page', async (entry) => {
  expect(await outcome(entry === 'slim.js' ? 'lab-slim.js' : 'lab-main.js')).toEqual({
    mode: 'worker',
    sameAsCore: true,
    falls: true,
    isACopy: true,
  });
});

test('one classic script and one tag show an element, and its lab runs in a worker', async () => {
  const opened = await openHtml(
    html(
      '<script src="/dist/tied-embeddings.global.js" defer></script><script type="module" src="/scripts/global.js"></script>',
      '<h2>What tying saves</h2><tied-parameter-calculator></tied-parameter-calculator>',
    ),
    { ...dist, '/scripts/': scripts },
  );
  await opened.page.locator('#out:not(:text("waiting"))').waitFor();
  expect(JSON.parse((await opened.page.locator('#out').textContent()) ?? '')).toEqual({
    api: ['TiedError', 'createLab', 'isSupported', 'loadCore'],
    mode: 'worker',
  });
  await expect.poll(() => opened.page.locator('tied-parameter-calculator').textContent()).not.toBeNull();
  expect(
    await opened.page.locator('tied-parameter-calculator').evaluate((element) => element.shadowRoot !== null),
  ).toBe(true);
  expect(opened.problems).toEqual([]);
  expect(await axeViolations(opened.page)).toEqual([]);
  await opened.close();
});

test('the standalone script also runs from a blob: URL, without files beside it', async () => {
  const opened = await openHtml(html('', '<tied-parameter-calculator></tied-parameter-calculator>'), dist, {
    policy: '',
  });
  const { total, mode } = await opened.page.evaluate(async () => {
    const source = await (await fetch('/dist/tied-embeddings.standalone.js')).blob();
    const script = document.createElement('script');
    script.src = URL.createObjectURL(source);
    const loaded = new Promise((resolve, reject) => {
      script.addEventListener('load', resolve);
      script.addEventListener('error', reject);
    });
    document.head.append(script);
    await loaded;
    const lab = await window.TiedEmbeddings.createLab();
    const { total } = await lab.bigrams(Uint32Array.of(0, 1, 0), 2);
    lab.dispose();
    return { total, mode: lab.mode };
  });
  expect({ total, mode }).toEqual({ total: 2, mode: 'worker' });
  await expect.poll(() => opened.page.locator('tied-parameter-calculator figure').count()).toBeGreaterThan(0);
  expect(opened.problems).toEqual([]);
  await opened.close();
});

/** Until a figure of this kind has drawn what its core has computed. */
const computed = (page: Page): Promise<unknown> =>
  page.locator('tied-parameter-calculator').locator('svg text').first().waitFor();

describe('the classic script in parts', () => {
  const tag = '<tied-parameter-calculator model="gpt2"></tied-parameter-calculator>';
  const names = (page: Page): Promise<string[]> =>
    page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname));

  // The lab that trains has most settings, and what stores its runs is fetched by what is here.
  const most = (name: string): number => (name === 'training-lab' ? 123_000 : 120_000);

  test.each(elementNames())('downloads at most 120 KB before <tied-%s> wakes, and no core', async (name) => {
    const { page, problems, close } = await openHtml(
      html(
        '<script src="/dist/tied-embeddings.global.js" defer></script>',
        `${'<p>Far above.</p>'.repeat(300)}<tied-${name}></tied-${name}>`,
      ),
      dist,
    );
    await page.evaluate(async (wanted) => {
      await customElements.whenDefined(wanted);
      await (document.querySelector(wanted) as unknown as { updateComplete: Promise<unknown> }).updateComplete;
    }, `tied-${name}`);
    const files = (await names(page)).filter((path) => path.startsWith('/dist/'));
    expect(files).toContain('/dist/tied-embeddings.global.js');
    expect(files).toContain(`/dist/global/${name}.js`);
    expect(files.filter((path) => /\/(lab|load|lab-load)\.js$|bytes|wasm|worker/.test(path))).toEqual([]);
    const bytes = files.map((path) => gzipSync(readFileSync(join(root, path)), { level: 9 }).length);
    expect(bytes.reduce((sum, one) => sum + one)).toBeLessThan(most(name));
    expect(problems).toEqual([]);
    await close();
  });

  test('without a figure is itself all that a page downloads; a figure added later is registered', async () => {
    const { page, problems, close } = await openHtml(
      html('<script src="/dist/tied-embeddings.global.js" defer></script>'),
      dist,
    );
    expect((await names(page)).filter((path) => path.startsWith('/dist/'))).toEqual([
      '/dist/tied-embeddings.global.js',
    ]);
    await page.evaluate(() => {
      const inside = document.createElement('section');
      const figure = Object.assign(document.createElement('tied-parameter-calculator'), { vocabSize: 1234 });
      inside.append(figure);
      document.body.append(inside);
    });
    await computed(page);
    expect(await page.locator('tied-parameter-calculator').evaluate((of) => (of as never)['vocabSize'])).toBe(1234);
    expect(problems).toEqual([]);
    await close();
  });

  // WebKit collects a script that is in no document, listeners included, even while it loads: the figure then waits for ever.
  test('keeps the script of a part in the document until it has arrived', async () => {
    const { page, problems, close } = await openHtml(html('', tag), dist);
    let release!: () => void;
    const released = new Promise<void>((resolve) => (release = resolve));
    await page.route(/global\/parameter-calculator\.js$/, async (route) => {
      await released;
      await route.continue();
    });
    const asked = page.waitForRequest(/global\/parameter-calculator\.js$/);
    await page.addScriptTag({ url: '/dist/tied-embeddings.global.js' });
    await asked;
    const part = page.locator('script[src$="global/parameter-calculator.js"]');
    expect(await part.count()).toBe(1);
    release();
    await computed(page);
    expect(await part.count()).toBe(0);
    expect(problems).toEqual([]);
    await close();
  });

  test('registers every figure on request, for those that no document contains', async () => {
    const { page, problems, close } = await openHtml(
      html('<script src="/dist/tied-embeddings.global.js" data-elements="all" defer></script>'),
      dist,
    );
    const tags = elementNames().map((name) => `tied-${name}`);
    await page.evaluate((all) => Promise.all(all.map((one) => customElements.whenDefined(one))), tags);
    expect(problems).toEqual([]);
    await close();
  });

  test('works in a page that was opened from a disk', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tied-embeddings-page-'));
    cpSync(join(root, 'dist'), join(folder, 'dist'), { recursive: true });
    writeFileSync(join(folder, 'index.html'), html('<script src="dist/tied-embeddings.global.js"></script>', tag));
    const { page, close } = await openFile(join(folder, 'index.html'));
    await computed(page);
    const mode = await page.evaluate(async () => {
      const lab = await window.TiedEmbeddings.createLab();
      await lab.bigrams(Uint32Array.of(0, 1, 0), 2);
      lab.dispose();
      return lab.mode;
    });
    expect(mode).toBe('worker');
    await close();
    rmSync(folder, { recursive: true });
  });

  test.each(['global', 'standalone'])('draws its signs in a page of another encoding: %s', async (name) => {
    const folder = mkdtempSync(join(tmpdir(), 'tied-embeddings-page-'));
    cpSync(join(root, 'dist'), join(folder, 'dist'), { recursive: true });
    const script = `<script src="dist/tied-embeddings.${name}.js"></script>`;
    const figure = '<tied-symmetry-explorer></tied-symmetry-explorer>';
    writeFileSync(
      join(folder, 'index.html'),
      `<!doctype html><html lang="en"><meta charset="windows-1252"><title>Page</title>${script}${figure}`,
    );
    const { page, close } = await openFile(join(folder, 'index.html'));
    const text = page.locator('tied-symmetry-explorer').getByText('⊤').first();
    await text.waitFor();
    expect(await page.locator('tied-symmetry-explorer').innerText()).not.toMatch(/â|Â/);
    await close();
    rmSync(folder, { recursive: true });
  });

  test('works in a page whose policy allows scripts with a nonce alone, and with Trusted Types', async () => {
    const policy =
      "default-src 'none'; img-src data:; style-src 'self'; script-src 'nonce-abc' 'wasm-unsafe-eval'; worker-src 'self'; require-trusted-types-for 'script'; trusted-types tied-embeddings lit-html";
    const { page, problems, close } = await openHtml(
      html('<script nonce="abc" src="/dist/tied-embeddings.global.js" defer></script>', tag),
      dist,
      { policy },
    );
    await computed(page);
    expect(problems).toEqual([]);
    await close();
  });

  test('says what is missing if its folder is', async () => {
    const alone = { '/dist/tied-embeddings.global.js': join(root, 'dist/tied-embeddings.global.js') };
    const { page, close } = await openHtml(
      html('<script src="/dist/tied-embeddings.global.js" defer></script>', tag.replace('><', '>A picture instead.<')),
      alone,
    );
    const note = page.locator('tied-parameter-calculator').getByRole('note');
    await expect.poll(() => note.textContent()).toMatch(/cannot run here: the script .*global\/.* could not be loaded/);
    await page.getByText('A picture instead.').waitFor();
    const failed = await page.evaluate(() => window.TiedEmbeddings.loadCore().catch((error: unknown) => error));
    expect(String(failed)).toMatch(/could not be loaded.*standalone/);
    await close();
  });

  test.each([
    ['a part that a figure needs at work is missing', 404, ''],
    ['a part is damaged', 200, 'not a script of ours;'],
  ])('if %s, the figure says so and the page stays alive', async (_, status, body) => {
    const { page, close } = await openHtml(html('', tag), dist);
    await page.route(/global\/accounting-bytes\.js$/, (route) =>
      route.fulfill({ status, body, contentType: 'text/javascript' }),
    );
    await page.addScriptTag({ url: '/dist/tied-embeddings.global.js' });
    const alert = page.locator('tied-parameter-calculator').getByRole('alert').first();
    await expect.poll(() => alert.textContent()).toMatch(/accounting\.wasm could not be loaded/);
    await close();
  });
});

describe('the one module for a page without a build', () => {
  test.each(['elements.bundle.js', 'bare address'])('works from another origin (%s)', async (way) => {
    const script = readFileSync(join(root, 'dist/elements.bundle.js'));
    // As content networks do, which also serve a package's main script at the package's own address.
    const other = await serve({
      folders: { '/npm/tied-embeddings@0.2.0/dist/': join(root, 'dist') },
      headers: { 'Access-Control-Allow-Origin': '*', 'Cross-Origin-Resource-Policy': 'cross-origin' },
      routes: {
        '/npm/tied-embeddings@0.2.0': (_request, response, headers) =>
          response.writeHead(200, { ...headers, 'Content-Type': 'text/javascript' }).end(script),
      },
    });
    const address = `${other.url}npm/tied-embeddings@0.2.0${way === 'bare address' ? '' : `/dist/${way}`}`;
    const use = `import { createLab } from '${address}';
      const lab = await createLab();
      document.querySelector('#out').textContent = (await lab.bigrams(Uint32Array.of(0, 1, 0), 2)).total + ' ' + lab.mode;
      lab.dispose();`;
    const { page, problems, close } = await openHtml(
      html(
        `<script type="module" src="${address}"></script><script type="module">${use}</script>`,
        '<tied-parameter-calculator model="gpt2"></tied-parameter-calculator>',
      ),
      {},
      { policy: '' },
    );
    await expect.poll(() => page.locator('#out').textContent()).toBe('2 worker');
    await computed(page);
    expect(problems).toEqual([]);
    await close();
    await other.close();
  });
});
