// The packed package in production builds of seven bundlers, opened in Chromium: figures that show, workers that run.
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
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

/** The strict policy, with leave for the worker that is started from a text. */
const policyWithBlobs = `${contentSecurityPolicy}; worker-src 'self' blob:`;

const tells = `
  const tell = (answer) => (document.querySelector('#out').textContent = JSON.stringify(answer));
  addEventListener('unhandledrejection', ({ reason }) => tell(String(reason)));`;

const opensLab = (options = '') => `
  const lab = await createLab(${options});
  const { data } = await lab.directPath({ embedding: { rows: 1, cols: 1, data: Float32Array.of(3) } });
  tell([lab.mode, data[0]]);`;

/** Whether a bundler finds what is written new URL('./file', import.meta.url), and takes the file along. */
const takesFiles = (bundler: string) => !['Rollup', 'esbuild', 'Bun'].includes(bundler);

/** Where the others are told, as README says, that these files are. */
const placed = "{ wasmUrl: 'tied-embeddings/core.wasm' }";

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

/** Builds a page, and opens it. */
async function openBuilt(bundler: string, name: string, policy = policyWithBlobs): Promise<OpenedPage> {
  const { script, tags = [] } = pages[name]!;
  const folder = join(packed.folder, `${bundler}-${name.replaceAll(' ', '-')}`);
  const out = join(folder, 'out');
  mkdirSync(out, { recursive: true });
  writeFileSync(join(folder, 'index.html'), html(name === 'named imports' ? [] : tags));
  writeFileSync(join(folder, 'index.js'), script(bundler));
  expect(await builders[bundler]!(folder, out)).toEqual([]);
  if (!takesFiles(bundler) && name === 'the slim entry') {
    mkdirSync(join(out, 'tied-embeddings'));
    for (const file of ['core.wasm', 'analysis.wasm']) {
      copyFileSync(join(packed.folder, 'node_modules/tied-embeddings/dist', file), join(out, 'tied-embeddings', file));
    }
  }
  return openFolder(out, policy);
}

/** Worker.js that was not found is no surprise where the bundler does not take it along. */
const expected = (bundler: string) => (problem: string) => !takesFiles(bundler) && /404|worker\.js/.test(problem);

describe.each(Object.keys(builders))('%s', (bundler) => {
  test.each(Object.keys(pages))('builds a page with %s that works', async (name) => {
    const { page, problems, close } = await openBuilt(bundler, name);
    if (name !== 'a bare import of one element' && name !== 'a bare import of all elements') {
      await page.locator('#out:not(:text("waiting"))').waitFor();
      expect(JSON.parse((await page.locator('#out').textContent()) ?? '')).toEqual(['worker', 9]);
    }
    for (const tag of pages[name]!.tags ?? []) {
      // Drawn, from numbers that a worker has computed.
      await page.locator(tag).scrollIntoViewIfNeeded();
      await page.locator(`${tag} :is(svg, canvas, table)`).first().waitFor();
    }
    await expect.poll(() => page.workers().length).toBeGreaterThan(0);
    expect(problems.filter((problem) => !expected(bundler)(problem))).toEqual([]);
    await close();
  });
});
