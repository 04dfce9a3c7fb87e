import { chanceSetting } from '../shared/chance.js';
import type { Panel } from '../shared/settings/panel.js';
import { choice, number, text } from '../shared/settings/setting.js';
import { lensKinds } from './measure.js';

export const lensSettings = {
  prompt: text('The girl lived in Los Angeles. One day she took the train to New', {
    label: 'prompt',
    control: { as: 'area' },
  }),
  lens: choice(lensKinds, { link: 'always', label: 'lens', control: { as: 'segmented', names: 'lenses' } }),
  /** Whether to show the level that a layer reaches without telling any tokens apart. */
  chance: chanceSetting,
  /** In tokens, from 1; null: the last. */
  position: number(null, { min: 1, whole: true, unset: 'lastPosition' }),
};

export const lensPanel = ['models', 'prompt', 'lens', 'chance', 'start'] satisfies Panel<
  keyof typeof lensSettings | 'models' | 'start'
>;
