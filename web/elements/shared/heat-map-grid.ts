import { html, type TemplateResult } from 'lit';
import type { Cell } from '../../charts/heat-map.js';

/**
 * A heat map as rows and cells for screen readers. The picture is hidden from them, and this grid from everybody else. Of a
 * large map, only the part around the selected cell is rendered; the counts give its position in the whole map.
 */

/** Rows and columns of the part. */
const mostGridCells = 12;

export interface GridPart {
  readonly row: number;
  readonly col: number;
  readonly rows: number;
  readonly cols: number;
}

/**
 * The part around `cell` of a map of `rows` x `cols`. It moves by whole parts, so it does not change while the
 * reader moves within one.
 */
export function gridPart(cell: Cell | null, rows: number, cols: number): GridPart {
  const from = (at: number, count: number): number =>
    Math.max(0, Math.min(Math.floor(at / mostGridCells) * mostGridCells, count - mostGridCells));
  return {
    row: from(cell?.row ?? 0, rows),
    col: from(cell?.col ?? 0, cols),
    rows: Math.min(rows, mostGridCells),
    cols: Math.min(cols, mostGridCells),
  };
}

export const gridCellId = ({ row, col }: Cell): string => `cell-${String(row)}-${String(col)}`;

export function heatMapGrid(options: {
  part: GridPart;
  rowName: (row: number) => string;
  colName: (col: number) => string;
  cellText: (cell: Cell) => string;
  onChoose: (cell: Cell) => void;
}): TemplateResult {
  const { part, rowName, colName, cellText, onChoose } = options;
  const rows = Array.from({ length: part.rows }, (_, at) => part.row + at);
  const cols = Array.from({ length: part.cols }, (_, at) => part.col + at);
  // The header is the first row, and row names are the first column.
  return html`
    <div class="visually-hidden" role="rowgroup">
      <div role="row" aria-rowindex="1">
        ${cols.map((col) => html`<span role="columnheader" aria-colindex=${col + 2}>${colName(col)}</span>`)}
      </div>
      ${rows.map(
        (row) => html`
          <div role="row" aria-rowindex=${row + 2}>
            <span role="rowheader" aria-colindex="1">${rowName(row)}</span>
            ${cols.map(
              (col) =>
                html`<span
                  role="gridcell"
                  id=${gridCellId({ row, col })}
                  aria-colindex=${col + 2}
                  @click=${() => onChoose({ row, col })}
                  >${cellText({ row, col })}</span
                >`,
            )}
          </div>
        `,
      )}
    </div>
  `;
}
