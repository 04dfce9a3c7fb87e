import { html, nothing, type TemplateResult } from 'lit';
import type { ModelFamily } from '../../core/accounting-types.js';
import { button, segmented, select } from '../shared/controls.js';
import type { CommonStrings } from '../shared/strings.js';
import type { ModelTableStrings } from './model-table.strings.js';
import { sortKeys, tyingFilters, type RowFilter, type SortKey, type SortOrder } from './model-rows.js';

export interface TableControls {
  readonly texts: ModelTableStrings & CommonStrings;
  readonly filter: RowFilter;
  readonly families: readonly ModelFamily[];
  readonly sort: SortKey;
  readonly order: SortOrder;
  /** Whether something differs from the state that Reset restores. */
  readonly moved: boolean;
  readonly onFilter: (change: Partial<RowFilter>) => void;
  readonly onSort: (key: SortKey, order?: SortOrder) => void;
  readonly onReset: () => void;
}

/** Filters; on narrow screens also the order, because the table has no header. */
export function tableControls(controls: TableControls): TemplateResult {
  const { texts, filter, onFilter } = controls;
  const labels = { all: texts.filterAll, tied: texts.filterTied, untied: texts.filterUntied };
  return html`
    ${segmented({
      legend: texts.tyingFilter,
      hideLegend: true,
      name: 'tying',
      value: filter.tying,
      choices: tyingFilters.map((value) => ({ value, label: labels[value] })),
      onChoose: (tying) => {
        onFilter({ tying });
      },
    })}
    ${select<ModelFamily | ''>({
      label: texts.family,
      value: filter.family,
      choices: [
        { value: '', label: texts.allFamilies },
        ...controls.families.map((value) => ({ value, label: texts.familyName(value) })),
      ],
      onChoose: (family) => {
        onFilter({ family });
      },
    })}
    <label class="field">
      <span class="legend">${texts.search}</span>
      <input
        type="search"
        class="text-field"
        placeholder=${texts.searchHint}
        autocomplete="off"
        spellcheck="false"
        .value=${filter.search}
        @input=${(event: Event) => {
          onFilter({ search: (event.target as HTMLInputElement).value });
        }}
      />
    </label>
    ${controls.moved ? button({ label: texts.reset, kind: 'quiet', onPress: controls.onReset }) : nothing}
  `;
}

/** Replaces the table's header on narrow screens. */
export const sortControls = ({ texts, sort, order, onSort }: TableControls): TemplateResult => html`
  <div class="sort-controls">
    ${select({
      label: texts.sortBy,
      value: sort,
      choices: sortKeys.map((value) => ({ value, label: texts.column(value) })),
      onChoose: (key) => {
        onSort(key);
      },
    })}
    ${button({
      label: order === 'ascending' ? texts.ascending : texts.descending,
      onPress: () => {
        onSort(sort, order === 'ascending' ? 'descending' : 'ascending');
      },
    })}
  </div>
`;
