import type { TemplateResult } from 'lit';
import { formatNumber, formatWhole } from '../../charts/number-format.js';
import { dataTable } from '../shared/figure.js';
import type { ModelTableStrings } from './model-table.strings.js';
import type { ModelRow } from './model-rows.js';
import { layersText, stateText } from './table-cells.js';

/** Every number of the chart and the table, unrounded. */
export const tableData = (rows: readonly ModelRow[], texts: ModelTableStrings): TemplateResult =>
  dataTable({
    caption: texts.dataCaption,
    head: [
      ...(['name', 'year', 'vocabulary', 'width', 'layers', 'tying', 'table', 'total'] as const).map((key) =>
        texts.column(key),
      ),
      texts.dataTied,
      texts.dataUntied,
      texts.dataSaved,
      texts.column('table-share'),
      texts.column('saved-of-tied'),
      texts.column('saved-of-untied'),
      texts.dataPublished,
    ],
    rows: rows.map((row) => [
      row.model.name,
      String(row.model.year),
      formatWhole(row.model.architecture.vocabSize),
      formatWhole(row.model.architecture.dModel),
      layersText(row),
      stateText(row, texts),
      formatWhole(row.table),
      formatWhole(row.total),
      row.tied === null ? '–' : formatWhole(row.tied),
      formatWhole(row.untied),
      row.saved === null ? '–' : formatWhole(row.saved),
      share(row.tableShare, texts),
      share(row.savedOfTied, texts),
      share(row.savedOfUntied, texts),
      row.model.published === null ? '–' : formatWhole(row.model.published.total),
    ]),
  });

const share = (value: number | null, texts: ModelTableStrings): string =>
  value === null ? '–' : texts.percent(formatNumber(value * 100, { significant: 5 }));
