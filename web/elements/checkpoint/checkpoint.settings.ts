import { twinKinds } from '../shared/model-twins.js';
import { group, type Panel } from '../shared/settings/panel-parts.js';
import { choice, flag, integer, number, seed, segments, text } from '../shared/settings/setting.js';
import { fileSetting, weightsSetting } from '../shared/weights.js';
import { checkpointStrings } from './checkpoint.strings.js';
import { readGiven } from './given.js';

/** Elements of a tensor that a window begins with. */
const place = (label: string) =>
  number(0, {
    ...integer(0, Number.MAX_SAFE_INTEGER),
    label,
    shown: ({ tensorView }) => tensorView === 'window',
    control: { step: 16 },
  });

/** URLs, or files by their names and sizes, with spaces between them. */
const given = text('', { accepts: (value) => readGiven(value) !== null, expected: 'expectedGiven' });

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
  prompt: text(checkpointStrings.promptValue, { link: 'always', label: 'prompt', control: { as: 'prompt' } }),
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
  /**
   * What a link is about: the URL of a model, which is opened when the reader asks for it, or `name:bytes` of a file that
   * the reader has to give again.
   */
  given,
  /** The models that it is compared with, in the same form. */
  beside: given,
  /** Whether URLs in a link are opened at once. */
  openGiven: flag(false, { link: 'never' }),
  /** Whether everything about the open model is shown, not only the verdict and the tables. */
  inside: flag(false),
  /** The name of the tensor that is drawn. Default: the table. */
  tensor: text(''),
  tensorView: segments(['blocks', 'window'], 'viewOf', 'views'),
  tensorMeasure: segments(['size', 'mean'], 'measureOf', 'tensorMeasures', {
    shown: ({ tensorView }) => tensorView === 'blocks',
  }),
  /** The first row and column of a window. */
  fromRow: place('fromRow'),
  fromCol: place('fromCol'),
};

export const cardPanel = [group('line', 'text'), group('line', 'lookAt')] satisfies Panel<
  keyof typeof checkpointSettings
>;

export const tensorPanel = [group('row', 'tensorView', 'tensorMeasure', 'fromRow', 'fromCol')] satisfies Panel<
  keyof typeof checkpointSettings
>;

/** For a single table without a second one. */
export const tablePanel = [group('line', 'lookAt')] satisfies Panel<keyof typeof checkpointSettings>;

export const writingPanel = [
  group('line row', 'prompt'),
  group('line row', 'write', 'temperature', 'tokens', 'seed'),
] satisfies Panel<keyof typeof checkpointSettings | 'write'>;
