import { html, nothing, type TemplateResult } from 'lit';
import { formatNumber } from '../../charts/number-format.js';
import type { Matrix } from '../../core/types.js';
import { dataTable } from '../shared/figure.js';
import { entry, type DirectPath } from './direct-path-of.js';
import type { Rows } from './explorer-state.js';
import type { SymmetryExplorerStrings } from './symmetry-explorer.strings.js';

/** Every drawing of the explorer as a table. */
export function explorerData(options: {
  texts: SymmetryExplorerStrings;
  names: readonly string[];
  embedding: Rows;
  /** Null where the embedding is also the output table. */
  unembedding: Rows | null;
  path: DirectPath | null;
}): TemplateResult {
  const { texts, names, embedding, unembedding, path } = options;
  const table = (caption: string, rows: Rows): TemplateResult =>
    dataTable({
      caption,
      head: ['', texts.dimension(0), texts.dimension(1)],
      rows: rows.map((row, index) => [names[index] ?? '', ...row.map((value) => formatNumber(value, { decimals: 3 }))]),
    });
  const square = (caption: string, matrix: Matrix): TemplateResult =>
    dataTable({
      caption: `${caption} (${texts.current} ↓, ${texts.next} →)`,
      head: ['', ...names],
      rows: names.map((name, row) => [
        name,
        ...names.map((_, col) => formatNumber(entry(matrix, row, col), { decimals: 4 })),
      ]),
    });
  return html`
    ${table(texts.dataEmbedding, embedding)}
    ${unembedding === null ? nothing : table(texts.dataUnembedding, unembedding)}
    ${
      path?.logits.rows === names.length
        ? html`${square(unembedding === null ? texts.tiedResult : texts.untiedResult, path.logits)}
          ${square(texts.probabilityResult, path.probabilities)}`
        : nothing
    }
  `;
}
