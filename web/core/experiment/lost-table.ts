/** A model one of whose two token tables is lost: the other one then has both roles, as in a file that is read as if the model were tied. */
import { RowsApart } from '../direct-path/row-distances.js';
import type { LabTrainer, Matrix } from '../types.js';
import { ownTables } from './rounded-tables.js';

export const LOST = ['unembedding', 'embedding'] as const;
export type LostTable = (typeof LOST)[number];

/** The two tables of a model, by whether they are lost or kept. Null for a model with one table, which cannot lose one of two. */
export async function lostAndKept(
  trainer: LabTrainer,
  lost: LostTable,
): Promise<{ lost: Matrix; kept: Matrix } | null> {
  const tables = await ownTables(trainer);
  const [gone, kept] = [tables.get(lost), tables.get(lost === 'embedding' ? 'unembedding' : 'embedding')];
  return gone === undefined || kept === undefined ? null : { lost: gone, kept };
}

/** Of tables of the same shape; null if no token has a direction in both. */
export function distanceOf(a: Matrix, b: Matrix): ReturnType<RowsApart['result']> {
  const apart = new RowsApart(a.cols);
  const row = ({ data }: Matrix, at: number): Float32Array => data.subarray(at, at + a.cols);
  for (let at = 0; at < a.data.length; at += a.cols) apart.add(row(a, at), row(b, at));
  return apart.result();
}
