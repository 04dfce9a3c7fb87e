import { chanceSetting } from '../shared/chance.js';
import type { Panel } from '../shared/settings/panel.js';
import { choice, flag, number, seed } from '../shared/settings/setting.js';
import { pairKinds } from '../shared/model-pair.js';
import { definitions, shownSteps } from './measure.js';

export const gradientLedgerSettings = {
  /** How the gradient through reading is counted: summed per token, or one row per position. */
  definition: choice(definitions, {
    link: 'always',
    label: 'definition',
    control: { as: 'segmented', names: 'definitions' },
  }),
  /** Whose bands of tokens are drawn. */
  model: choice(pairKinds, { label: 'model', control: { as: 'segmented', names: 'models' } }),
  /** Whether the levels for comparison are drawn: an even split, and what a random direction keeps. */
  chance: chanceSetting,
  seed: seed({ label: 'seed', shown: ({ trains }) => trains !== false }),
  /** Whether the element trains, until the reader chooses the models at `weights`. */
  trainsFirst: flag(false, { link: 'never' }),
  /** The measured step that is shown, counted from 1; null: the one at which writing is furthest ahead. */
  moment: number(null, { min: 1, max: shownSteps.length, whole: true, unset: 'furthestAhead' }),
};

export const gradientLedgerPanel = ['models', 'definition', 'model', 'chance', 'seed', 'start'] satisfies Panel<
  keyof typeof gradientLedgerSettings | 'models' | 'start'
>;
