import { formatCompact, formatNumber, formatWhole } from '../../charts/number-format.js';
import type { ModelTableStrings } from './model-table.strings.js';
import { isTied, type ModelRow, type SortKey } from './model-rows.js';

/** Formats the cells of a row. */

export const percentText = (share: number, decimals = 1): string => formatNumber(share * 100, { decimals });

/** "124.4M", "1.24B": three or four digits. */
export const countText = (count: number): string => {
  const decimals = count >= 999.95e6 && count < 9.995e9 ? 2 : 1;
  return formatCompact(count, { decimals });
};

export const stateText = (row: ModelRow, texts: ModelTableStrings): string =>
  ({ all: texts.tied, inputs: texts.inputsOnly, none: texts.untied })[row.shares];

/** Layers of encoder and decoder separately. */
export const layersText = ({ layers, encoderLayers }: ModelRow): string =>
  encoderLayers > 0 ? `${formatWhole(encoderLayers)} + ${formatWhole(layers - encoderLayers)}` : formatWhole(layers);

/** What tying saves; in parentheses what it would save an untied model. */
export function savedText(row: ModelRow, share: number | null, texts: ModelTableStrings): string {
  if (share === null) return '–';
  const text = texts.percent(percentText(share));
  return isTied(row) ? text : texts.wouldSave(text);
}

/** The text of a cell, except in the name column. */
export function cellText(row: ModelRow, key: Exclude<SortKey, 'name'>, texts: ModelTableStrings): string {
  switch (key) {
    case 'year':
      return String(row.model.year);
    case 'vocabulary':
      return formatWhole(row.model.architecture.vocabSize);
    case 'width':
      return formatWhole(row.model.architecture.dModel);
    case 'layers':
      return layersText(row);
    case 'tying':
      return stateText(row, texts);
    case 'table':
      return countText(row.table);
    case 'total':
      return countText(row.total);
    case 'table-share':
      return texts.percent(percentText(row.tableShare));
    case 'saved-of-tied':
      return savedText(row, row.savedOfTied, texts);
    case 'saved-of-untied':
      return savedText(row, row.savedOfUntied, texts);
  }
}
