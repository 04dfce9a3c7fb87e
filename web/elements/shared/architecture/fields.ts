import type { Architecture } from '../../../core/accounting/types.js';
import { ARCHITECTURE_FIELDS } from '../../../core/generated/fields.js';
import { TABLE_TYING } from '../../../core/generated/words.js';
import { group, type Panel } from '../settings/panel-parts.js';
import { choice, flag, number, text, type Key, type NumberControl, type Values } from '../settings/setting.js';
import { modelFamilies, tablesId } from './presets.js';

/**
 * The settings of an element about one model: the model, and each field of its architecture. An unset field has the model's
 * value. In the panel, conditions see the completed architecture, `model`, `tying` and `tyings`.
 */

/** Those that a control, an attribute or a link can hold: not a list of tensors. */
export type ArchitectureField = Exclude<keyof Architecture, 'tensors'>;

const unset = 'familysDefault';
type Condition = (values: Values) => boolean;

const hasLayers: Condition = ({ model }) => model !== tablesId;
const hasTwoStacks: Condition = ({ stack }) => stack === 'encoder-decoder';
/** The plain formula has no parts to choose. */
const hasParts: Condition = (values) => hasLayers(values) && values['family'] !== 'plain-formula';
const hasBlocks: Condition = (values) =>
  hasParts(values) && Number(values['nLayers']) + Number(values['nEncoderLayers'] ?? 0) > 0;
const hasExperts: Condition = (values) => hasBlocks(values) && Number(values['nExperts']) > 0;

const readsNgrams: Condition = (values) => hasLayers(values) && Number(values['ngramOrder']) > 0;

type Fields = typeof ARCHITECTURE_FIELDS;
type FieldsWith<Range extends string> = {
  [Name in keyof Fields]: Fields[Name] extends Record<Range, unknown> ? Name : never;
}[keyof Fields];

/** An integer in the range of the field. */
const integer = (
  field: FieldsWith<'whole'>,
  applies?: Condition,
  control: NumberControl = {},
  label: Key | null = field,
) => {
  const [min, most] = ARCHITECTURE_FIELDS[field].whole;
  return number(undefined, {
    min,
    ...(most < Number.MAX_SAFE_INTEGER && { max: most }),
    whole: true,
    unset,
    ...(label && { label, control }),
    ...(applies && { applies }),
  });
};
/** Zero is not offered, but a file may have it. */
const atLeastOne: NumberControl = { typed: [1, Infinity] };

const word = <Field extends FieldsWith<'words'>>(field: Field, label?: Key, names = '', applies?: Condition) =>
  choice<Fields[Field]['words'][number], undefined>(ARCHITECTURE_FIELDS[field].words, {
    initial: undefined,
    unset,
    ...(label && { label, control: { names } }),
    ...(applies && { applies }),
  });

/** Unset, true or false, so that it can differ from a model that has it. */
const trueOrFalse = (label?: Key, applies?: Condition) =>
  flag(undefined, { unset, ...(label && { label }), ...(applies && { applies }) });

/** Settings that are not fields. */
const about = {
  /** 'tables', a family, the id of a known model, or 'own'; unset: the element's initial model. */
  model: text(undefined, { expected: 'expectedModel' }),
  /** The model's name, where that differs from its own. */
  modelName: text(undefined),
  /** Whether the reader had edited a model from a file when a link to it was made. */
  modelEdited: trueOrFalse(),
};

/** In the order of links and of the panel. */
export const architectureSettings = {
  ...about,
  family: choice(modelFamilies, { initial: undefined, unset }),
  vocabSize: integer('vocabSize', undefined, { slider: 'log', between: [100, 1_000_000] }),
  dModel: integer('dModel', undefined, { slider: 'log', between: [16, 32_768] }),
  nLayers: integer('nLayers', hasLayers, { slider: 'linear', between: [0, 128] }, (values) =>
    hasTwoStacks(values) ? 'nDecoderLayers' : 'nLayers',
  ),
  stack: word('stack', 'stack', 'stacks', hasLayers),
  nEncoderLayers: integer('nEncoderLayers', (values) => hasLayers(values) && hasTwoStacks(values)),
  outputVocabSize: integer('outputVocabSize', hasLayers),
  lowRank: integer('lowRank', (values) => hasLayers(values) && values['tying'] === 'tied-low-rank', atLeastOne),
  tableRank: integer('tableRank', hasLayers),
  nHeads: integer('nHeads', hasBlocks),
  nKeyValueHeads: integer('nKeyValueHeads', hasBlocks),
  dHead: integer('dHead', hasBlocks),
  feedForward: word('feedForward', 'feedForward', 'feedForwards', hasBlocks),
  dFeedForward: integer('dFeedForward', hasBlocks, {}, (values) => (hasExperts(values) ? 'dExpert' : 'dFeedForward')),
  nExperts: integer('nExperts', hasBlocks),
  nActiveExperts: integer('nActiveExperts', hasExperts, atLeastOne),
  nSharedExperts: integer('nSharedExperts', hasExperts),
  nDenseLayers: integer('nDenseLayers', hasExperts),
  dDenseFeedForward: integer(
    'dDenseFeedForward',
    (values) => hasExperts(values) && Number(values['nDenseLayers']) > 0,
    atLeastOne,
  ),
  positions: word('positions', 'positions', 'positionKinds', hasParts),
  contextLength: integer(
    'contextLength',
    (values) => hasParts(values) && values['positions'] === 'learned',
    atLeastOne,
  ),
  relativeBuckets: integer(
    'relativeBuckets',
    (values) => hasParts(values) && values['positions'] === 'relative',
    atLeastOne,
  ),
  nSegments: integer('nSegments', undefined, {}, null),
  norm: word('norm'),
  normBiases: trueOrFalse(),
  normsPerLayer: integer('normsPerLayer', undefined, {}, null),
  queryKeyNorm: word('queryKeyNorm'),
  embeddingNorm: trueOrFalse(),
  finalNorm: trueOrFalse(),
  biases: word('biases', 'biases', 'biasKinds', hasBlocks),
  fusedQueryKeyValue: trueOrFalse(),
  headTransform: trueOrFalse(),
  outputBias: trueOrFalse('outputBias', hasParts),
  ngramOrder: integer('ngramOrder', hasLayers),
  ngramRows: integer('ngramRows', readsNgrams, atLeastOne),
  valueEmbeddings: word('valueEmbeddings'),
  /** How the tables are tied, if that differs from the model. */
  tying: choice(TABLE_TYING, {
    initial: undefined,
    label: 'tying',
    control: { names: 'tyings', offered: ({ tyings }) => tyings as readonly string[] },
    applies: hasLayers,
    shown: ({ tyings }) => (tyings as readonly string[]).length > 1,
  }),
} satisfies Record<ArchitectureField | keyof typeof about | 'tying', unknown>;

export type ArchitectureSetting = keyof typeof architectureSettings;

/** The names of all settings, as properties. */
export const settingNames = Object.keys(architectureSettings) as readonly ArchitectureSetting[];

export const architectureFields = settingNames.filter(
  (name): name is ArchitectureField => !(name in about) && name !== 'tying',
);

/** The value of a property or an attribute's text; undefined: unset or invalid. */
export function readSetting(name: ArchitectureSetting, given: unknown): unknown {
  const setting = architectureSettings[name];
  const value = typeof given === 'string' ? setting.read(given) : given;
  return setting.problem(value, {}) === null ? value : undefined;
}

const sizes = ['vocabSize', 'dModel', 'nLayers'] as const;
export const tablesPanel = [group('sizes two', 'vocabSize', 'dModel')] satisfies Panel<ArchitectureSetting>;
export const sizesPanel = [group('sizes', ...sizes)] satisfies Panel<ArchitectureSetting>;
/** All other fields; the choice of tying is beside the rank that one kind of tying has. */
export const morePanel: Panel<ArchitectureSetting> = architectureFields
  .filter((name) => !sizes.some((size) => size === name))
  .flatMap((name) => (name === 'lowRank' ? (['tying', name] as const) : [name]));
