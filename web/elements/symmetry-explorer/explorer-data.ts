import { html, nothing, type TemplateResult } from 'lit';
import { formatNumber } from '../../charts/number-format.js';
import type { Matrix } from '../../core/types.js';
import { dataTable } from '../shared/figure.js';
import { matrixData } from '../shared/tables.js';
import { entry } from './direct-path-of.js';
import type { Rows } from './explorer-state.js';
import type { Shown } from './shown.js';

/** Every drawing of the explorer as a table. */
export function explorerData({ texts, mode, names, embedding, writing, path }: Shown): TemplateResult {
  const untied = mode === 'untied';
  const table = (caption: string, rows: Rows): TemplateResult =>
    dataTable({
      caption,
      head: ['', texts.dimension(0), texts.dimension(1)],
      rows: rows.map((row, index) => [names[index] ?? '', ...row.map((value) => formatNumber(value, { decimals: 3 }))]),
    });
  const square = (caption: string, matrix: Matrix): TemplateResult =>
    matrixData(`${caption} (${texts.current} ↓, ${texts.next} →)`, names, (row, col) =>
      formatNumber(entry(matrix, row, col), { decimals: 4 }),
    );
  return html`
    ${table(texts.dataEmbedding, embedding)} ${untied ? table(texts.dataUnembedding, writing) : nothing}
    ${
      path !== null
        ? html`${square(untied ? texts.untiedResult : texts.tiedResult, path.logits)}
          ${square(texts.probabilityResult, path.probabilities)}`
        : nothing
    }
  `;
}
