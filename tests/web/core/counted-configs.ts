/** Small configurations, and the sizes of all arrays in the modules of two other libraries: the scripts in tests/reference of the same names. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../../tools/lib/root.mjs';

interface Counts {
  rows: { config: Record<string, unknown> & { model_type: string }; total: number }[];
}

export const COUNTED = ['family_counts', 'module_counts'].flatMap(
  (name) => (JSON.parse(readFileSync(join(root, `tests/reference/${name}.json`), 'utf8')) as Counts).rows,
);
