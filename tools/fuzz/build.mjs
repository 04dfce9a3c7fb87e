// Bundles the fuzzer: its thread, and the worker of the labs that it opens.
import { dirname, join } from 'node:path';
import { build } from 'esbuild';
import { browserOptions } from '../build/dist.mjs';
import { commandModules, importOf } from '../lib/command-modules.mjs';
import { root } from '../lib/root.mjs';

/**
 * Resolves the command's imports of other scripts in dist/ to their sources.
 * @type {import('esbuild').Plugin}
 */
const commandSources = {
  name: 'command-sources',
  setup: ({ onResolve }) => {
    for (const [name, file] of Object.entries(commandModules)) {
      onResolve({ filter: importOf(name) }, ({ importer }) =>
        dirname(importer) === join(root, 'command') ? { path: join(root, file) } : undefined,
      );
    }
  },
};

/** Resolves with the paths of both. Needs the core in web/wasm/. */
export async function buildFuzzer() {
  const outdir = join(root, 'build/fuzz');
  /** @satisfies {import('esbuild').BuildOptions} */
  const common = /** @type {const} */ ({
    bundle: true,
    absWorkingDir: root,
    logLevel: 'silent',
    tsconfig: join(root, 'tsconfig.json'),
  });
  const main = join(outdir, 'main.mjs');
  const worker = join(outdir, 'worker.js');
  await build({
    ...common,
    entryPoints: ['tests/fuzz/main.ts'],
    outfile: main,
    platform: 'node',
    format: 'esm',
    sourcemap: true,
    plugins: [...browserOptions.plugins, commandSources],
  });
  await build({ ...common, entryPoints: ['web/worker/entry.ts'], outfile: worker, format: 'iife' });
  return { main, worker };
}
