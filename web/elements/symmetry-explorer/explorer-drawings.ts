import { html, type TemplateResult } from 'lit';
import type { Cell } from '../../charts/heat-map.js';
import type { CellEvent } from '../shared/heat-map-view.js';
import type { Rows } from './explorer-state.js';
import type { Shown, TableActions } from './shown.js';
import type { RoleVector, VectorEvent } from '../shared/vector-plane-view.js';

/** The rows as arrows; with two tables, input rows are solid and output rows dashed. */
export function planeDrawing(shown: Shown, setRow: TableActions['setRow']): TemplateResult {
  const { texts, mode, names, cell, embedding, writing } = shown;
  const untied = mode === 'untied';
  const vectors = (rows: Rows, table: 'E' | 'U', role: RoleVector['role'], name: (token: string) => string) =>
    rows.map(([x, y], index): RoleVector => {
      const label = names[index] ?? '';
      return { id: `${table}${String(index)}`, label, x, y, role, name: name(label) };
    });
  const all = untied
    ? [...vectors(embedding, 'E', 'input', texts.reads), ...vectors(writing, 'U', 'output', texts.writes)]
    : vectors(embedding, 'E', 'tied', (token) => token);
  return html`
    <p class="part-title">
      ${
        untied
          ? html`<span class="is-input">${texts.solid}</span>, <span class="is-output">${texts.dashed}</span>`
          : mode === 'random'
            ? texts.planeTitleLocked
            : texts.planeTitle
      }
    </p>
    <tied-vector-plane
      .vectors=${all}
      .pointed=${cell === null ? [] : [`E${String(cell.row)}`, `${untied ? 'U' : 'E'}${String(cell.col)}`]}
      .label=${texts.planeLabel}
      .roleDescription=${texts.draggable}
      .axes=${texts.axes}
      .locked=${mode === 'random'}
      @tied-vector=${(event: VectorEvent) => {
        const { id, x, y } = event.detail;
        setRow(id.startsWith('U') ? 'unembedding' : 'embedding', Number(id.slice(1)), [x, y]);
      }}
    ></tied-vector-plane>
  `;
}

/** So few tokens that every cell has its number, and colors need no legend. */
const fewOfThem = 4;

/** The direct path as a matrix of colored cells: logits, or their softmax. */
export function resultDrawing(shown: Shown, point: (cell: Cell | null) => void): TemplateResult {
  const { texts, mode, names, cell, view, path } = shown;
  const untied = mode === 'untied';
  const probabilities = view === 'probabilities';
  const square = probabilities ? path?.probabilities : path?.logits;
  const title = probabilities ? texts.probabilityResult : untied ? texts.untiedResult : texts.tiedResult;
  return html`
    <p class="part-title">
      ${probabilities ? texts.probabilityTitle : html`${texts.logits} ${product(untied)}`}: ${texts.pressCell}
    </p>
    <tied-heat-map
      numbers
      .keys=${texts.gridKeys}
      .values=${square?.data ?? []}
      .rowLabels=${names}
      .colLabels=${names}
      .label=${`${title}.`}
      .rowTitle=${texts.current}
      .colTitle=${texts.next}
      .kind=${probabilities ? 'sequential' : 'diverging'}
      .decimals=${probabilities ? 3 : 2}
      .maxCell=${84}
      ?hide-legend=${names.length <= fewOfThem}
      .cell=${cell}
      @tied-cell=${(event: CellEvent) => point(event.detail.cell)}
    ></tied-heat-map>
  `;
}

/** W_E W_Eᵀ or W_E W_Uᵀ in mathematical notation. */
const product = (untied: boolean): TemplateResult =>
  html`<span class="product"><var>W</var><sub>E</sub> <var>W</var><sub>${untied ? 'U' : 'E'}</sub><sup>⊤</sup></span>`;
