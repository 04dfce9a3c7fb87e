import { chanceSetting } from '../shared/chance.js';
import { group, type Panel } from '../shared/settings/panel-parts.js';
import { weightsSetting, type ModelsPanel } from '../shared/weights.js';
import { choice, flag, text } from '../shared/settings/setting.js';

const alignmentMethods = ['linear', 'orthogonal', 'identity'] as const;
export type Method = (typeof alignmentMethods)[number];

export const alignmentSettings = {
  weights: weightsSetting,
  method: choice(alignmentMethods, {
    link: 'always',
    label: 'method',
    control: { as: 'segmented', names: 'methods' },
  }),
  center: choice(['centered', 'as-is'], { label: 'center', control: { as: 'segmented', names: 'centers' } }),
  /** Whether there is a second fit that does not see a fifth of the tokens. */
  holdOut: choice(['fifth', 'none'], {
    label: 'holdOut',
    control: { as: 'segmented', names: 'holdOuts' },
    // Without a map nothing is fitted.
    applies: ({ method }) => method !== 'identity',
  }),
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
