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

/** Of `paths`, the changed ones, and those that import one of them, whose types may be others. What is further away, `npm test` checks. */
export const filesAffected = (paths, changed, { read = (path) => readFileSync(join(root, path), 'utf8') } = {}) =>
  paths.filter(
    (path) => changed.includes(path) || importsOf(path, read(path)).some((imported) => changed.includes(imported)),
  );

/** Those of `filesAffected` that have templates. */
export const templatesAffected = (paths, changed, { read = (path) => readFileSync(join(root, path), 'utf8') } = {}) =>
  filesAffected(paths, changed, { read }).filter((path) => read(path).includes('html`'));
