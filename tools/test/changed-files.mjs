// For the checks of `npm run check` that judge each file by itself: which files have changed since the check last passed.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../lib/root.mjs';
import { hashOfFiles, writeIfChanged } from '../lib/stamps.mjs';

const hashOfFile = (path) => createHash('sha256').update(readFileSync(path)).digest('hex');

/**
 * Of `paths`, those that are new or edited since `passed()` was last called for `check`, and those that existed then and are
 * gone. If one of `settings` has changed, all count as new: these files decide how the others are judged.
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
