import type { Cell } from '../../charts/heat-map.js';
import type { CommonStrings } from '../shared/strings.js';
import type { DirectPath } from './direct-path-of.js';
import type { ExplorerMode, ExplorerView, Rows } from './explorer-state.js';
import type { DrawCounts } from './random-draws.js';
import type { SymmetryExplorerStrings } from './symmetry-explorer.strings.js';

/** What the explorer shows: everything that its tables, drawings and sentences are made from. */
export interface Shown {
  readonly texts: SymmetryExplorerStrings & CommonStrings;
  readonly mode: ExplorerMode;
  readonly view: ExplorerView;
  readonly names: readonly string[];
  /** The reader's table, or in random mode the last one drawn. */
  readonly embedding: Rows;
  /** The output table: a second one in untied mode, otherwise the embedding. */
  readonly writing: Rows;
  /** Null while the result for these tokens is pending. */
  readonly path: DirectPath | null;
  /** The highlighted cell of the result. */
  readonly cell: Cell | null;
  readonly counts: DrawCounts;
}

export type TableName = 'embedding' | 'unembedding';

/** What the reader does to the tables. */
export interface TableActions {
  readonly setRow: (table: TableName, index: number, row: readonly [number, number]) => void;
  readonly rename: (index: number, name: string, field: HTMLInputElement) => void;
  readonly remove: (index: number) => void;
  readonly add: () => void;
  /** A typed number was refused, or a refusal no longer applies. */
  readonly refuse: (problem: EntryProblem | null) => void;
}

/** A problem with a number typed into one of the tables. */
export interface EntryProblem {
  readonly table: TableName;
  readonly text: string;
}
