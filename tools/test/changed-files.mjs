// For checks of `npm run check` that judge file by file: which files have changed since the check last passed.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../lib/root.mjs';
import { hashOfFiles, writeIfChanged } from '../lib/stamps.mjs';

const hashOfFile = (path) => createHash('sha256').update(readFileSync(path)).digest('hex');

/**
 * Of `paths`, those that are new or edited since `passed()` was last called for `check`, and those that were there then and are
 * gone. All are new where one of `settings` has changed: files that decide how any other is judged.
 */
export function changedFiles(check, paths, settings, { base = root, memory = join(root, 'build/passed') } = {}) {
  const file = join(memory, `${check}.json`);
  const key = hashOfFiles(settings.map((path) => join(base, path)));
  const now = Object.fromEntries(paths.map((path) => [path, hashOfFile(join(base, path))]));
  const last = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : { key: '' };
  const before = last.key === key ? last.files : {};
  return {
    changed: paths.filter((path) => before[path] !== now[path]),
    gone: Object.keys(before).filter((path) => !(path in now)),
    // Hashed before the check, so files that change during it do not count as checked.
    passed: () => writeIfChanged(file, JSON.stringify({ key, files: now })),
  };
}
