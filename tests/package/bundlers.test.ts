// The packed package in production builds of seven bundlers, opened in Chromium: figures are shown and workers run.
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { baselineFiles } from '../../tools/lib/modules.mjs';
import { contentSecurityPolicy } from '../../tools/serve/server.mjs';
import { openFolder, type OpenedPage } from '../browser/harness.js';
import { builders, installBundlers } from './bundlers/builders.js';
import { packPackage, type PackedPackage } from './packed.js';

let packed: PackedPackage;
beforeAll(async () => {
  await installBundlers();
  packed = packPackage();
}, 600_000);
afterAll(() => packed.remove());

/** Milliseconds after which something must be stuck, even on a busy machine. */
const patience = 300_000;

/** What the page's server must permit beyond the strict policy. */
function policyOf(bundler: string, name: string): string {
  // Parcel writes an import map into the page.
  const scripts =
    bundler === 'Parcel' ? contentSecurityPolicy.replace("script-src 'self'", "$& 'unsafe-inline'") : null;
  // Without worker.js, the worker is started from its text.
  const fromText = name === 'the global script' || (!takesFiles(bundler) && !isSlim(name));
  return `${scripts ?? contentSecurityPolicy}${fromText ? "; worker-src 'self' blob:" : ''}`;
}

const tells = `
  const tell = (answer) => (document.querySelector('#out').textContent = JSON.stringify(answer));
  addEventListener('unhandledrejection', ({ reason }) => tell(String(reason)));`;

const opensLab = (options = '') => `
  const lab = await createLab(${options});
  const { data } = await lab.directPath({ embedding: { rows: 1, cols: 1, data: Float32Array.of(3) } });
  // Of a module that is fetched now.
  const { stored } = await lab.countParameters({ family: 'gpt-2', vocabSize: 50257, dModel: 768, nLayers: 12 });
  tell([lab.mode, data[0], Number(stored)]);`;
const answer = ['worker', 9, 124_439_808];

/** Whether a bundler recognizes new URL('./file', import.meta.url) and emits the file. */
const takesFiles = (bundler: string) => !['Rollup', 'esbuild', 'Bun'].includes(bundler);

/** How the other bundlers are given the locations of these files, as in README. */
const placed = "{ wasmUrl: 'tied-embeddings/core.wasm', workerUrl: 'tied-embeddings/worker.js' }";
const placedFiles = [...baselineFiles, 'worker.js'];
const isSlim = (name: string) => name.startsWith('the slim entry');

/** How a bundler is asked for the URL of a package's file, which it renames. */
const urlOfCore: Readonly<Record<string, string>> = {
  Vite: "import wasmUrl from 'tied-embeddings/core.wasm?url';",
  webpack: "const wasmUrl = new URL('tied-embeddings/core.wasm', import.meta.url);",
  Rspack: "const wasmUrl = new URL('tied-embeddings/core.wasm', import.meta.url);",
  Parcel: "import wasmUrl from 'url:tied-embeddings/core.wasm';",
};

interface Page {
  script: (bundler: string) => string;
  tags?: string[];
}
const pages: Record<string, Page> = {
  'a bare import of one element': {
    script: () => "import 'tied-embeddings/elements/symmetry-explorer';",
    tags: ['tied-symmetry-explorer'],
  },
  'a bare import of all elements': {
    script: () => "import 'tied-embeddings/elements';",
    tags: ['tied-symmetry-explorer', 'tied-parameter-calculator', 'tied-model-table'],
  },
  'named imports': {
    script: () => `
      import { createLab } from 'tied-embeddings';
      import { SymmetryExplorer } from 'tied-embeddings/elements/symmetry-explorer';
      ${tells} ${opensLab()}
      document.querySelector('main').append(new SymmetryExplorer());`,
    tags: ['tied-symmetry-explorer'],
  },
  'the slim entry': {
    script: (bundler) => `
      import { createLab } from 'tied-embeddings/slim';
      ${tells} ${opensLab(takesFiles(bundler) ? '' : placed)}`,
  },
  'the slim entry with its own core': {
    script: (bundler) => `
      import { createLab } from 'tied-embeddings/slim';
      ${urlOfCore[bundler] ?? "const wasmUrl = 'tied-embeddings/core.wasm';"}
      ${tells} ${opensLab(takesFiles(bundler) ? '{ wasmUrl }' : "{ wasmUrl, workerUrl: 'tied-embeddings/worker.js' }")}`,
  },
  'the global script': {
    script: () => `
      import 'tied-embeddings/global';
      ${tells} const { createLab } = window.TiedEmbeddings; ${opensLab()}`,
    tags: ['tied-symmetry-explorer'],
  },
};

const html = (
  tags: readonly string[],
) => `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>A page</title>
<link rel="icon" href="data:,"></head><body><main>${tags.map((tag) => `<${tag}></${tag}>`).join('\n')}
<p id="out">waiting</p></main><script type="module" src="./index.js"></script></body></html>\n`;

const folderOf = (name: string) => name.replaceAll(' ', '-');

/** Builds all pages; resolves with their folder. */
async function buildPages(bundler: string): Promise<string> {
  const site = join(packed.folder, bundler);
  const out = join(packed.folder, `${bundler}-built`);
  for (const [name, { script, tags = [] }] of Object.entries(pages)) {
    const folder = join(site, folderOf(name));
    mkdirSync(folder, { recursive: true });
    mkdirSync(join(out, folderOf(name)), { recursive: true });
    writeFileSync(join(folder, 'index.html'), html(name === 'named imports' ? [] : tags));
    writeFileSync(join(folder, 'index.js'), script(bundler));
  }
  expect(await builders[bundler]!(site, Object.keys(pages).map(folderOf), out)).toEqual([]);
  return out;
}

/** Opens a page built into a folder of `out`. */
async function openBuilt(bundler: string, name: string, out: string): Promise<OpenedPage> {
  const folder = join(out, folderOf(name));
  if (!takesFiles(bundler) && isSlim(name)) {
    mkdirSync(join(folder, 'tied-embeddings'));
    for (const file of placedFiles) {
      const from = join(packed.folder, 'node_modules/tied-embeddings/dist', file);
      copyFileSync(from, join(folder, 'tied-embeddings', file));
    }
  }
  const opened = await openFolder(out, policyOf(bundler, name), { path: `${folderOf(name)}/` });
  opened.page.setDefaultTimeout(patience);
  return opened;
}

/** A failed request for worker.js is expected if the bundler did not emit it. */
const isSurprise = (bundler: string, name: string) => (problem: string) =>
  takesFiles(bundler) || isSlim(name) || !/404|worker\.js/.test(problem);

describe.each(Object.keys(builders))('%s', { timeout: 2 * patience }, (bundler) => {
  let out: string;
  beforeAll(async () => {
    out = await buildPages(bundler);
  }, 2 * patience);

  test.each(Object.keys(pages))('builds a working page with %s', async (name) => {
    const { page, problems, close } = await openBuilt(bundler, name, out);
    if (pages[name]!.script(bundler).includes('createLab')) {
      await page.locator('#out:not(:text("waiting"))').waitFor();
      expect(JSON.parse((await page.locator('#out').textContent()) ?? '')).toEqual(answer);
    }
    for (const tag of pages[name]!.tags ?? []) {
      // Drawn from numbers that a worker computed.
      await page.locator(tag).scrollIntoViewIfNeeded();
      await page.locator(`${tag} :is(svg, canvas, table)`).first().waitFor();
    }
    await expect.poll(() => page.workers().length, { timeout: patience }).toBeGreaterThan(0);
    expect(problems.filter(isSurprise(bundler, name))).toEqual([]);
    await close();
  });
});

test('esbuild makes one classic script that includes its worker', async () => {
  const folder = join(packed.folder, 'classic');
  mkdirSync(folder);
  const contents = `import { createLab } from 'tied-embeddings'; ${tells} (async () => { ${opensLab()} })();`;
  const stdin = { contents, resolveDir: packed.folder };
  const outfile = join(folder, 'index.js');
  // It correctly warns that such a script has no URL.
  const logOverride = { 'empty-import-meta': 'silent' } as const;
  const { warnings } = await build({ stdin, outfile, bundle: true, minify: true, logLevel: 'silent', logOverride });
  expect(warnings).toEqual([]);
  writeFileSync(join(folder, 'index.html'), html([]).replace('type="module"', 'defer'));
  const { page, problems, close } = await openFolder(folder, policyOf('esbuild', 'named imports'));
  await page.locator('#out:not(:text("waiting"))').waitFor();
  expect(JSON.parse((await page.locator('#out').textContent()) ?? '')).toEqual(answer);
  expect(problems).toEqual([]);
  await close();
});
