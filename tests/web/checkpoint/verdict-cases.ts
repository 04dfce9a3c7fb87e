/** Small files of every kind in docs/verdicts.md, each made so that the right verdict is known. */
import { ONE_OPEN } from './verdict-cases-one-open.js';
import { OTHERS } from './verdict-cases-others.js';
import { PROVED } from './verdict-cases-proved.js';
import { TWO_OPEN } from './verdict-cases-two-open.js';
import { VECTORS } from './verdict-cases-vectors.js';
import type { VerdictCase } from './verdict-files.js';

/** By the words in the first column of the table in docs/verdicts.md. */
export const CASES: Readonly<Record<string, readonly VerdictCase[]>> = {
  ...PROVED,
  ...ONE_OPEN,
  ...TWO_OPEN,
  ...OTHERS,
  ...VECTORS,
};
