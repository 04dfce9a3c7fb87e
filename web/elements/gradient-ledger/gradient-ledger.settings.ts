import { group } from '../shared/settings/panel-parts.js';
import { choice } from '../shared/settings/setting.js';
import { weightsSetting, type ModelsPanel } from '../shared/weights.js';
import { twinKinds } from '../shared/model-twins.js';
import { seededTwinSettings } from '../shared/seeded-twins.js';
import { definitions, shownSteps } from './measure.js';

export const gradientLedgerSettings = {
  weights: weightsSetting,
  /** How the gradient through reading is counted: summed per token, or one row per position. */
  definition: choice(definitions, {
    link: 'always',
    label: 'definition',
    control: { as: 'segmented', names: 'definitions' },
  }),
  /** Whose bands of tokens are drawn. */
  model: choice(twinKinds, { label: 'model', control: { as: 'segmented', names: 'models' } }),
  /** The levels for comparison are an even split, and what a random direction keeps. */
  ...seededTwinSettings(shownSteps.length, 'furthestAhead'),
};

export const gradientLedgerPanel = [
  'model',
  'start',
  group('rest', 'models', 'definition', 'chance', 'seed'),
] satisfies ModelsPanel<typeof gradientLedgerSettings>;
