import { chanceSetting } from '../shared/chance.js';
import { positionSetting, promptSetting } from '../shared/prompt.js';
import { group } from '../shared/settings/panel-parts.js';
import { segments } from '../shared/settings/setting.js';
import { weightsSetting, type ModelsPanel } from '../shared/weights.js';
import { places, targets } from './measure.js';

export const hiddenStatesSettings = {
  weights: weightsSetting,
  prompt: promptSetting,
  /** Which token's row the hidden state is compared with. */
  target: segments(targets, 'target', 'targets', { link: 'always' }),
  place: segments(places, 'place', 'places'),
  chance: chanceSetting,
  position: positionSetting,
};

export const hiddenStatesPanel = ['start', group('rest', 'models', 'target', 'place', 'chance')] satisfies ModelsPanel<
  typeof hiddenStatesSettings
>;
