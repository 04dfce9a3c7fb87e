import { html, nothing, type TemplateResult } from 'lit';
import { button } from '../shared/controls.js';
import { mostTokens } from './explorer-state.js';
import { matrixTable, type NameRefusal } from './matrix-table.js';
import type { EntryProblem, Shown, TableActions, TableName } from './shown.js';

/** The embedding's table, the button that adds a token, and in untied mode the output table. */
export function explorerTables(
  shown: Shown,
  problems: { readonly name: NameRefusal | null; readonly entry: EntryProblem | null },
  actions: TableActions,
): TemplateResult {
  const { texts, mode, names, cell } = shown;
  const locked = mode === 'random';
  const table = (which: TableName): TemplateResult => {
    const ownsTokens = which === 'embedding';
    const untied = cell === null ? [] : [ownsTokens ? cell.row : cell.col];
    return matrixTable({
      shown,
      which,
      pointed: cell === null || mode === 'untied' ? untied : [cell.row, cell.col],
      nameProblem: problems.name,
      entryProblem: problems.entry?.table === which ? problems.entry.text : null,
      actions,
    });
  };
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
            onPress: actions.add,
          })
    }
    ${mode === 'untied' ? table('unembedding') : nothing}
  `;
}
