import type { ModelFamily } from '../../core/accounting/types.js';
import { group, type Panel } from '../shared/settings/panel-parts.js';
import { choice, segments, text, type Setting, type ValuesOf } from '../shared/settings/setting.js';
import { initialValues } from '../shared/settings/with-settings.js';
import { sortKeys } from './columns.js';
import { tyingFilters } from './model-rows.js';
import { chartAxes } from './rule.js';

const filterSettings = {
  tying: segments(tyingFilters, 'tyingFilter', 'tyingFilters', { control: { hideLabel: true } }),
  /** The families are known once the models have been counted. */
  family: text('', {
    unset: 'allFamilies',
    label: 'family',
    control: { names: 'familyName', offered: ({ families }) => ['', ...(families as ModelFamily[])] },
  }) as Setting<ModelFamily | ''>,
  search: text('', { label: 'search', control: { hint: 'searchHint' } }),
};

export const tableSettings = {
  /** Largest fractions first: surprisingly, some of them are untied. */
  sort: choice(sortKeys, {
    initial: 'saved-of-untied',
    link: 'always',
    label: 'sortBy',
    control: { names: 'column' },
  }),
  order: choice(['ascending', 'descending'], { initial: 'descending', link: 'always' }),
  ...filterSettings,
  chart: segments(chartAxes, 'chartAxis', 'chartAxes'),
  /** Id of the model whose details are open. */
  model: text(null),
};

type Panels = Panel<keyof typeof tableSettings | 'reset' | 'turn'>;
export const filterPanel = ['tying', group('rest', 'family', 'search', 'reset')] satisfies Panels;
export const chartPanel = [group('axis-choice rest', 'chart')] satisfies Panels;
/** Replaces the table's header on narrow screens. */
export const sortPanel = [group('sort-controls', 'sort', 'turn')] satisfies Panels;

export type TableSettings = Readonly<ValuesOf<typeof tableSettings>>;

export const startFilter = initialValues(filterSettings);
export const start = initialValues(tableSettings);

/** Enough rows for a screen or two; the reader can show all. */
export const firstRows = (width: number): number => (width < 520 ? 6 : 12);

export const isFiltered = ({ tying, family, search }: Omit<TableSettings, 'model'>): boolean =>
  tying !== start.tying || family !== start.family || search.trim() !== '';

export const isMoved = (settings: Omit<TableSettings, 'model'>): boolean =>
  isFiltered(settings) || settings.sort !== start.sort || settings.order !== start.order;
