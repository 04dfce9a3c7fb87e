// Bundles the fuzzer: its thread, and the worker of the labs that it opens.
import { join } from 'node:path';
import { build } from 'esbuild';
import { browserOptions } from '../build/dist.mjs';
import { root } from '../lib/root.mjs';

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
    plugins: browserOptions.plugins,
  });
  await build({ ...common, entryPoints: ['web/worker/entry.ts'], outfile: worker, format: 'iife' });
  return { main, worker };
}
