import { chanceSetting } from '../shared/chance.js';
import { positionSetting, promptSetting } from '../shared/prompt.js';
import { group } from '../shared/settings/panel-parts.js';
import { choice } from '../shared/settings/setting.js';
import { weightsSetting, type ModelsPanel } from '../shared/weights.js';
import { places, targets } from './measure.js';

export const hiddenStatesSettings = {
  weights: weightsSetting,
  prompt: promptSetting,
  /** Which token's row the hidden state is compared with. */
  target: choice(targets, { link: 'always', label: 'target', control: { as: 'segmented', names: 'targets' } }),
  place: choice(places, { label: 'place', control: { as: 'segmented', names: 'places' } }),
  chance: chanceSetting,
  position: positionSetting,
};

export const hiddenStatesPanel = ['start', group('rest', 'models', 'target', 'place', 'chance')] satisfies ModelsPanel<
  typeof hiddenStatesSettings
>;
