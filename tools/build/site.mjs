// Builds the article into site/, and beside it the API reference (api/), all claims (claims/), all figures (gallery/), the page for teachers (teachers/)
// and the page that opens a model (is-it-tied/).
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { recordLines } from '../lib/record-lines.mjs';
import { root } from '../lib/root.mjs';
import { hashOf, hashOfFiles, isFresh, makeFolder, writeIfChanged } from '../lib/stamps.mjs';

const recordName = 'web/article/assets/recorded-facts.json';
const recordFile = join(root, recordName);
/** What the article in site/ was last computed with. */
const computedFile = join(root, 'build/article/computed-facts.json');

/** The article's computed numbers as a text. */
export const recordOf = (facts) => `${recordLines(facts)}\n`;

/** The numbers as last computed. Every build of the package gives the same bits, so they change only with what computes them. */
export const readRecord = () => JSON.parse(readFileSync(recordFile, 'utf8'));

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

/** @param {any} facts The article's computed numbers. */
async function buildTeachers(outDir, facts) {
  const source = join(root, 'web/article/teachers');
  const { renderTeachers } = await import('../../web/article/teachers/render.mjs');
  await mkdir(outDir, { recursive: true });
  await writeFile(join(outDir, 'index.html'), renderTeachers(await readFile(join(source, 'page.html'), 'utf8'), facts));
  await copyFile(join(source, 'teachers.css'), join(outDir, 'teachers.css'));
}

/** Its figure is the package's own, from the script that the site has for other pages. */
async function buildIsItTied(outDir) {
  const source = join(root, 'web/article/is-it-tied');
  const [{ build }, { browserOptions }] = await Promise.all([import('esbuild'), import('./dist.mjs')]);
  const { renderIsItTied } = await import('../../web/article/is-it-tied/render.mjs');
  await mkdir(outDir, { recursive: true });
  await writeFile(join(outDir, 'index.html'), renderIsItTied(await readFile(join(source, 'page.html'), 'utf8')));
  await copyFile(join(source, 'is-it-tied.css'), join(outDir, 'is-it-tied.css'));
  await build({ ...browserOptions, minify: true, entryPoints: [join(source, 'is-it-tied.ts')], outdir: outDir });
}

/**
 * Builds site/ unless its inputs are unchanged; resolves with true if work was done. With `recorded`, the article's numbers are not
 * computed but read from the record; such a site is built again without it. Computed numbers are recorded; with `compare`, it is an
 * error if the record was another.
 */
export async function buildSite({ recorded = false, compare = false } = {}) {
  const inputs = ['web', 'docs', 'claims', 'tools/build', 'tools/claims', 'tools/api', 'tools/lib/static-page.mjs', 'tsconfig.json', 'package.json', 'package-lock.json', 'CHANGELOG.md', 'LICENSE', 'README.md'];
  const files = hashOfFiles(
    inputs.map((path) => join(root, path)),
    { ignore: /wasm\/[a-z]+-relaxed|recorded-facts\.json/ },
  );
  // The page holds its own URL (web/article/build/site-address.mjs).
  const hash = hashOf(files, process.env.SITE_URL ?? '');
  const folder = join(root, 'site');
  if (recorded && isFresh(folder, hash)) return false;
  if (!recorded && !existsSync(computedFile)) rmSync(join(folder, '.stamp'), { force: true });
  const done = await makeFolder(folder, recorded ? hashOf(hash, hashOfFiles([recordFile])) : hash, async (outDir) => {
    const { buildArticle } = await import('../../web/article/build.mjs');
    const facts = await buildArticle({ root, outDir, mode: 'production', recorded: recorded ? readRecord() : undefined });
    await buildApiReference(join(outDir, 'api'));
    await buildClaims(join(outDir, 'claims'));
    const { buildGallery } = await import('./gallery.mjs');
    await buildGallery(join(outDir, 'gallery'));
    await buildTeachers(join(outDir, 'teachers'), facts);
    await buildIsItTied(join(outDir, 'is-it-tied'));
    if (!recorded) writeIfChanged(computedFile, recordOf(facts));
  });
  if (recorded || !writeIfChanged(recordFile, readFileSync(computedFile))) return done;
  const changed = `the article's numbers are not those of ${recordName}, which has been written again; commit it with what changed them`;
  if (compare) throw new Error(changed);
  console.log(`\n${changed}`);
  return done;
}

// In a separate process, for a caller that does other things meanwhile (tools/test/phases.mjs).
if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const asked = (option) => process.argv.includes(option);
  await buildSite({ recorded: asked('--recorded'), compare: asked('--compare') });
}
