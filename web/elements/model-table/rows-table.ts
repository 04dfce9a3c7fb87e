import { html, nothing, svg, type TemplateResult } from 'lit';
import type { ModelTableStrings, SortKey } from './model-table.strings.js';
import { columns, sortKeys, type SortOrder } from './columns.js';
import { isTied, type ModelRow } from './model-rows.js';
import { rowDetails } from './row-details.js';

/**
 * The models as a table; on narrow screens its rows become cards by CSS alone. Roles are explicit, because browsers
 * drop table semantics when `display` changes.
 */
export interface RowsTable {
  readonly texts: ModelTableStrings;
  readonly rows: readonly ModelRow[];
  readonly sort: SortKey;
  readonly order: SortOrder;
  /** Id of the model whose details are open. */
  readonly opened: string | null;
  /** How a model opens elsewhere: through a button, a link, or not at all. */
  readonly opening:
    { readonly kind: 'press' | 'none' } | { readonly kind: 'link'; readonly to: (id: string) => string | null };
  readonly onSort: (key: SortKey) => void;
  readonly onToggle: (id: string) => void;
  readonly onOpen: (row: ModelRow, event: Event) => void;
}

const arrow = (order: SortOrder | null): TemplateResult => html`
  <svg class="order ${order ?? 'none'}" viewBox="0 0 10 12" aria-hidden="true">
    ${svg`<path d=${order === 'ascending' ? 'M5 2l4 7H1z' : 'M5 10L1 3h8z'}></path>`}
  </svg>
`;

export function rowsTable(table: RowsTable): TemplateResult {
  const { texts, rows } = table;
  const hasActions = table.opening.kind !== 'none';
  const width = sortKeys.length + (hasActions ? 1 : 0);
  return html`
    <table class="models" role="table" aria-label=${texts.tableLabel}>
      <thead role="rowgroup">
        <tr role="row">
          ${sortKeys.map((key) => headCell(key, table))}
          ${hasActions ? html`<th role="columnheader" scope="col" class="actions"><span class="visually-hidden">${texts.actions}</span></th>` : nothing}
        </tr>
      </thead>
      <tbody role="rowgroup">
        ${
          rows.length === 0
            ? html`<tr role="row">
                <td role="cell" class="nothing" colspan=${width}>${texts.nothingMatches}</td>
              </tr>`
            : rows.map((row) => bodyRow(row, table, width))
        }
      </tbody>
    </table>
  `;
}

function headCell(key: SortKey, { texts, sort, order, onSort }: RowsTable): TemplateResult {
  const active = key === sort;
  const hint = texts.columnHint(key);
  return html`<th
    role="columnheader"
    scope="col"
    class=${key === 'name' || key === 'tying' ? 'words' : ''}
    aria-sort=${active ? order : 'none'}
  >
    <button
      type="button"
      class="sort"
      data-key=${key}
      title=${hint === '' ? nothing : hint}
      @click=${() => onSort(key)}
    >
      <span>${texts.column(key)}</span>${arrow(active ? order : null)}
    </button>
  </th>`;
}

function bodyRow(row: ModelRow, table: RowsTable, width: number): TemplateResult {
  const { texts, opened, onToggle } = table;
  const { model } = row;
  const isOpen = opened === model.id;
  return html`
    <tr role="row" data-model=${model.id} class=${isOpen ? 'open' : ''}>
      <th role="rowheader" scope="row">
        <button
          type="button"
          class="toggle"
          aria-expanded=${isOpen ? 'true' : 'false'}
          @click=${() => onToggle(model.id)}
        >
          <svg class="chevron" viewBox="0 0 12 12" aria-hidden="true"><path d="M4 2l4 4-4 4"></path></svg>
          <span class="model-name">${model.name}</span>
          <span class="maker">${model.organization}<span class="card-year">, ${model.year}</span></span>
        </button>
      </th>
      ${sortKeys.slice(1).map((key) => bodyCell(row, key, table))}
      ${table.opening.kind === 'none' ? nothing : html`<td role="cell" class="actions">${openAction(row, table)}</td>`}
    </tr>
    ${
      isOpen
        ? html`<tr role="row" class="details-row">
            <td role="cell" colspan=${width}>${rowDetails(row, texts)}</td>
          </tr>`
        : nothing
    }
  `;
}

function bodyCell(row: ModelRow, key: SortKey, { texts, sort }: RowsTable): TemplateResult {
  const tied = isTied(row);
  const role = tied ? 'is-tied' : 'is-untied';
  const isSaving = key === 'saved-of-tied' || key === 'saved-of-untied';
  return html`<td role="cell" data-key=${key} class="${key === sort ? 'sorted' : ''} ${key === 'tying' ? 'words' : ''}">
    <span class="label">${texts.column(key)}</span>
    <span class="value ${isSaving || key === 'tying' ? role : ''}"
      >${key === 'tying' ? tyingMark(tied) : nothing}${isSaving && !tied ? html`<span class="visually-hidden">${texts.wouldSaveSpoken}</span>` : nothing}${columns[key].cell(row, texts)}</span
    >
  </td>`;
}

/** The marks of the chart: a dot for tied, a hollow diamond for untied. */
const tyingMark = (tied: boolean): TemplateResult => html`
  <svg class="tying-mark point ${tied ? 'is-tied' : 'is-untied'}" viewBox="0 0 14 14" aria-hidden="true">
    ${tied ? svg`<circle class="shape" cx="7" cy="7" r="4.5"></circle>` : svg`<path class="shape" d="M7 1.5L12.5 7 7 12.5 1.5 7z"></path>`}
  </svg>
`;

function openAction(row: ModelRow, { texts, opening, onOpen }: RowsTable): TemplateResult {
  const label = texts.openIn(row.model.name);
  const content = html`<svg viewBox="0 0 18 18" aria-hidden="true">
    <path d="M3 9h11M9.5 4.5L14 9l-4.5 4.5"></path>
  </svg>`;
  const press = (event: Event): void => onOpen(row, event);
  return opening.kind === 'link'
    ? html`<a
        class="button open-model"
        href=${opening.to(row.model.id) ?? nothing}
        aria-label=${label}
        title=${label}
        @click=${press}
        >${content}</a
      >`
    : html`<button type="button" class="button open-model" aria-label=${label} title=${label} @click=${press}>
        ${content}
      </button>`;
}
