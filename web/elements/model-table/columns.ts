import { formatCompact, formatNumber, formatWhole } from '../../charts/number-format.js';
import type { ModelTableStrings, SortKey } from './model-table.strings.js';
import { byName, isTied, type ModelRow } from './model-rows.js';

/** The columns of the table, and how their numbers are written. */

export const percentText = (share: number, decimals = 1): string => formatNumber(share * 100, { decimals });

/** "124.4M", "1.24B": three or four digits. */
export const countText = (count: number): string => {
  const decimals = count >= 999.95e6 && count < 9.995e9 ? 2 : 1;
  return formatCompact(count, { decimals });
};

export const stateText = (row: ModelRow, texts: ModelTableStrings): string =>
  ({ all: texts.tied, inputs: texts.inputsOnly, none: texts.untied })[row.shares];

/** Layers of encoder and decoder, separately. */
export const layersText = ({ layers, encoderLayers }: ModelRow): string =>
  encoderLayers > 0 ? `${formatWhole(encoderLayers)} + ${formatWhole(layers - encoderLayers)}` : formatWhole(layers);

/** What tying saves; for an untied model in parentheses, as what it would save. */
export function savedText(row: ModelRow, share: number | null, texts: ModelTableStrings): string {
  if (share === null) return '–';
  const text = texts.percent(percentText(share));
  return isTied(row) ? text : texts.wouldSave(text);
}

// ---------------------------------------------------------------- columns

export type SortOrder = 'ascending' | 'descending';

type Texts = ModelTableStrings;

interface Column {
  /** Rows without a value come last in either order. */
  readonly value: (row: ModelRow) => string | number | null;
  readonly cell: (row: ModelRow, texts: Texts) => string;
  /** The exact number, if the cell is rounded. */
  readonly exact?: (row: ModelRow, texts: Texts) => string;
}

const whole = (value: (row: ModelRow) => number): Column => ({ value, cell: (row) => formatWhole(value(row)) });
const counted = (value: (row: ModelRow) => number): Column => ({
  value,
  cell: (row) => countText(value(row)),
  exact: (row) => formatWhole(value(row)),
});
const share = (value: (row: ModelRow) => number | null, cell: Column['cell']): Column => ({
  value,
  cell,
  exact: (row, texts) => exactShare(value(row), texts),
});

const exactShare = (value: number | null, texts: Texts): string =>
  value === null ? '–' : texts.percent(formatNumber(value * 100, { significant: 5 }));

/** The columns in the order of the table: what each one sorts by and shows. */
export const columns: Readonly<Record<SortKey, Column>> = {
  name: { value: ({ model }) => model.name, cell: ({ model }) => model.name },
  year: { value: ({ model }) => model.year, cell: ({ model }) => String(model.year) },
  vocabulary: whole(({ model }) => model.architecture.vocabSize),
  width: whole(({ model }) => model.architecture.dModel),
  layers: { value: ({ layers }) => layers, cell: layersText },
  tying: { value: ({ shares }) => ['all', 'inputs', 'none'].indexOf(shares), cell: stateText },
  table: counted(({ table }) => table),
  total: counted(({ total }) => total),
  'table-share': share(
    ({ tableShare }) => tableShare,
    ({ tableShare }, texts) => texts.percent(percentText(tableShare)),
  ),
  'saved-of-tied': share(
    ({ savedOfTied }) => savedOfTied,
    (row, texts) => savedText(row, row.savedOfTied, texts),
  ),
  'saved-of-untied': share(
    ({ savedOfUntied }) => savedOfUntied,
    (row, texts) => savedText(row, row.savedOfUntied, texts),
  ),
};

export const sortKeys = Object.keys(columns) as readonly SortKey[];

/** Names and kinds of tying are sorted in ascending order first; numbers, largest first. */
export const firstOrder = (key: SortKey): SortOrder => (key === 'name' || key === 'tying' ? 'ascending' : 'descending');

/** A sorted copy of the rows; ties are sorted by name. */
export function sortedRows(rows: readonly ModelRow[], key: SortKey, order: SortOrder): ModelRow[] {
  const sign = order === 'ascending' ? 1 : -1;
  const { value } = columns[key];
  return [...rows].sort((a, b) => {
    const [first, second] = [value(a), value(b)];
    let difference = 0;
    if (first === null || second === null) {
      if (first !== second) return first === null ? 1 : -1;
    } else if (typeof first === 'string' && typeof second === 'string') {
      difference = byName.compare(first, second);
    } else {
      difference = first < second ? -1 : first > second ? 1 : 0;
    }
    return sign * difference || byName.compare(a.model.name, b.model.name);
  });
}
