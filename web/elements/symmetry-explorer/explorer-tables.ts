import { html, nothing, type TemplateResult } from 'lit';
import type { Cell } from '../../charts/heat-map.js';
import { button } from '../shared/controls.js';
import { mostTokens, type ExplorerMode, type Rows } from './explorer-state.js';
import { matrixTable } from './matrix-table.js';
import type { SymmetryExplorerStrings } from './symmetry-explorer.strings.js';

/** A problem with a number typed into one of the tables. */
export interface EntryProblem {
  readonly table: 'embedding' | 'unembedding';
  readonly text: string;
}

/** The embedding's table, the button that adds a token, and in untied mode the output table. */
export function explorerTables(options: {
  texts: SymmetryExplorerStrings;
  mode: ExplorerMode;
  names: readonly string[];
  embedding: Rows;
  unembedding: Rows;
  /** The highlighted cell of the result. */
  cell: Cell | null;
  nameProblem: { index: number; text: string } | null;
  entryProblem: EntryProblem | null;
  onRefusal: (problem: EntryProblem | null) => void;
  onEntry: (table: 'embedding' | 'unembedding', index: number, row: readonly [number, number]) => void;
  onName: (index: number, name: string, field: HTMLInputElement) => void;
  onRemove: (index: number) => void;
  onAdd: () => void;
}): TemplateResult {
  const { texts, mode, names, cell, nameProblem, onEntry, onName, onRemove, onAdd } = options;
  const locked = mode === 'random';
  const table = (which: 'embedding' | 'unembedding'): TemplateResult =>
    matrixTable({
      texts,
      which,
      title: which === 'embedding' ? texts.embeddingTitle : texts.unembeddingTitle,
      names,
      rows: options[which],
      pointed:
        cell === null ? [] : mode === 'untied' ? [which === 'embedding' ? cell.row : cell.col] : [cell.row, cell.col],
      locked,
      ownsTokens: which === 'embedding',
      nameProblem,
      entryProblem: options.entryProblem?.table === which ? options.entryProblem.text : null,
      onRefusal: (text) => {
        options.onRefusal(text === null ? null : { table: which, text });
      },
      onEntry: (index, row) => {
        onEntry(which, index, row);
      },
      onName,
      onRemove,
    });
  return html`
    ${table('embedding')}
    ${
      locked
        ? nothing
        : button({
            label: texts.add,
            icon: 'add',
            kind: 'quiet',
            disabled: names.length >= mostTokens,
            onPress: onAdd,
          })
    }
    ${mode === 'untied' ? table('unembedding') : nothing}
  `;
}
