// For the checks of `npm run check` that judge each file by itself: which files have changed since the check last passed.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { root } from '../lib/root.mjs';
import { hashOfFiles, writeIfChanged } from '../lib/stamps.mjs';
import { asCommitted, sinceLastCommit } from './last-commit.mjs';
import { runsAll } from './unchanged.mjs';

const hashOfFile = (path) => createHash('sha256').update(readFileSync(path)).digest('hex');

const kindOf = (path) => `${path.split('/')[0]} ${extname(path)}`;

/** What a commit says of `paths`: removed files are those of folders and kinds that others of `paths` have. */
function committed(now, base, settings) {
  const since = sinceLastCommit(base);
  if (since === undefined) return {};
  if ([...since.edited, ...since.added, ...since.gone].some((path) => settings.includes(path))) return {};
  const kinds = new Set(Object.keys(now).map(kindOf));
  return asCommitted(now, { ...since, gone: since.gone.filter((path) => kinds.has(kindOf(path))) });
}

/**
 * Of `paths`, those that are new or edited since `passed()` was last called for `check`, and those that existed then and are
 * gone. If one of `settings` has changed, all count as new: these files decide how the others are judged. Before the first call, the files
 * of the last commit count as passed, and `isProved` is false: so far nobody has checked them here. `left` is what the last call of `passed` has left to do.
 */
export function changedFiles(check, paths, settings, { base = root, memory = join(root, 'build/passed') } = {}) {
  const file = join(memory, `${check}.json`);
  const key = hashOfFiles(settings.map((path) => join(base, path)));
  const now = Object.fromEntries(paths.map((path) => [path, hashOfFile(join(base, path))]));
  const last = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
  const before = runsAll
    ? {}
    : last === undefined
      ? committed(now, base, settings)
      : last.key === key
        ? last.files
        : {};
  const changed = paths.filter((path) => before[path] !== now[path]);
  const isProved = last?.isProved ?? false;
  return {
    changed,
    gone: Object.keys(before).filter((path) => !(path in now)),
    isProved,
    left: last?.left ?? [],
    /**
     * Hashed before the check, so files that change during it do not count as checked.
     * @param {{ all?: boolean, left?: string[] }} [what]
     */
    passed: ({ all = changed.length === paths.length, left = [] } = {}) =>
      writeIfChanged(file, JSON.stringify({ key, files: now, isProved: isProved || all, left })),
  };
}
