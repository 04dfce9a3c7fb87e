import { chanceSetting } from '../shared/chance.js';
import { positionSetting, promptSetting } from '../shared/prompt.js';
import { group } from '../shared/settings/panel-parts.js';
import { segments } from '../shared/settings/setting.js';
import { weightsSetting, type ModelsPanel } from '../shared/weights.js';
import { lensKinds } from './measure.js';

export const lensSettings = {
  weights: weightsSetting,
  prompt: promptSetting,
  lens: segments(lensKinds, 'lens', 'lenses', { link: 'always' }),
  /** Whether to show the level that a layer reaches without telling any tokens apart. */
  chance: chanceSetting,
  position: positionSetting,
};

const rest = group('rest', 'models', 'lens', 'chance');
export const lensPanel = ['start', rest] satisfies ModelsPanel<typeof lensSettings>;
