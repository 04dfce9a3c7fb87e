// Builds the article into site/, the API reference into site/api/, and the page of all claims into site/claims/.
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from '../lib/root.mjs';
import { hashOfFiles, makeFolder } from '../lib/stamps.mjs';

async function buildApiReference(outDir) {
  const [{ readApi }, { renderApi }] = await Promise.all([import('../api/read-api.mjs'), import('../api/render-api.mjs')]);
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  await mkdir(outDir, { recursive: true });
  await writeFile(join(outDir, 'index.html'), renderApi(readApi(), { version }));
  await copyFile(join(root, 'web/article/styles/api.css'), join(outDir, 'api.css'));
}

async function buildClaims(outDir) {
  const { renderClaims } = await import('../claims/render-html.mjs');
  await mkdir(outDir, { recursive: true });
  await writeFile(join(outDir, 'index.html'), renderClaims(await readFile(join(root, 'docs/claims.md'), 'utf8')));
}

/** Builds site/ unless its inputs are unchanged; resolves with true if work was done. */
export function buildSite() {
  const inputs = ['web', 'docs', 'claims', 'tools/build', 'tools/claims', 'tools/api', 'tools/lib/static-page.mjs', 'tsconfig.json', 'package.json', 'package-lock.json', 'CHANGELOG.md', 'LICENSE'];
  const hash = hashOfFiles(
    inputs.map((path) => join(root, path)),
    { ignore: /wasm\/[a-z]+-relaxed/ },
  );
  return makeFolder(join(root, 'site'), hash, async (outDir) => {
    const { buildArticle } = await import('../../web/article/build.mjs');
    await buildArticle({ root, outDir, mode: 'production' });
    await buildApiReference(join(outDir, 'api'));
    await buildClaims(join(outDir, 'claims'));
  });
}

// In a separate process, for a caller that does other things meanwhile (tools/test/phases.mjs).
if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) await buildSite();
