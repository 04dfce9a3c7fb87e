// The peers as npm packages, and their pages, in build/bench: nothing is installed into this folder.
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { root } from '../../tools/lib/root.mjs';
import { installFolder } from '../../tools/setup/npm-folder.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const installed = join(root, 'build/bench/peers');
const modules = join(installed, 'node_modules');

/** The folders of files that a page's library loads, by URL. */
export const libraryFolders = {
  '/tfjs/': join(modules, '@tensorflow/tfjs-backend-wasm/dist'),
  '/onnxruntime/': join(modules, 'onnxruntime-web/dist'),
};

/** Installs the packages of package-lock.json, unless they are installed. */
export async function installPeers() {
  await installFolder(here, installed, 'npm-peers');
}

export function versionOf(name) {
  return JSON.parse(readFileSync(join(modules, name, 'package.json'), 'utf8')).version;
}

/** Bundles pages/<name>.mjs of each name into a folder, and returns that folder. */
export async function bundlePages(names) {
  const folder = join(root, 'build/bench/pages-of-peers');
  // Chunks are named by their content: old ones would remain.
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  await build({
    entryPoints: names.map((name) => join(here, 'page', `${name}.mjs`)),
    outdir: folder,
    bundle: true,
    // Lazily loaded parts stay separate.
    splitting: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    platform: 'browser',
    // onnxruntime-web's loader imports one of its parts only in Node.
    external: ['node:*', 'module', 'worker_threads'],
    // The pages are here, their libraries in the folder of the build.
    nodePaths: [modules],
    logLevel: 'silent',
  });
  return folder;
}
