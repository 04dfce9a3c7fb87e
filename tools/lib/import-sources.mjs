/** Imports parts of the library's sources into a Node script. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { browserOptions } from '../build/dist.mjs';
import { root } from './root.mjs';

/**
 * Bundles `contents`, which import from the root of the project, and imports the bundle. Needs web/wasm (npm run build).
 *
 * @param {string} name of the bundle, in build/article
 * @param {string} contents
 */
export async function importSources(name, contents) {
  const folder = join(root, 'build/article');
  const bundle = join(folder, `${name}.mjs`);
  await mkdir(folder, { recursive: true });
  await build({
    absWorkingDir: root,
    stdin: { contents, resolveDir: root, loader: 'ts' },
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    outfile: bundle,
    plugins: browserOptions.plugins,
    tsconfig: join(root, 'tsconfig.json'),
    logLevel: 'warning',
  });
  return import(pathToFileURL(bundle).href);
}
