// Bundles the package: dist/ with JavaScript, wasm and type declarations.
import { chmodSync, copyFileSync, existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { build, formatMessages } from 'esbuild';
import { baselineFiles, relaxedFiles, stemOf } from '../lib/modules.mjs';
import { root } from '../lib/root.mjs';
import { hashOf, hashOfFiles, isFresh, makeFolder } from '../lib/stamps.mjs';
import { declareEntries } from './declarations.mjs';
import { noticesOf } from './notices.mjs';
import { settleSourceMaps } from './source-maps.mjs';

const web = join(root, 'web');

/** Names of the custom elements: folders of web/elements that have a `<name>.define.ts`; `shared` has the code they share. */
export function elementNames() {
  const folder = join(web, 'elements');
  return readdirSync(folder)
    .filter((name) => name !== 'shared' && existsSync(join(folder, name, `${name}.define.ts`)))
    .sort();
}

/** The bytes of the relaxed build: a script per module, imported on request. */
const relaxedBytes = relaxedFiles.map((file) => `${stemOf(file)}-bytes`);

/**
 * Excludes these modules from the bundle: an import of one becomes an import of the script of that name beside the bundle,
 * which may be built later.
 * @param {...string} names
 * @returns {import('esbuild').Plugin}
 */
const apart = (...names) => ({
  name: 'apart',
  setup: ({ onResolve }) => {
    for (const name of names) {
      onResolve({ filter: new RegExp(`/${name}\\.m?js$`) }, ({ kind }) =>
        kind === 'entry-point' ? undefined : { path: `./${name}.js`, external: true },
      );
    }
  },
});

/**
 * Replaces the module of this name by a file of web/.
 * @param {string} name
 * @param {string} file
 * @returns {import('esbuild').Plugin}
 */
const instead = (name, file) => ({
  name: 'instead',
  setup: ({ onResolve }) => {
    onResolve({ filter: new RegExp(`/${name}\\.js$`) }, () => ({ path: join(web, file) }));
  },
});

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
  plugins: [apart(...relaxedBytes)],
  absWorkingDir: root,
  tsconfig: join(root, 'tsconfig.json'),
};

/** The options for modules that other bundlers read: those bundlers minify, and people step through the modules. */
const readable = { minify: false, sourcemap: 'linked' };

/** Entries that share code in chunks: dist/<entry>.js from web/<source>. Importing the first two does nothing by itself. */
const quietEntries = { 'tied-embeddings': 'index.ts', slim: 'slim.ts' };
/** What the command imports besides the first of them. */
const commandEntries = { 'experiment-runner': 'core/experiment-runner.ts' };
const elementEntries = () =>
  Object.fromEntries(elementNames().map((name) => [`elements/${name}`, `elements/${name}/${name}.define.ts`]));

/** Bundles, and returns the metafile; a warning is an error. */
async function bundleStrictly(options) {
  const { warnings, metafile } = await build({ ...browserOptions, ...options, metafile: true });
  if (warnings.length > 0) throw new Error((await formatMessages(warnings, { kind: 'warning' })).join('\n'));
  return metafile;
}

/**
 * package.json declares that chunks have no side effects, so bundlers drop unused ones. The code that registers an
 * element therefore has to be in the file of its entry, never in a chunk.
 */
function checkRegistration({ outputs }, folder) {
  for (const [entry, source] of Object.entries(elementEntries())) {
    const output = outputs[relative(root, join(folder, `${entry}.js`))];
    if (!output?.inputs[`web/${source}`]) throw new Error(`${source} ended up in a chunk, not in ${entry}.js`);
  }
}

/** A script inside a page ends, or swallows what follows, at any of these. */
function checkInline(script) {
  const [found] = /<!--|<\/?script/i.exec(script) ?? [];
  if (found !== undefined) throw new Error(`experiment-report.js contains ${found}, but is put into a page`);
}

async function bundle(folder) {
  const elements = elementEntries();
  const sources = Object.entries({ ...quietEntries, ...commandEntries, ...elements }).map(([entry, source]) => [entry, join(web, source)]);
  // Lit stays an import: the elements' types refer to it, and a page that has Lit should not load it twice.
  const plugins = [apart(...relaxedBytes, 'worker-source')];
  const inModules = await bundleStrictly({
    entryPoints: Object.fromEntries(sources),
    outdir: folder,
    splitting: true,
    chunkNames: '[name]-[hash]',
    external: ['lit', 'lit/*'],
    plugins,
    ...readable,
  });
  checkRegistration(inModules, folder);
  const all = Object.keys(elements).map((entry) => `export * from './${entry}.js';\n`);
  writeFileSync(join(folder, 'elements.js'), all.join(''));
  // A worker has no import map and is started by URL or from its text, in Node as well: one classic script that
  // imports nothing, which also runs as a module.
  const worker = join(folder, 'worker.js');
  const source = join(web, 'worker/entry.ts');
  const inWorker = await bundleStrictly({
    entryPoints: [source],
    outfile: worker,
    format: 'iife',
    plugins: [apart(...relaxedBytes), ...['experiment-runner', 'checkpoint-opener'].map((name) => instead(name, 'worker/not-in-the-worker.ts'))],
    // The text must not name the map: a worker started from it has no folder to find one in.
    sourcemap: 'external',
  });
  const text = readFileSync(worker, 'utf8');
  writeFileSync(join(folder, 'worker-source.js'), `export const workerSource=${JSON.stringify(text)};\n`);
  writeFileSync(worker, `${text}//# sourceMappingURL=worker.js.map\n`);
  const inGlobal = await bundleStrictly({
    entryPoints: { 'tied-embeddings.global': join(web, 'global.ts') },
    outdir: folder,
    format: 'iife',
    // A classic script has no import.meta; web/global.ts takes its URL from document.currentScript.
    define: { 'import.meta.url': 'undefined' },
    sourcemap: 'linked',
    plugins,
  });
  const report = join(folder, 'experiment-report.js');
  const inReport = await bundleStrictly({
    entryPoints: [join(web, 'elements/experiment/report/start.ts')],
    outfile: report,
    format: 'iife',
    sourcemap: 'linked',
    plugins,
  });
  checkInline(readFileSync(report, 'utf8'));
  const inCommand = await bundleStrictly({
    entryPoints: { command: join(root, 'command/start.mjs') },
    outdir: folder,
    platform: 'node',
    target: 'node20',
    banner: { js: '#!/usr/bin/env node' },
    ...readable,
    // The command runs the package that it is in. Its additional code is not in the package's own scripts, so they do not grow.
    plugins: [apart('tied-embeddings', 'experiment-runner'), instead('command-parts', 'command-parts.ts')],
  });
  chmodSync(join(folder, 'command.js'), 0o755);
  settleSourceMaps(folder, 'dist');
  writeFileSync(join(folder, 'THIRD-PARTY.txt'), noticesOf([inModules, inWorker, inGlobal, inReport, inCommand]));
}

/**
 * Builds dist/ unless its inputs are unchanged; resolves with true if work was done. Without `relaxed`, the files of the
 * relaxed build are missing; the article does not need them.
 */
export async function buildDist({ relaxed = true } = {}) {
  const inputs = ['web', 'command', 'tools/build', 'tsconfig.json', 'tsconfig.build.json', 'package-lock.json'];
  const without = hashOfFiles(
    inputs.map((path) => join(root, path)),
    { ignore: /web\/article|wasm\/[a-z]+-relaxed/ },
  );
  const whole = hashOf(without, hashOfFiles(relaxedFiles.map((name) => join(web, 'wasm', name))));
  const folder = join(root, 'dist');
  if (!relaxed && isFresh(folder, whole)) return false;
  return makeFolder(folder, relaxed ? whole : without, async (partial) => {
    await bundle(partial);
    const others = { worker: 'worker/entry.ts', elements: 'elements/index.ts', 'tied-embeddings.global': 'global.ts' };
    await declareEntries(partial, { ...quietEntries, ...others, ...elementEntries() });
    // It loads the compiler, which importers that need only this module's options can do without.
    const { writeElementsManifest } = await import('./custom-elements.mjs');
    await writeElementsManifest(partial, elementNames());
    if (relaxed) {
      const scripts = relaxedBytes.map((name) => join(web, 'wasm', `${name}.mjs`));
      await bundleStrictly({ entryPoints: scripts, outdir: partial });
    }
    for (const name of relaxed ? [...baselineFiles, ...relaxedFiles] : baselineFiles) {
      copyFileSync(join(web, 'wasm', name), join(partial, name));
    }
  });
}
