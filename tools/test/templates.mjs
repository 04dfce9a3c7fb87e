// Type checks of Lit's templates, which are only strings and values to TypeScript.
import { readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { root } from '../lib/root.mjs';

/**
 * Arguments for Node that check the templates in `files` (paths or globs). Style sheets are excluded, because the checker
 * cannot parse expressions in them. So are tags that it cannot resolve, such as those that another module registers.
 */
export const templateArguments = (...files) => [
  join(root, 'node_modules/@jackolope/lit-analyzer/cli.mjs'),
  ...files,
  ...['--strict', '--format', 'list', '--maxWarnings', '0'],
  ...['no-invalid-css', 'no-unknown-tag-name'].flatMap((rule) => [`--rules.${rule}`, 'off']),
];

/** The files of the project that a file names in imports, exports and types: `import('./other.js')`. */
function importsOf(path, text) {
  const found = text.matchAll(/\b(?:from|import)\s*\(?\s*['"](\.[^'"\n]+)['"]/g);
  return [...found].map(([, name]) => normalize(join(dirname(path), name)).replace(/\.js$/, '.ts'));
}

/** Whether a file declares something that also applies to files that do not import it. */
const forAll = (path, text) => path.endsWith('.d.ts') || /^declare (global|module)\b/m.test(text);

/**
 * Of `paths`, those whose templates a change can affect: the changed ones, and those that import them, directly or not, for
 * their types. All of them, if a changed file declares something for every file.
 */
export function templatesAffected(paths, changed, { read = (path) => readFileSync(join(root, path), 'utf8') } = {}) {
  const due = new Set(changed);
  const texts = new Map(paths.map((path) => [path, read(path)]));
  if (changed.some((path) => forAll(path, texts.get(path) ?? ''))) return paths;
  const importers = new Map();
  for (const [path, text] of texts) {
    for (const imported of importsOf(path, text)) importers.set(imported, [...(importers.get(imported) ?? []), path]);
  }
  for (const path of due) for (const importer of importers.get(path) ?? []) due.add(importer);
  return paths.filter((path) => due.has(path));
}
