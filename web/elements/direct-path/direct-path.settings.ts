import { chanceSetting } from '../shared/chance.js';
import type { Panel } from '../shared/settings/panel.js';
import { choice, flag, number, seed } from '../shared/settings/setting.js';
import { measureNames, shownSteps } from './measure.js';

export const directPathSettings = {
  measure: choice(measureNames, {
    link: 'always',
    label: 'measure',
    control: { as: 'select', names: 'measures' },
  }),
  chance: chanceSetting,
  seed: seed({ label: 'seed', shown: ({ trains }) => trains !== false }),
  /** Whether the element trains, until the reader chooses the models at `weights`. */
  trainsFirst: flag(false, { link: 'never' }),
  /** The measured step that is shown, counted from 1; null: the last. */
  moment: number(null, { min: 1, max: shownSteps.length, whole: true, unset: 'lastMoment' }),
};

export const directPathPanel = ['models', 'measure', 'chance', 'seed', 'start'] satisfies Panel<
  keyof typeof directPathSettings | 'models' | 'start'
>;
