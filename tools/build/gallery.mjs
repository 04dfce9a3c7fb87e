// Builds the page of all elements: site/gallery/. Needs dist/.
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { renderGallery } from '../../web/article/gallery/render.mjs';
import { kilobyte } from '../lib/sizes.mjs';
import { root } from '../lib/root.mjs';
import { browserOptions } from './dist.mjs';

const dist = (name) => join(root, 'dist', name);

/** What the script for pages and its parts weigh: tag -> KB, rounded up. The script lists which parts hold a figure. */
async function weights() {
  const script = 'tied-embeddings.global.js';
  const lists = [...(await readFile(dist(script), 'utf8')).matchAll(/"([\w-]+)\.define-\w+\.js":(\[[^\]]*\])/g)];
  const size = async (name) => gzipSync(await readFile(dist(name)), { level: 9 }).length;
  /** @type {Map<string, number>} */
  const known = new Map();
  for (const [, name, parts] of lists) {
    const sizes = await Promise.all([script, ...JSON.parse(parts).map((part) => `global/${part}`)].map(size));
    known.set(`tied-${name}`, Math.ceil(sizes.reduce((sum, bytes) => sum + bytes, 0) / kilobyte));
  }
  return known;
}

/** @param {string} outDir */
export async function buildGallery(outDir) {
  const source = join(root, 'web/article/gallery');
  const known = await weights();
  const html = renderGallery({
    manifest: JSON.parse(await readFile(dist('custom-elements.json'), 'utf8')),
    readme: await readFile(join(root, 'README.md'), 'utf8'),
    pages: await readFile(join(root, 'docs/pages.md'), 'utf8'),
    kilobytes(tag) {
      const weight = known.get(tag);
      if (weight === undefined) throw new Error(`The parts of <${tag}> are not listed in the script for pages`);
      return weight;
    },
  });
  await mkdir(outDir, { recursive: true });
  await writeFile(join(outDir, 'index.html'), html);
  await copyFile(join(source, 'gallery.css'), join(outDir, 'gallery.css'));
  await build({ ...browserOptions, minify: true, entryPoints: [join(source, 'gallery.ts')], outdir: outDir });
}
