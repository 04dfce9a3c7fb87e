import { seededTwinSettings } from '../shared/seeded-twins.js';
import { group } from '../shared/settings/panel-parts.js';
import { choice } from '../shared/settings/setting.js';
import { weightsSetting, type ModelsPanel } from '../shared/weights.js';
import { measureNames, shownSteps } from './measure.js';

export const directPathSettings = {
  weights: weightsSetting,
  measure: choice(measureNames, {
    link: 'always',
    label: 'measure',
    control: { as: 'select', names: 'measures' },
  }),
  ...seededTwinSettings(shownSteps.length, 'lastMoment'),
};

export const directPathPanel = ['measure', 'start', group('rest', 'models', 'chance', 'seed')] satisfies ModelsPanel<
  typeof directPathSettings
>;
