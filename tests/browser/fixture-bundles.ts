// The scripts of fixtures, bundled with the sources of web/, once per state of the sources.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build, type BuildOptions } from 'esbuild';
import { browserOptions } from '../../tools/build/dist.mjs';
import { isAlive } from '../../tools/lib/lock.mjs';
import { root } from '../../tools/lib/root.mjs';
import { hashOfFiles } from '../../tools/lib/stamps.mjs';
import { eager } from '../web/worker/team/eager.js';

const fixtures = join(root, 'build/browser-fixtures');

let hash: string | undefined;

/** The folder for bundles of the current sources. */
function current(): string {
  hash ??= hashOfFiles(
    ['web', 'tools/build/dist.mjs', 'tsconfig.json', 'package-lock.json'].map((path) => join(root, path)),
    { ignore: /web\/article/ },
  );
  return join(fixtures, hash);
}

const user = 'used-by-';

/** Folders in `all` with bundles of other sources, except those that a running process serves (another run in this checkout). */
export function staleBundles(all = fixtures): string[] {
  const folders = existsSync(all) ? readdirSync(all).map((name) => join(all, name)) : [];
  const isInUse = (folder: string) =>
    readdirSync(folder).some((name) => name.startsWith(user) && isAlive(Number(name.slice(user.length))));
  return folders.filter((folder) => folder !== current() && !isInUse(folder));
}

/** The folder of that name with the bundle. It is renamed into place once complete, since other runs may create it too. */
async function bundled(name: string, output: string, options: BuildOptions): Promise<string> {
  const folder = join(current(), name);
  mkdirSync(current(), { recursive: true });
  writeFileSync(join(current(), `${user}${String(process.pid)}`), '');
  if (existsSync(folder)) return folder;
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

/** Resolves with the worker's script; `asksEarly`: as in eager.ts. */
export async function bundleWorker(asksEarly = false): Promise<string> {
  const entryPoints = [join(root, 'web/worker/entry.ts')];
  const [name, more] = asksEarly ? ['eager-worker', [eager]] : ['worker', []];
  const plugins = [...browserOptions.plugins!, ...more];
  return join(await bundled(name, 'worker.js', { entryPoints, plugins }), 'worker.js');
}
