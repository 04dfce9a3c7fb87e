// Builds the article into site/.
import { join } from 'node:path';
import { root } from '../lib/root.mjs';
import { hashOfFiles, makeFolder } from '../lib/stamps.mjs';

/** Builds site/ unless nothing that it is made from has changed; resolves with true if work was done. */
export function buildSite() {
  const inputs = ['web', 'docs', 'tools/build', 'tsconfig.json', 'package.json', 'package-lock.json', 'CHANGELOG.md', 'LICENSE'];
  const hash = hashOfFiles(
    inputs.map((path) => join(root, path)),
    { ignore: /wasm\/[a-z]+-relaxed/ },
  );
  return makeFolder(join(root, 'site'), hash, async (outDir) => {
    const { buildArticle } = await import('../../web/article/build.mjs');
    await buildArticle({ root, outDir, mode: 'production' });
  });
}
