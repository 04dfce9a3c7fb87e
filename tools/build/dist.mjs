// Bundles the package: dist/ with JavaScript, wasm and type declarations.
import { copyFileSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build, formatMessages } from 'esbuild';
import { root } from '../lib/root.mjs';
import { run } from '../lib/run.mjs';
import { hashOf, hashOfFiles, isFresh, makeFolder } from '../lib/stamps.mjs';
import { noticesOf } from './notices.mjs';

const web = join(root, 'web');

/** Names of the custom elements: folders of web/elements that have a `<name>.define.ts`; `shared` holds what they are made of. */
export function elementNames() {
  const folder = join(web, 'elements');
  return readdirSync(folder)
    .filter((name) => name !== 'shared' && existsSync(join(folder, name, `${name}.define.ts`)))
    .sort();
}

/**
 * web/core/relaxed-bytes.ts stays a script of its own, beside whatever imports it: only who asks for the relaxed build
 * loads it, and nothing else has to wait until it is built.
 * @type {import('esbuild').Plugin}
 */
const relaxedApart = {
  name: 'relaxed-apart',
  setup: ({ onResolve }) => {
    onResolve({ filter: /\/relaxed-bytes\.js$/ }, () => ({ path: './relaxed-bytes.js', external: true }));
  },
};

/**
 * Options common to everything that is bundled for browsers, the article's script included.
 * @type {import('esbuild').BuildOptions}
 */
export const browserOptions = {
  bundle: true,
  format: 'esm',
  target: ['es2022', 'chrome111', 'firefox115', 'safari16.4'],
  minify: true,
  sourcemap: false,
  legalComments: 'none',
  // Errors are thrown with their text; see also bundleStrictly.
  logLevel: 'silent',
  plugins: [relaxedApart],
  absWorkingDir: root,
  tsconfig: join(root, 'tsconfig.json'),
};

/** dist/<entry>.js from web/<source>. */
function entries() {
  const points = {
    'tied-embeddings': join(web, 'index.ts'),
    slim: join(web, 'slim.ts'),
    worker: join(web, 'worker/entry.ts'),
    elements: join(web, 'elements/index.ts'),
  };
  for (const name of elementNames()) points[`elements/${name}`] = join(web, 'elements', name, `${name}.define.ts`);
  return points;
}

/** Bundles, and gives the metafile; a warning is an error. */
async function bundleStrictly(options) {
  const { warnings, metafile } = await build({ ...browserOptions, ...options, metafile: true });
  if (warnings.length > 0) throw new Error((await formatMessages(warnings, { kind: 'warning' })).join('\n'));
  return metafile;
}

async function bundle(folder) {
  const { worker, ...modules } = entries();
  // Lit stays an import: its types are in the elements' own, and a page that has Lit should have it once.
  const inModules = await bundleStrictly({
    entryPoints: modules,
    outdir: folder,
    splitting: true,
    chunkNames: '[name]-[hash]',
    external: ['lit', 'lit/*'],
  });
  // A worker has no import map and is started by address: one file, nothing to import.
  const inWorker = await bundleStrictly({ entryPoints: { worker }, outdir: folder });
  const inGlobal = await bundleStrictly({
    entryPoints: { 'tied-embeddings.global': join(web, 'global.ts') },
    outdir: folder,
    format: 'iife',
    // A classic script has no import.meta; web/global.ts takes its address from document.currentScript.
    define: { 'import.meta.url': 'undefined' },
  });
  writeFileSync(join(folder, 'THIRD-PARTY.txt'), noticesOf([inModules, inWorker, inGlobal]));
}

/** One declaration file an entry, pointing into dist/types. */
async function declare(folder) {
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  await run(process.execPath, [tsc, '-p', 'tsconfig.build.json', '--outDir', join(folder, 'types')], { log: 'types' });
  mkdirSync(join(folder, 'elements'), { recursive: true });
  const types = { 'tied-embeddings': 'index', slim: 'slim', worker: 'worker/entry', elements: 'elements/index' };
  for (const name of elementNames()) types[`elements/${name}`] = `elements/${name}/${name}.define`;
  for (const [entry, module] of Object.entries(types)) {
    const up = entry.includes('/') ? '..' : '.';
    writeFileSync(join(folder, `${entry}.d.ts`), `export * from '${up}/types/${module}.js';\n`);
  }
}

const modules = ['core.wasm', 'analysis.wasm'];
const relaxedModules = ['core-relaxed.wasm', 'analysis-relaxed.wasm'];

/**
 * Builds dist/ unless nothing that it is made from has changed; resolves with true if work was done. Without `relaxed` it
 * lacks the files of the relaxed build, which the article does without.
 */
export async function buildDist({ relaxed = true } = {}) {
  const inputs = ['web', 'tools/build', 'tsconfig.json', 'tsconfig.build.json', 'package-lock.json'];
  const without = hashOfFiles(
    inputs.map((path) => join(root, path)),
    { ignore: /web\/article|wasm\/[a-z]+-relaxed/ },
  );
  const whole = hashOf(without, hashOfFiles(relaxedModules.map((name) => join(web, 'wasm', name))));
  const folder = join(root, 'dist');
  if (!relaxed && isFresh(folder, whole)) return false;
  return makeFolder(folder, relaxed ? whole : without, async (partial) => {
    await bundle(partial);
    await declare(partial);
    if (relaxed) await bundleStrictly({ entryPoints: [join(web, 'core/relaxed-bytes.ts')], outdir: partial });
    for (const name of relaxed ? [...modules, ...relaxedModules] : modules) {
      copyFileSync(join(web, 'wasm', name), join(partial, name));
    }
  });
}
