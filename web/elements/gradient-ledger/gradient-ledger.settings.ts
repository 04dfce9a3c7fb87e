import { group } from '../shared/settings/panel-parts.js';
import { segments } from '../shared/settings/setting.js';
import { weightsSetting, type ModelsPanel } from '../shared/weights.js';
import { twinKinds } from '../shared/model-twins.js';
import { seededTwinSettings } from '../shared/seeded-twins.js';
import { definitions, shownSteps } from './measure.js';

export const gradientLedgerSettings = {
  weights: weightsSetting,
  /** How the gradient through reading is counted: summed per token, or one row per position. */
  definition: segments(definitions, 'definition', 'definitions', { link: 'always' }),
  /** Whose bands of tokens are drawn. */
  model: segments(twinKinds, 'model', 'models'),
  /** The levels for comparison are an even split, and what a random direction keeps. */
  ...seededTwinSettings(shownSteps.length, 'furthestAhead'),
};

export const gradientLedgerPanel = [
  'model',
  'start',
  group('rest', 'models', 'definition', 'chance', 'seed'),
] satisfies ModelsPanel<typeof gradientLedgerSettings>;
