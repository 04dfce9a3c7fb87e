// Type checks of Lit's templates, which are only strings and values to TypeScript.
import { join } from 'node:path';
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
