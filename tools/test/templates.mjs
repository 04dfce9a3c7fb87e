// Type checks of Lit's templates, which TypeScript sees as strings and values.
import { join } from 'node:path';
import { root } from '../lib/root.mjs';

/**
 * Arguments for Node that check the templates in `files` (paths or globs). Style sheets are left out: the checker does not
 * understand values in them. So are tags that it cannot resolve, such as those that another module registers.
 */
export const templateArguments = (...files) => [
  join(root, 'node_modules/@jackolope/lit-analyzer/cli.mjs'),
  ...files,
  ...['--strict', '--format', 'list', '--maxWarnings', '0'],
  ...['no-invalid-css', 'no-unknown-tag-name'].flatMap((rule) => [`--rules.${rule}`, 'off']),
];
