// Production builds of a page by each bundler, with only the configuration that it needs to start.
import { execFile } from 'node:child_process';
import { copyFileSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { build as esbuild } from 'esbuild';
import { root } from '../../../tools/lib/root.mjs';
import { installFolder } from '../../../tools/setup/npm-folder.mjs';

const source = join(root, 'tests/package/bundlers');
const installed = join(root, 'build/bundlers');
const modules = join(installed, 'node_modules');

/** Third-party programs, installed once. */
export async function installBundlers(): Promise<string> {
  await installFolder(source, installed, 'npm-bundlers');
  return modules;
}

/**
 * Builds pages (folders in `site` with an index.html and an index.js) into folders of the same names in `out`. Throws if the
 * bundler fails, and returns its warnings.
 */
export type Builder = (site: string, pages: readonly string[], out: string) => Promise<string[]>;

const requireInstalled = createRequire(join(installed, 'package.json'));
const importInstalled = async (name: string): Promise<unknown> =>
  import(pathToFileURL(requireInstalled.resolve(name)).href);

const execute = promisify(execFile);

/** Runs a program of the installed packages in the folder of the page. */
async function runTool(program: string, args: readonly string[], page: string): Promise<string[]> {
  const env = { ...process.env, NODE_ENV: 'production', NO_COLOR: '1', PARCEL_WORKERS: '0' };
  const { stdout, stderr } = await execute(program, args, { cwd: page, env, timeout: 500_000 });
  // Vite warns about large chunks.
  return `${stdout}\n${stderr}`.split('\n').filter((line) => /warn/i.test(line) && !/chunk size limit/.test(line));
}

const runScript = (script: string, args: readonly string[], page: string) =>
  runTool(process.execPath, [join(modules, script), ...args], page);

/** Builds one page into `out`. */
type PageBuilder = (page: string, out: string) => Promise<string[]>;

/** Builds each page by itself, as in a project with a single page. */
const eachAlone =
  (build: PageBuilder): Builder =>
  async (site, pages, out) => {
    const warnings: string[] = [];
    for (const page of pages) warnings.push(...(await build(join(site, page), join(out, page))));
    return warnings;
  };

/** Bundlers without support for pages leave the HTML to the author. */
function withPages(build: Builder): Builder {
  return async (site, pages, out) => {
    const warnings = await build(site, pages, out);
    for (const page of pages) copyFileSync(join(site, page, 'index.html'), join(out, page, 'index.html'));
    return warnings;
  };
}

interface Stats {
  toJson(options: object): {
    errors: { message: string }[];
    warnings: { message: string }[];
    entrypoints?: Record<string, { assets: { name: string }[] }>;
  };
}
type Webpack = (
  options: object,
  done: (error: Error | null, stats: Stats) => void,
) => { close(done: () => void): void };

/** Runs webpack, or Rspack, which has the same interface. */
async function pack(webpack: Webpack, options: object) {
  const stats = await new Promise<Stats>((resolve, reject) => {
    // No performance hints.
    const compiler = webpack({ mode: 'production', performance: false, ...options }, (error, stats) => {
      compiler.close(() => (error ? reject(error) : resolve(stats)));
    });
  });
  const json = stats.toJson({ all: false, errors: true, warnings: true, entrypoints: true });
  if (json.errors.length > 0) throw new Error(json.errors.map(({ message }) => message).join('\n'));
  return { warnings: json.warnings.map(({ message }) => message), entrypoints: json.entrypoints ?? {} };
}

const rspack: PageBuilder = async (page, out) => {
  const { rspack } = (await importInstalled('@rspack/core')) as { rspack: Webpack };
  const options = { context: page, entry: './index.js', output: { path: out, filename: 'index.js' } };
  return (await pack(rspack, options)).warnings;
};

/** Builds all pages as one site. The minifier takes most of the time, and minifies a chunk once, however many pages share it. */
const webpack: Builder = async (site, pages, out) => {
  const { warnings, entrypoints } = await pack(requireInstalled('webpack') as Webpack, {
    context: site,
    entry: Object.fromEntries(pages.map((page) => [page, `./${page}/index.js`])),
    output: { path: out, filename: '[name]/index.js' },
    optimization: { splitChunks: { chunks: 'all' } },
  });
  for (const page of pages) {
    const scripts = entrypoints[page]!.assets.map(({ name }) => name).filter((name) => name.endsWith('.js'));
    const tags = scripts.map((name) => `<script type="module" src="../${name}"></script>`).join('');
    const html = readFileSync(join(site, page, 'index.html'), 'utf8');
    writeFileSync(join(out, page, 'index.html'), html.replace(/<script.*<\/script>/, tags));
  }
  return warnings;
};

/** Builds all pages as one site, split into chunks. The plugin that resolves packages is the only required configuration. */
const rollup: Builder = (site, pages, out) => {
  const plugin = requireInstalled.resolve('@rollup/plugin-node-resolve');
  const inputs = pages.flatMap((page) => ['-i', `${page}/index=${page}/index.js`]);
  return runScript('rollup/dist/bin/rollup', [...inputs, '-d', out, '-f', 'es', '-p', plugin], site);
};

async function esbuildPage(page: string, out: string): Promise<string[]> {
  const { warnings } = await esbuild({
    entryPoints: [join(page, 'index.js')],
    outdir: out,
    bundle: true,
    splitting: true,
    minify: true,
    format: 'esm',
    logLevel: 'silent',
  });
  return warnings.map(({ text }) => text);
}

/** The binary for this machine, which the package that starts it would fetch when installed. */
function bunProgram(): string {
  const [name] = readdirSync(join(modules, '@oven'));
  return join(modules, '@oven', name!, 'bin/bun');
}

export const builders: Readonly<Record<string, Builder>> = {
  Vite: eachAlone((page, out) => runScript('vite/bin/vite.js', ['build', '--outDir', out, '--base', './'], page)),
  webpack,
  Rspack: withPages(eachAlone(rspack)),
  Rollup: withPages(rollup),
  esbuild: withPages(eachAlone(esbuildPage)),
  Parcel: eachAlone((page, out) =>
    runScript(
      'parcel/lib/bin.js',
      ['build', 'index.html', '--dist-dir', out, '--no-cache', '--public-url', './'],
      page,
    ),
  ),
  Bun: withPages(
    eachAlone((page, out) =>
      runTool(bunProgram(), ['build', './index.js', '--outdir', out, '--splitting', '--minify'], page),
    ),
  ),
};
