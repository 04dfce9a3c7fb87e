import { twinKinds } from '../shared/model-twins.js';
import { group, type Panel } from '../shared/settings/panel-parts.js';
import { choice, integer, number, seed, text } from '../shared/settings/setting.js';
import { fileSetting, weightsSetting } from '../shared/weights.js';
import { checkpointStrings } from './checkpoint.strings.js';

export const checkpointSettings = {
  /**
   * A model to open: when the figure comes into view if it has the page's origin, otherwise when the reader asks for
   * it.
   */
  src: fileSetting,
  /** The page's file with a tied and an untied model. */
  weights: weightsSetting,
  /** Which of the two to open. */
  model: choice(twinKinds),
  prompt: text(checkpointStrings.promptValue, { link: 'always', label: 'prompt', control: { as: 'area' } }),
  temperature: number(0.8, {
    min: 0,
    max: 5,
    link: 'always',
    label: 'temperature',
    control: { step: 0.1, decimals: 1 },
  }),
  /** Number of tokens to generate. */
  tokens: number(200, { ...integer(1, 2000), link: 'always', label: 'length', control: { step: 10 } }),
  seed: seed({ label: 'seed' }),
  /** The text that the identity card tests the direct path on. */
  text: text(checkpointStrings.textValue, { label: 'textLabel', control: { as: 'area' } }),
  /** Tokens that the card lists besides its sample: strings or ids, separated by spaces. */
  lookAt: text('', { label: 'lookAtLabel' }),
};

export const cardPanel = [group('line', 'text'), group('line', 'lookAt')] satisfies Panel<
  keyof typeof checkpointSettings
>;

/** For a single table without a second one. */
export const tablePanel = [group('line', 'lookAt')] satisfies Panel<keyof typeof checkpointSettings>;

export const writingPanel = [
  group('line row', 'prompt'),
  group('line row', 'write', 'temperature', 'tokens', 'seed'),
] satisfies Panel<keyof typeof checkpointSettings | 'write'>;
