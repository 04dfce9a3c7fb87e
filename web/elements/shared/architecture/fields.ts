import type { Architecture } from '../../../core/accounting-types.js';
import {
  BIAS_KINDS,
  FEED_FORWARD_KINDS,
  NORM_KINDS,
  POSITION_KINDS,
  QUERY_KEY_NORMS,
  STACKS,
  TABLE_TYINGS,
} from '../../../core/architecture-options.js';
import { group, type Panel } from '../settings/panel.js';
import { choice, flag, number, text, type Key, type NumberControl, type Values } from '../settings/setting.js';
import { modelFamilies, tablesId } from './presets.js';

/**
 * The settings of an element about one model: the model, and each field of its architecture. An unset field is that of
 * the model. In the panel, conditions see the completed architecture, `model`, `tying` and `tyings`.
 */

export type ArchitectureField = keyof Architecture;

const unset = 'familysDefault';
type Applies = (values: Values) => boolean;

const hasLayers: Applies = ({ model }) => model !== tablesId;
const hasTwoStacks: Applies = ({ stack }) => stack === 'encoder-decoder';
/** The plain formula has no parts to choose. */
const hasParts: Applies = (values) => hasLayers(values) && values['family'] !== 'plain-formula';
const hasBlocks: Applies = (values) =>
  hasParts(values) && Number(values['nLayers']) + Number(values['nEncoderLayers'] ?? 0) > 0;
const hasExperts: Applies = (values) => hasBlocks(values) && Number(values['nExperts']) > 0;

/** An integer up to 2^53 - 1. */
const integer = (min: 0 | 1, label?: Key, applies?: Applies, control: NumberControl = {}) =>
  number(undefined, {
    min,
    whole: true,
    unset,
    ...(label && { label, control }),
    ...(applies && { applies }),
  });
const size = integer.bind(null, 1);
const count = integer.bind(null, 0);
/** None is not offered, but a file may say so. */
const atLeastOne: NumberControl = { typed: [1, Infinity] };

const word = <Word extends string>(of: readonly Word[], label?: Key, names = '', applies?: Applies) =>
  choice<Word, undefined>(of, {
    initial: undefined,
    unset,
    ...(label && { label, control: { names } }),
    ...(applies && { applies }),
  });

/** Unset, true or false, so that it can differ from a model that has it. */
const trueOrFalse = (label?: Key, applies?: Applies) =>
  flag(undefined, { unset, ...(label && { label }), ...(applies && { applies }) });

/** Most informative first; links list them in this order. */
const fields = {
  family: word(modelFamilies),
  vocabSize: size('vocabSize', undefined, { slider: 'log', between: [100, 1_000_000] }),
  dModel: size('dModel', undefined, { slider: 'log', between: [16, 32_768] }),
  nLayers: count((values) => (hasTwoStacks(values) ? 'nDecoderLayers' : 'nLayers'), hasLayers, {
    slider: 'linear',
    between: [0, 128],
  }),
  stack: word(STACKS, 'stack', 'stacks', hasLayers),
  outputVocabSize: size('outputVocabSize', hasLayers),
  nEncoderLayers: count('nEncoderLayers', (values) => hasLayers(values) && hasTwoStacks(values)),
  nHeads: size('nHeads', hasBlocks),
  nKeyValueHeads: size('nKeyValueHeads', hasBlocks),
  dHead: size('dHead', hasBlocks),
  dFeedForward: size((values) => (hasExperts(values) ? 'dExpert' : 'dFeedForward'), hasBlocks),
  feedForward: word(FEED_FORWARD_KINDS, 'feedForward', 'feedForwards', hasBlocks),
  nExperts: count('nExperts', hasBlocks),
  nActiveExperts: count('nActiveExperts', hasExperts, atLeastOne),
  nSharedExperts: count('nSharedExperts', hasExperts),
  nDenseLayers: count('nDenseLayers', hasExperts),
  dDenseFeedForward: count(
    'dDenseFeedForward',
    (values) => hasExperts(values) && Number(values['nDenseLayers']) > 0,
    atLeastOne,
  ),
  positions: word(POSITION_KINDS, 'positions', 'positionKinds', hasParts),
  contextLength: count('contextLength', (values) => hasParts(values) && values['positions'] === 'learned', atLeastOne),
  relativeBuckets: count(
    'relativeBuckets',
    (values) => hasParts(values) && values['positions'] === 'relative',
    atLeastOne,
  ),
  nSegments: count(),
  norm: word(NORM_KINDS),
  normBiases: trueOrFalse(),
  normsPerLayer: count(),
  queryKeyNorm: word(QUERY_KEY_NORMS),
  embeddingNorm: trueOrFalse(),
  finalNorm: trueOrFalse(),
  biases: word(BIAS_KINDS, 'biases', 'biasKinds', hasBlocks),
  fusedQueryKeyValue: trueOrFalse(),
  headTransform: trueOrFalse(),
  outputBias: trueOrFalse('outputBias', hasParts),
  lowRank: size('lowRank', (values) => hasLayers(values) && values['tying'] === 'tied-low-rank'),
} satisfies Record<ArchitectureField, unknown>;

export const architectureFields = Object.keys(fields) as readonly ArchitectureField[];

export const architectureSettings = {
  /** 'tables', a family, the id of a known model, or 'own'; unset: the element's initial model. */
  model: text(undefined, { expected: 'expectedModel' }),
  ...fields,
  /** How the tables are tied, where that differs from the model. */
  tying: choice(TABLE_TYINGS, {
    initial: undefined,
    label: 'tying',
    control: { names: 'tyings', offered: ({ tyings }) => tyings as readonly string[] },
    applies: hasLayers,
    shown: ({ tyings }) => (tyings as readonly string[]).length > 1,
  }),
  /** The model's name, where that differs from its own. */
  modelName: text(undefined),
  /** Whether the reader had edited a model from a file when a link to it was made. */
  modelEdited: trueOrFalse(),
};

export type ArchitectureSetting = keyof typeof architectureSettings;

/** The value of a property or an attribute's text; undefined: unset or invalid. */
export function readSetting(name: ArchitectureSetting, given: unknown): unknown {
  const setting = architectureSettings[name];
  const value = typeof given === 'string' ? setting.read(given) : given;
  return setting.problem(value, {}) === null ? value : undefined;
}

type Sizes = Panel<ArchitectureField>;
export const tablesPanel = [group('sizes two', 'vocabSize', 'dModel')] satisfies Sizes;
export const sizesPanel = [group('sizes', 'vocabSize', 'dModel', 'nLayers')] satisfies Sizes;
export const morePanel = [
  'stack',
  'nEncoderLayers',
  'outputVocabSize',
  'tying',
  'lowRank',
  'nHeads',
  'nKeyValueHeads',
  'dHead',
  'feedForward',
  'dFeedForward',
  'nExperts',
  'nActiveExperts',
  'nSharedExperts',
  'nDenseLayers',
  'dDenseFeedForward',
  'positions',
  'contextLength',
  'relativeBuckets',
  'biases',
  'outputBias',
] satisfies Panel<ArchitectureSetting>;
