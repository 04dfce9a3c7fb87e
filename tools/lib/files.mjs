// Lists the project's own files.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './root.mjs';

/** Wherever they are. */
const notOurs = new Set(['node_modules', '.git', '.toolchain', 'wasm']);
/** At the top only: folders of sources have these names, too. */
const built = new Set(['build', 'dist', 'site']);

/** Paths below `folder` (relative to the project) whose name matches `pattern`, sorted. */
export function projectFiles(folder, pattern) {
  const found = [];
  const visit = (path) => {
    for (const entry of readdirSync(join(root, path), { withFileTypes: true })) {
      if (notOurs.has(entry.name) || (path === '' && built.has(entry.name))) continue;
      const child = path === '' ? entry.name : `${path}/${entry.name}`;
      if (entry.isDirectory()) visit(child);
      else if (pattern.test(entry.name)) found.push(child);
    }
  };
  visit(folder === '.' ? '' : folder);
  return found.sort();
}

const cppPattern = /\.(cpp|h)$/;
/** All C++ files of the project. */
export function cppFiles() {
  return ['cpp', 'tests/cpp', 'tests/experiments', 'tests/fuzzers', 'bench'].flatMap((folder) =>
    projectFiles(folder, cppPattern),
  );
}
