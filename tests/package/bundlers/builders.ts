// Production builds of a page by each bundler, with no configuration beyond what it needs to start.
import { execFile } from 'node:child_process';
import { copyFileSync, readdirSync } from 'node:fs';
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

/** Builds index.html and index.js of `page` into `out`. Throws if the bundler fails, and returns its warnings. */
export type Builder = (page: string, out: string) => Promise<string[]>;

const requireInstalled = createRequire(join(installed, 'package.json'));
const importInstalled = async (name: string): Promise<unknown> =>
  import(pathToFileURL(requireInstalled.resolve(name)).href);

const execute = promisify(execFile);

/** A program of the installed packages, in the folder of the page. */
async function runTool(program: string, args: readonly string[], page: string): Promise<string[]> {
  const env = { ...process.env, NODE_ENV: 'production', NO_COLOR: '1', PARCEL_WORKERS: '0' };
  const { stdout, stderr } = await execute(program, args, { cwd: page, env, timeout: 500_000 });
  // Vite has an opinion about large chunks.
  return `${stdout}\n${stderr}`.split('\n').filter((line) => /warn/i.test(line) && !/chunk size limit/.test(line));
}

const runScript = (script: string, args: readonly string[], page: string) =>
  runTool(process.execPath, [join(modules, script), ...args], page);

/** Bundlers that know nothing of pages leave the page itself to its author. */
function withPage(build: Builder): Builder {
  return async (page, out) => {
    const warnings = await build(page, out);
    copyFileSync(join(page, 'index.html'), join(out, 'index.html'));
    return warnings;
  };
}

interface Stats {
  toJson(options: object): { errors: { message: string }[]; warnings: { message: string }[] };
}
type Webpack = (
  options: object,
  done: (error: Error | null, stats: Stats) => void,
) => { close(done: () => void): void };

/** webpack, and Rspack, which has its interface. */
function webpackLike(load: () => Promise<Webpack>): Builder {
  return withPage(async (page, out) => {
    const webpack = await load();
    const options = {
      mode: 'production',
      context: page,
      entry: './index.js',
      output: { path: out, filename: 'index.js' },
      // No advice about sizes.
      performance: false,
    };
    const stats = await new Promise<Stats>((resolve, reject) => {
      const compiler = webpack(options, (error, stats) => {
        compiler.close(() => (error ? reject(error) : resolve(stats)));
      });
    });
    const { errors, warnings } = stats.toJson({ all: false, errors: true, warnings: true });
    if (errors.length > 0) throw new Error(errors.map(({ message }) => message).join('\n'));
    return warnings.map(({ message }) => message);
  });
}

/** The plugin that finds packages is the only required configuration. */
const rollup: Builder = (page, out) => {
  const plugin = requireInstalled.resolve('@rollup/plugin-node-resolve');
  const args = ['-i', 'index.js', '-d', out, '-f', 'es', '-p', plugin];
  return runScript('rollup/dist/bin/rollup', args, page);
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

/** The one of this machine; the package that starts it would fetch it when it is installed. */
function bunProgram(): string {
  const [name] = readdirSync(join(modules, '@oven'));
  return join(modules, '@oven', name!, 'bin/bun');
}

export const builders: Readonly<Record<string, Builder>> = {
  Vite: (page, out) => runScript('vite/bin/vite.js', ['build', '--outDir', out, '--base', './'], page),
  webpack: webpackLike(async () => requireInstalled('webpack') as Webpack),
  Rspack: webpackLike(async () => ((await importInstalled('@rspack/core')) as { rspack: Webpack }).rspack),
  Rollup: withPage(rollup),
  esbuild: withPage(esbuildPage),
  Parcel: (page, out) =>
    runScript(
      'parcel/lib/bin.js',
      ['build', 'index.html', '--dist-dir', out, '--no-cache', '--public-url', './'],
      page,
    ),
  Bun: withPage((page, out) =>
    runTool(bunProgram(), ['build', './index.js', '--outdir', out, '--splitting', '--minify'], page),
  ),
};
