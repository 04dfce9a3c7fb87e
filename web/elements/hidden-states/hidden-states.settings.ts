import { chanceSetting } from '../shared/chance.js';
import type { Panel } from '../shared/settings/panel.js';
import { choice, number, text } from '../shared/settings/setting.js';
import { places, targets } from './measure.js';

export const hiddenStatesSettings = {
  prompt: text('The girl lived in Los Angeles. One day she took the train to New', {
    label: 'prompt',
    control: { as: 'area' },
  }),
  /** Which token's row the hidden state is compared with. */
  target: choice(targets, { link: 'always', label: 'target', control: { as: 'segmented', names: 'targets' } }),
  place: choice(places, { label: 'place', control: { as: 'segmented', names: 'places' } }),
  chance: chanceSetting,
  /** In tokens, from 1; null: the last. */
  position: number(null, { min: 1, whole: true, unset: 'lastPosition' }),
};

export const hiddenStatesPanel = ['models', 'prompt', 'target', 'place', 'chance', 'start'] satisfies Panel<
  keyof typeof hiddenStatesSettings | 'models' | 'start'
>;
