import { pairKinds } from '../shared/model-pair.js';
import { group, type Panel } from '../shared/settings/panel.js';
import { choice, number, seed, text } from '../shared/settings/setting.js';
import { webLink } from '../shared/web-link.js';
import { weightsSetting } from '../shared/weights.js';
import { checkpointStrings } from './checkpoint.strings.js';

export const checkpointSettings = {
  /** A model to open: as the figure is seen if it is of the page's own origin, else when the reader asks for it. */
  src: text(null, { link: 'never', accepts: (url) => webLink(url) !== null, expected: 'expectedUrl' }),
  /** The page's file of a tied and an untied model. */
  weights: weightsSetting,
  /** Which of the two. */
  model: choice(pairKinds),
  prompt: text(checkpointStrings.promptValue, { link: 'always', label: 'prompt', control: { as: 'area' } }),
  temperature: number(0.8, {
    min: 0,
    max: 5,
    link: 'always',
    label: 'temperature',
    control: { step: 0.1, decimals: 1 },
  }),
  /** Number of tokens to generate. */
  tokens: number(200, { min: 1, max: 2000, whole: true, link: 'always', label: 'length', control: { step: 10 } }),
  seed: seed({ label: 'seed' }),
  /** What the identity card tries on the direct path. */
  text: text(checkpointStrings.textValue, { label: 'textLabel', control: { as: 'area' } }),
  /** Tokens that the card looks at besides its sample: strings or ids, with spaces between them. */
  lookAt: text('', { label: 'lookAtLabel' }),
};

export const cardPanel = [group('line', 'text'), group('line', 'lookAt')] satisfies Panel<
  keyof typeof checkpointSettings
>;

/** Of one table alone. */
export const tablePanel = [group('line', 'lookAt')] satisfies Panel<keyof typeof checkpointSettings>;

export const writingPanel = [
  group('line row', 'prompt'),
  group('line row', 'write', 'temperature', 'tokens', 'seed'),
] satisfies Panel<keyof typeof checkpointSettings | 'write'>;
