// The article as `npm start` serves it in a fresh clone while the rest is built: with its recorded numbers, and without the files
// that other pages take from it.
import { mkdirSync, rmSync } from 'node:fs';
import { root } from '../lib/root.mjs';
import { buildArticle } from '../../web/article/build.mjs';
import { bundleWorkerForPage } from './dist.mjs';
import { readRecord } from './site.mjs';

/** Builds it into `folder`, which has no wasm yet (tools/serve/first-files.mjs). */
export async function buildFirstPage(folder) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  await bundleWorkerForPage(folder);
  await buildArticle({ root, outDir: folder, mode: 'production', recorded: readRecord(), isWhole: false });
}
