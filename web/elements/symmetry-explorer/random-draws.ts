import type { Lab } from '../../core/types.js';
import { logitsOf } from './direct-path-of.js';
import { randomRows, type Rows } from './explorer-state.js';

/** How many random tables have given symmetric results so far, counted one by one. */
export interface DrawCounts {
  readonly drawn: number;
  /** One table for both roles. */
  readonly tiedSymmetric: number;
  /** A second random output table. */
  readonly untiedSymmetric: number;
}

export const noDraws: DrawCounts = { drawn: 0, tiedSymmetric: 0, untiedSymmetric: 0 };

export const drawnEmbedding = (tokens: number, seed: number, draw: number): Rows => randomRows(tokens, seed, draw, 0);

/** Draws `count` more pairs of tables with `tokens` rows and tests each pair, tied and untied, with the lab's verbs. */
export async function drawMore(
  lab: Lab,
  counts: DrawCounts,
  options: { tokens: number; seed: number; count: number },
): Promise<DrawCounts> {
  const { tokens, seed, count } = options;
  const isSymmetric = async (embedding: Rows, unembedding: Rows | null): Promise<boolean> =>
    (await lab.symmetry(await logitsOf(lab, embedding, unembedding), { tolerance: 0 })).symmetric;
  const results = await Promise.all(
    Array.from({ length: count }, async (_, at) => {
      const draw = counts.drawn + at;
      const embedding = drawnEmbedding(tokens, seed, draw);
      return Promise.all([isSymmetric(embedding, null), isSymmetric(embedding, randomRows(tokens, seed, draw, 1))]);
    }),
  );
  return {
    drawn: counts.drawn + count,
    tiedSymmetric: counts.tiedSymmetric + results.filter(([tied]) => tied).length,
    untiedSymmetric: counts.untiedSymmetric + results.filter(([, untied]) => untied).length,
  };
}
