// The peers as npm packages, and their pages, in build/bench: nothing is installed into this folder.
import { copyFileSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { root } from '../../tools/lib/root.mjs';
import { run } from '../../tools/lib/run.mjs';
import { hashOfFiles, makeFolder } from '../../tools/lib/stamps.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const installed = join(root, 'build/bench/peers');
const modules = join(installed, 'node_modules');

/** Where a page finds what its library loads by itself: address to folder. */
export const libraryFolders = {
  '/tfjs/': join(modules, '@tensorflow/tfjs-backend-wasm/dist'),
  '/onnxruntime/': join(modules, 'onnxruntime-web/dist'),
};

/** Installs what package-lock.json says, unless it is there. None of the packages' own scripts are run. */
export async function installPeers() {
  const files = [join(here, 'package.json'), join(here, 'package-lock.json'), join(root, '.npmrc')];
  await makeFolder(installed, hashOfFiles(files), async (folder) => {
    for (const file of files) copyFileSync(file, join(folder, file.slice(dirname(file).length + 1)));
    // Without a network nobody should wait for minutes to hear it.
    const patience = ['--fetch-retries=2', '--fetch-retry-mintimeout=1000', '--fetch-retry-maxtimeout=5000'];
    const quietly = ['--no-audit', '--no-fund'];
    await run('npm', ['ci', '--ignore-scripts', ...patience, ...quietly], { cwd: folder, log: 'npm-peers' });
  });
}

export function versionOf(name) {
  return JSON.parse(readFileSync(join(modules, name, 'package.json'), 'utf8')).version;
}

/** Bundles pages/<name>.mjs of each name into a folder, and gives that folder. */
export async function bundlePages(names) {
  const folder = join(root, 'build/bench/pages-of-peers');
  // Parts are named by their content: those of another time would stay.
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  await build({
    entryPoints: names.map((name) => join(here, 'page', `${name}.mjs`)),
    outdir: folder,
    bundle: true,
    // What a library loads only where it needs it stays apart.
    splitting: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    platform: 'browser',
    // onnxruntime-web's loader asks for a part of itself in Node alone.
    external: ['node:*', 'module', 'worker_threads'],
    // The pages are here, their libraries in the folder of the build.
    nodePaths: [modules],
    logLevel: 'silent',
  });
  return folder;
}
