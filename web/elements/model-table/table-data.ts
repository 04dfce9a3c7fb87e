import type { TemplateResult } from 'lit';
import { formatWhole } from '../../charts/number-format.js';
import { dataTable } from '../shared/figure.js';
import { columns, sortKeys } from './columns.js';
import type { ModelTableStrings } from './model-table.strings.js';
import type { ModelRow } from './model-rows.js';

const sizes = sortKeys.slice(0, sortKeys.indexOf('table-share'));
const shares = sortKeys.slice(sizes.length);

/** Every number of the chart and the table, unrounded. */
export function tableData(rows: readonly ModelRow[], texts: ModelTableStrings): TemplateResult {
  const head = (keys: typeof sortKeys): string[] => keys.map((key) => texts.column(key));
  const exact = (row: ModelRow, keys: typeof sortKeys): string[] =>
    keys.map((key) => {
      const { cell, exact: digits = cell } = columns[key];
      return digits(row, texts);
    });
  const known = (value: number | null | undefined): string =>
    value === null || value === undefined ? '–' : formatWhole(value);
  return dataTable({
    caption: texts.dataCaption,
    head: [...head(sizes), texts.dataTied, texts.dataUntied, texts.dataSaved, ...head(shares), texts.dataPublished],
    rows: rows.map((row) => [
      ...exact(row, sizes),
      ...[row.tied, row.untied, row.saved].map(known),
      ...exact(row, shares),
      known(row.model.published?.total),
    ]),
  });
}
