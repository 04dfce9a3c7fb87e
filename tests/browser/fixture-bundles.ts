// The scripts of fixtures, bundled with the sources of web/: each once for as long as the sources stay the same.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { build, type BuildOptions } from 'esbuild';
import { browserOptions } from '../../tools/build/dist.mjs';
import { root } from '../../tools/lib/root.mjs';
import { hashOfFiles } from '../../tools/lib/stamps.mjs';

const fixtures = join(root, 'build/browser-fixtures');

let hash: string | undefined;

/** Where bundles of the sources as they are now lie. */
function current(): string {
  hash ??= hashOfFiles(
    ['web', 'tools/build/dist.mjs', 'tsconfig.json', 'package-lock.json'].map((path) => join(root, path)),
    { ignore: /web\/article/ },
  );
  return join(fixtures, hash);
}

/** Folders of bundles of other sources than those of now. */
export function staleBundles(): string[] {
  const names = existsSync(fixtures) ? readdirSync(fixtures) : [];
  return names.map((name) => join(fixtures, name)).filter((folder) => folder !== current());
}

/** The folder of that name with the bundle in it; it comes into place whole, whoever else makes it at the same time. */
async function bundled(name: string, output: string, options: BuildOptions): Promise<string> {
  const folder = join(current(), name);
  if (existsSync(folder)) return folder;
  mkdirSync(current(), { recursive: true });
  const partial = mkdtempSync(join(current(), 'partial-'));
  await build({ ...browserOptions, ...options, outfile: join(partial, output), minify: false });
  try {
    renameSync(partial, folder);
  } catch (error) {
    if (!existsSync(folder)) throw error;
    rmSync(partial, { recursive: true });
  }
  return folder;
}

/** Resolves with the folder that holds a module script, bundled as fixture.js; its imports are relative to the root. */
export function bundleScript(script: string): Promise<string> {
  const name = createHash('sha256').update(script).digest('hex').slice(0, 12);
  const stdin = { contents: script, resolveDir: root, sourcefile: 'fixture.ts', loader: 'ts' } as const;
  return bundled(name, 'fixture.js', { stdin });
}

/** Resolves with the worker's script. */
export async function bundleWorker(): Promise<string> {
  const entryPoints = [join(root, 'web/worker/entry.ts')];
  return join(await bundled('worker', 'worker.js', { entryPoints }), 'worker.js');
}
