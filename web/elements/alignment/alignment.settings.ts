import { chanceSetting } from '../shared/chance.js';
import { group, type Panel } from '../shared/settings/panel-parts.js';
import { weightsSetting, type ModelsPanel } from '../shared/weights.js';
import { flag, segments, text } from '../shared/settings/setting.js';

const alignmentMethods = ['linear', 'orthogonal', 'identity'] as const;
export type Method = (typeof alignmentMethods)[number];

export const alignmentSettings = {
  weights: weightsSetting,
  method: segments(alignmentMethods, 'method', 'methods', { link: 'always' }),
  center: segments(['centered', 'as-is'], 'center', 'centers'),
  /** Whether there is a second fit that does not see a fifth of the tokens; without a map nothing is fitted. */
  holdOut: segments(['fifth', 'none'], 'holdOut', 'holdOuts', { applies: ({ method }) => method !== 'identity' }),
  /** Whether the level that shuffled rows reach is shown. */
  chance: chanceSetting,
  /** Whose neighbors are listed. */
  word: text('She', { label: 'word', control: { hint: 'wordHint' } }),
  /** Whether the section of other measures is open; they are not measured before it is. */
  otherMeasures: flag(false),
};

export const settingsPanel = [
  'method',
  'start',
  group('rest', 'models', 'center', 'holdOut', 'chance'),
] satisfies ModelsPanel<typeof alignmentSettings>;
export const wordPanel = ['word'] satisfies Panel<keyof typeof alignmentSettings>;
