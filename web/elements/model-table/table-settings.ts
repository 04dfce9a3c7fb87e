import {
  familiesOf,
  isSortKey,
  tyingFilters,
  type ModelRow,
  type RowFilter,
  type SortKey,
  type SortOrder,
} from './model-rows.js';

/** What the chart's upright axis is: what tying saves or would save, or what the rule of thumb goes by. */
export const chartAxes = ['rule', 'saved'] as const;
export type ChartAxis = (typeof chartAxes)[number];

/** What the table shows, as attributes and links say it. */
export interface TableSettings extends RowFilter {
  readonly chart: ChartAxis;
  readonly sort: SortKey;
  readonly order: SortOrder;
}

export const startFilter: RowFilter = { tying: 'all', family: '', search: '' };
/** The largest shares first: it is a surprise who leaves those untied. */
export const start: TableSettings = { chart: 'rule', sort: 'saved-of-untied', order: 'descending', ...startFilter };

/** As many rows as fill a screen or two; the reader may ask for all. */
export const firstRows = (width: number): number => (width < 520 ? 6 : 12);

export const isFiltered = ({ tying, family, search }: TableSettings): boolean =>
  tying !== start.tying || family !== start.family || search.trim() !== '';

export const isMoved = (settings: TableSettings): boolean =>
  isFiltered(settings) || settings.sort !== start.sort || settings.order !== start.order;

/**
 * Settings that say nothing usable, since attributes may hold anything, and what takes their place. Families are those of
 * the rows: before there are any, none is wrong.
 */
export function wrongSettings(
  { chart, sort, order, tying, family, search }: TableSettings,
  rows: readonly ModelRow[] | null,
): { name: keyof TableSettings; used: string }[] {
  const usable: Record<keyof TableSettings, boolean> = {
    chart: chartAxes.includes(chart),
    sort: isSortKey(sort),
    order: order === 'ascending' || order === 'descending',
    tying: tyingFilters.includes(tying),
    family: family === '' || (typeof family === 'string' && (rows === null || familiesOf(rows).includes(family))),
    search: typeof search === 'string',
  };
  const names = Object.keys(usable) as (keyof TableSettings)[];
  return names.filter((name) => !usable[name]).map((name) => ({ name, used: start[name] }));
}

/** For a link: the order always, the rest where it differs. */
export function settingsOf(settings: TableSettings, model: string | null): Record<string, string> {
  const { sort, order } = settings;
  const filters = (['tying', 'family', 'search', 'chart'] as const).filter((name) => settings[name] !== start[name]);
  return {
    sort,
    order,
    ...Object.fromEntries(filters.map((name) => [name, settings[name]])),
    ...(model === null ? {} : { model }),
  };
}
