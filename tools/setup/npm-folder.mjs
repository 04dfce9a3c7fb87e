// Packages that only one tool or test needs: installed into build/ from a separate lock file.
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../lib/root.mjs';
import { run } from '../lib/run.mjs';
import { hashOfFiles, makeFolder } from '../lib/stamps.mjs';

/**
 * Installs the packages of package.json and package-lock.json in `source` into `folder`, unless they are there. Runs
 * none of the packages' scripts. `log` names the log file; `more` are further flags of npm.
 */
export async function installFolder(source, folder, log, more = []) {
  const files = ['package.json', 'package-lock.json'].map((name) => [name, join(source, name)]);
  files.push(['.npmrc', join(root, '.npmrc')]);
  const hash = hashOfFiles(files.map(([, file]) => file));
  await makeFolder(folder, hash, async (partial) => {
    for (const [name, file] of files) copyFileSync(file, join(partial, name));
    // Without a network, fail within seconds.
    const patience = ['--fetch-retries=2', '--fetch-retry-mintimeout=1000', '--fetch-retry-maxtimeout=5000'];
    const quietly = ['--no-audit', '--no-fund'];
    await run('npm', ['ci', '--ignore-scripts', ...patience, ...quietly, ...more], { cwd: partial, log });
  });
}
