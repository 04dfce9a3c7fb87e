// npm packages, exactly as in package-lock.json.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../lib/root.mjs';
import { run } from '../lib/run.mjs';

/** Whether node_modules matches the lock file: npm writes its list there last. */
function isInstalled() {
  const installedList = join(root, 'node_modules', '.package-lock.json');
  if (!existsSync(installedList)) return false;
  const wanted = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages;
  const installed = JSON.parse(readFileSync(installedList, 'utf8')).packages;
  return Object.entries(wanted).every(
    ([path, { version, optional }]) =>
      path === '' || installed[path]?.version === version || (optional && !installed[path]),
  );
}

/** Installs the npm packages; resolves with "already there" if they were. */
export async function ensureNodePackages() {
  if (isInstalled()) return 'already there';
  await run('npm', ['ci', '--no-audit', '--no-fund'], { log: 'npm' });
  return undefined;
}
