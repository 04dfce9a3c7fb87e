/** Whether two tables of a file are the two ends of one direct path: what cards, comparisons and the command measure as a pair. */
import type { Checkpoint } from '../types.js';

type Named = { readonly name: string } | null;

/** Not those of an adapter or an encoder, and no output that may predict something other than tokens. */
export const areEndsOfPath = ({ evidence, candidates }: Checkpoint['tying'], input: Named, output: Named): boolean =>
  input !== null && output !== null && evidence !== 'not-a-language-model' && !candidates.includes(output.name);
