import type { ModelFamily } from '../../core/accounting-types.js';
import { choice, text, type Setting, type ValuesOf } from '../shared/settings/setting.js';
import { initialValues } from '../shared/settings/with-settings.js';
import { sortKeys, tyingFilters } from './model-rows.js';

/** The chart's vertical axis: what tying saves or would save, or the quantity of the rule of thumb. */
export const chartAxes = ['rule', 'saved'] as const;
export type ChartAxis = (typeof chartAxes)[number];

const filterSettings = {
  tying: choice(tyingFilters),
  /** The families are known once the models have been counted. */
  family: text('', { unset: 'allFamilies' }) as Setting<ModelFamily | ''>,
  search: text(''),
};

export const tableSettings = {
  /** Largest fractions first: surprisingly, some of them are untied. */
  sort: choice(sortKeys, { initial: 'saved-of-untied', link: 'always' }),
  order: choice(['ascending', 'descending'], { initial: 'descending', link: 'always' }),
  ...filterSettings,
  chart: choice(chartAxes),
  /** Id of the model whose details are open. */
  model: text(null),
};

export type TableSettings = Readonly<ValuesOf<typeof tableSettings>>;

export const startFilter = initialValues(filterSettings);
export const start = initialValues(tableSettings);

/** Enough rows for a screen or two; the reader can show all. */
export const firstRows = (width: number): number => (width < 520 ? 6 : 12);

export const isFiltered = ({ tying, family, search }: Omit<TableSettings, 'model'>): boolean =>
  tying !== start.tying || family !== start.family || search.trim() !== '';

export const isMoved = (settings: Omit<TableSettings, 'model'>): boolean =>
  isFiltered(settings) || settings.sort !== start.sort || settings.order !== start.order;
