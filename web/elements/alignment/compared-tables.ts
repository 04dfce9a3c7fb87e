import type { Matrix } from '../../core/types.js';
import type { MeasuredText } from '../shared/models-file.js';

export const tableNames = ['tied', 'reading', 'writing'] as const;
export type TableName = (typeof tableNames)[number];

/** The tables of two models with the same tokens: the one of a tied model, and both of its untied twin. */
export interface Tables extends Readonly<Record<TableName, Matrix>> {
  /** The name of every token. */
  readonly names: readonly string[];
  /** What the models were trained on; null if the file does not include it. */
  readonly text: MeasuredText | null;
  /** The tokenizer's file. */
  readonly tokenizer: Uint8Array;
  /** Does nothing: none of this is in the lab. */
  readonly dispose: () => void;
}

/** Each compares one table with another; in the order of the figure. */
export const comparisons = [
  { id: 'writing', from: 'writing', to: 'tied' },
  { id: 'reading', from: 'reading', to: 'tied' },
  { id: 'own', from: 'reading', to: 'writing' },
] as const satisfies readonly { id: string; from: TableName; to: TableName }[];
export type ComparisonId = (typeof comparisons)[number]['id'];
