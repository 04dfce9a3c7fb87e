// Bundles the package: dist/ with JavaScript, wasm and type declarations.
import { chmodSync, copyFileSync, existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build, formatMessages } from 'esbuild';
import { baselineFiles, relaxedFiles, stemOf } from '../lib/modules.mjs';
import { packedText } from '../lib/packed-text.mjs';
import { root } from '../lib/root.mjs';
import { hashOf, hashOfFiles, isFresh, makeFolder } from '../lib/stamps.mjs';
import { declareEntries } from './declarations.mjs';
import { noticesOf } from './notices.mjs';
import { BYTE_ORDER_MARK, writeScriptParts } from './script-parts.mjs';
import { writeTemplateTypes } from './template-types.mjs';
import { valuesOnly } from './values.mjs';

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
 * What the command imports from the package's other files.
 * @type {import('esbuild').Plugin}
 */
const builtElsewhere = {
  name: 'built-elsewhere',
  setup: ({ onResolve }) => {
    const from = (filter, file) => onResolve({ filter }, () => ({ path: `./${file}.js`, external: true }));
    from(new RegExp(`^${parquet.name}$`), parquet.file);
    from(/\/a-year-in-new-york\/index\.js$/, 'a-year-in-new-york');
  },
};

/**
 * Removes comments, empty lines and indentation from style sheets, which are in every script that shows a figure.
 * @type {import('esbuild').Plugin}
 */
const narrowStyles = {
  name: 'narrow-styles',
  setup: ({ onLoad }) => {
    onLoad({ filter: /\.styles\.ts$/ }, ({ path }) => ({
      contents: readFileSync(path, 'utf8')
        .replaceAll(/\/\*[^]*?\*\//g, '')
        .replaceAll(/^\s+/gm, ''),
      loader: 'ts',
    }));
  },
};

/** What makes any bundle smaller. */
export const smaller = [narrowStyles, valuesOnly];

/**
 * Leaves the relaxed build out of the tables of modules, where its files are not built or not wanted.
 * @type {import('esbuild').Plugin}
 */
const withoutRelaxed = {
  name: 'without-relaxed',
  setup: ({ onLoad }) => {
    onLoad({ filter: /\/wasm\/module-(bytes|files)\.mjs$/ }, ({ path }) => ({
      contents: readFileSync(path, 'utf8').replaceAll(/^.*-relaxed.*\n/gm, ''),
      resolveDir: join(web, 'wasm'),
    }));
  },
};

/**
 * Leaves out the bytes of modules that are not built yet, for a page that fetches their files and is built before them.
 * @type {import('esbuild').Plugin}
 */
export const onlyBuilt = {
  name: 'only-built',
  setup: ({ onLoad }) => {
    onLoad({ filter: /\/wasm\/module-bytes\.mjs$/ }, ({ path }) => {
      const isThere = (line) => {
        const [, file] = /'\.\/([\w-]+-bytes\.mjs)'/.exec(line) ?? [];
        return file === undefined || existsSync(join(web, 'wasm', file));
      };
      const lines = readFileSync(path, 'utf8').split('\n');
      return { contents: lines.filter(isThere).join('\n'), resolveDir: join(web, 'wasm') };
    });
  },
};

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

/** For modules that other bundlers read: a stack trace leads to a line, and names the method. */
const readable = { lineLimit: 120 };

/** Entries that share code in chunks: dist/<entry>.js from web/<source>. Importing the first two does nothing by itself. */
const quietEntries = { 'tied-embeddings': 'index.ts', slim: 'slim.ts' };
/** What the command imports besides the first of them, and the page on demand. */
const commandEntries = {
  'experiment-runner': 'core/experiment-runner.ts',
  'a-year-in-new-york': 'texts/a-year-in-new-york/index.ts',
  // A chunk of its own, so that a bundle with nothing but the class has nothing but the class.
  'tied-error': 'core/runtime/tied-error.ts',
};
/** A library that both load on demand: its file, and its name. */
const parquet = { file: 'parquet-writer', name: 'hyparquet-writer' };
const elementEntries = () =>
  Object.fromEntries(elementNames().map((name) => [`elements/${name}`, `elements/${name}/${name}.define.ts`]));

/** Bundles; a warning is an error. */
async function buildStrictly(options) {
  const plugins = [...(options.plugins ?? browserOptions.plugins), ...smaller];
  const result = await build({ ...browserOptions, ...options, plugins, metafile: true });
  const { warnings } = result;
  if (warnings.length > 0) throw new Error((await formatMessages(warnings, { kind: 'warning' })).join('\n'));
  return result;
}

/** Bundles into files, and returns the metafile. */
const bundleStrictly = async (options) => (await buildStrictly(options)).metafile;

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

/** Modules with shared chunks, for bundlers and for Node. */
async function bundleModules(folder, tables) {
  const elements = elementEntries();
  const sources = Object.entries({ ...quietEntries, ...commandEntries, ...elements }).map(([entry, source]) => [entry, join(web, source)]);
  // Lit stays an import: the elements' types refer to it, and a page that has Lit should not load it twice.
  const metafile = await bundleStrictly({
    entryPoints: { ...Object.fromEntries(sources), [parquet.file]: parquet.name },
    outdir: folder,
    splitting: true,
    chunkNames: '[name]-[hash]',
    external: ['lit', 'lit/*'],
    plugins: [...tables, apart(...relaxedBytes, 'worker-source')],
    ...readable,
  });
  checkRegistration(metafile, folder);
  for (const path of Object.keys(metafile.outputs)) {
    const file = join(root, path);
    // Bundlers look for new URL('./file', import.meta.url), which esbuild may break in two at the end of a line.
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll(/\\\n|(?<=\bimport\.|\bimport\.meta\.)\n/g, ''));
  }
  const all = Object.keys(elements).map((entry) => `export * from './${entry}.js';\n`);
  writeFileSync(join(folder, 'elements.js'), all.join(''));
  return metafile;
}

/**
 * A worker has no import map and is started by URL or from its text, in Node as well: one classic script that imports
 * nothing, which also runs as a module.
 */
async function bundleWorker(folder, tables) {
  const worker = join(folder, 'worker.js');
  const metafile = await bundleStrictly({
    entryPoints: [join(web, 'worker/entry.ts')],
    outfile: worker,
    format: 'iife',
    plugins: [...tables, apart(...relaxedBytes), ...['experiment-runner', 'checkpoint-opener'].map((name) => instead(name, 'worker/not-in-the-worker.ts'))],
  });
  writeFileSync(join(folder, 'worker-source.js'), `export const workerSource="${packedText(readFileSync(worker))}";\n`);
  return metafile;
}

/** The worker alone, for a page that is served before the package is built. */
export const bundleWorkerForPage = (folder) => bundleWorker(folder, [withoutRelaxed]);

/** A classic script has no import.meta; web/classic-script.ts takes its URL from document.currentScript. */
const classic = { define: { 'import.meta.url': 'undefined' } };

/** The script with its parts beside it, the one that is a single file, and the module that imports the first. */
async function bundleForPages(folder) {
  const workerSource = instead('worker-source', relative(web, join(folder, 'worker-source.js')));
  const outdir = join(folder, 'modules-of-global');
  const { metafile, outputFiles } = await buildStrictly({
    entryPoints: [join(web, 'global.ts')],
    outdir,
    splitting: true,
    chunkNames: '[name]-[hash]',
    // The wasm of the relaxed build is fetched from beside the script.
    plugins: [withoutRelaxed, workerSource],
    write: false,
    ...classic,
  });
  const texts = new Map(outputFiles.map(({ path, text }) => [relative(root, path).replaceAll('\\', '/'), text]));
  const entry = relative(root, join(outdir, 'global.js')).replaceAll('\\', '/');
  await writeScriptParts(folder, metafile, texts, entry);
  const standalone = await bundleStrictly({
    entryPoints: { 'tied-embeddings.standalone': join(web, 'standalone.ts') },
    outdir: folder,
    format: 'iife',
    plugins: [withoutRelaxed, workerSource],
    banner: { js: BYTE_ORDER_MARK },
    ...classic,
  });
  return [metafile, standalone];
}

/** The page that an experiment's report is. */
async function bundleReport(folder, tables) {
  const report = join(folder, 'experiment-report.js');
  const metafile = await bundleStrictly({
    entryPoints: [join(web, 'elements/experiment/report/start.ts')],
    outfile: report,
    format: 'iife',
    plugins: [...tables, apart(...relaxedBytes, 'worker-source')],
  });
  const text = readFileSync(report, 'utf8');
  checkInline(text);
  // Only the command reads it.
  writeFileSync(`${report}.gz`, gzipSync(text, { level: 9 }));
  rmSync(report);
  return metafile;
}

async function bundleCommand(folder, tables) {
  const metafile = await bundleStrictly({
    entryPoints: { command: join(root, 'command/start.mjs') },
    outdir: folder,
    platform: 'node',
    target: 'node20',
    banner: { js: '#!/usr/bin/env node' },
    // The command runs the package that it is in. Its additional code is not in the package's own scripts, so they do not grow.
    plugins: [...tables, apart('tied-embeddings', 'experiment-runner'), builtElsewhere, instead('command-parts', 'command-parts.ts')],
  });
  chmodSync(join(folder, 'command.js'), 0o755);
  return metafile;
}

/** Writes the package's scripts into a folder; without `relaxed`, nothing in them names a file of the relaxed build. */
export async function bundlePackage(folder, relaxed) {
  const tables = relaxed ? [] : [withoutRelaxed];
  const inModules = await bundleModules(folder, tables);
  const inWorker = await bundleWorker(folder, tables);
  const inPages = await bundleForPages(folder);
  const inReport = await bundleReport(folder, tables);
  const inCommand = await bundleCommand(folder, tables);
  writeFileSync(join(folder, 'THIRD-PARTY.txt'), noticesOf([inModules, inWorker, ...inPages, inReport, inCommand]));
}

/**
 * Builds dist/ unless its inputs are unchanged; resolves with true if work was done. Without `relaxed`, the relaxed build is
 * left out, with everything that names its files; the article does not need it.
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
    await bundlePackage(partial, relaxed);
    const others = { worker: 'worker/entry.ts', elements: 'elements/index.ts', 'tied-embeddings.global': 'global.ts', 'tied-embeddings.standalone': 'standalone.ts' };
    await declareEntries(partial, { ...quietEntries, ...others, ...elementEntries() });
    // It loads the compiler, which importers that need only this module's options can do without.
    const { writeElementsManifest } = await import('./custom-elements.mjs');
    await writeElementsManifest(partial, elementNames());
    writeTemplateTypes(partial);
    if (relaxed) {
      const scripts = relaxedBytes.map((name) => join(web, 'wasm', `${name}.mjs`));
      await bundleStrictly({ entryPoints: scripts, outdir: partial });
    }
    for (const name of relaxed ? [...baselineFiles, ...relaxedFiles] : baselineFiles) {
      copyFileSync(join(web, 'wasm', name), join(partial, name));
    }
  });
}
