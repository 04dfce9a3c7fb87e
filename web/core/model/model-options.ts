/** Checks and defaults of model options. The completed model is valid input; options that do not apply are absent. */
import { invalidArgument } from '../runtime/errors.js';
import { ENCODER_DECODER_DEFAULTS, MODEL_DEFAULTS, MODEL_FIELDS } from '../generated/fields.js';
import { checkHead } from './head-options.js';
import {
  applies,
  checkField,
  optionNames,
  ownerOf,
  type Field,
  type Fields,
  type FlatOptions,
} from './option-codec.js';
import { checkNgrams } from './ngram-options.js';
import { LOW_RANK } from './option-defaults.js';
import { checkPairTying } from './pair-tying.js';
import { checkTying } from './tying-options.js';
import type { EncoderDecoderConfig, ModelConfig, TransformerConfig } from './types.js';
import { checkAbsent, checkDivides, checkOptions } from '../runtime/validate.js';

const { nLayers } = MODEL_FIELDS;
/** Every option, with its members. The core has one number of layers for either kind. */
const FIELDS: Fields = {
  ...MODEL_FIELDS,
  nLayers: { ...nLayers, of: { kind: ['transformer'] } },
  nDecoderLayers: { ...nLayers, of: { kind: ['encoder-decoder'] } },
};
// The table of the encoder is a part of `tying`.
export const MODEL_OPTIONS = optionNames(FIELDS).filter(
  (name) => name !== 'encoderTable',
) as readonly (keyof AnyModel)[];

/** The first field of each option decides which models have it. */
const fieldOf = (name: string): Field => FIELDS[Object.keys(FIELDS).find((path) => path.split('.')[0] === name)!]!;

type Common = 'kind' | 'vocabSize' | 'dModel' | 'tying' | 'embeddingScale' | 'outputBias' | 'initStd';

/** The options of all kinds in one type, for code that treats all kinds the same way. */
export type AnyModel = Omit<TransformerConfig, 'kind' | 'tying' | OfEncoderDecoders> &
  Pick<EncoderDecoderConfig, OfEncoderDecoders> &
  Pick<ModelConfig, 'kind' | 'tying'>;
type OfEncoderDecoders =
  'nEncoderLayers' | 'nDecoderLayers' | 'sourceLength' | 'startToken' | 'endToken' | 'logitScale';

/** Every field that the model's kind and tying have. */
export type CompleteModel = Required<Pick<AnyModel, Common>> & Omit<AnyModel, Common>;

export function completeModel(model: ModelConfig): CompleteModel {
  const given: FlatOptions = { ...checkOptions('model', model, MODEL_OPTIONS) };
  const check = <T>(name: string, most?: number): T =>
    checkField(`model.${name}`, given[name], fieldOf(name), most) as T;
  const kind = check<ModelConfig['kind']>('kind');
  const vocabSize = check<number>('vocabSize');
  const dModel = check<number>('dModel');
  const tying = kind === 'encoder-decoder' ? checkPairTying(given['tying']) : checkTying(given['tying']);
  checkTyingOfKind(kind, tying);
  const deciding = { kind, tying, positions: given['positions'], objective: given['objective'] };
  const owned = MODEL_OPTIONS.filter((name) => applies(fieldOf(name), deciding));
  for (const name of MODEL_OPTIONS) {
    if (!owned.includes(name)) checkAbsent(`model.${name}`, given[name], ownerOf(fieldOf(name)));
  }
  const defaults: FlatOptions = {
    ...MODEL_DEFAULTS,
    ...ENCODER_DECODER_DEFAULTS,
    lowRank: Math.min(LOW_RANK, dModel),
    dFeedForward: 4 * dModel,
    nKeyValueHeads: given['nHeads'] ?? MODEL_DEFAULTS.nHeads,
    nDecoderLayers: ENCODER_DECODER_DEFAULTS.nEncoderLayers,
  };
  const most: Record<string, number | undefined> = {
    lowRank: dModel,
    // For the widest models the default exceeds the limit.
    dFeedForward: given['dFeedForward'] === 4 * dModel ? 4 * dModel : undefined,
    startToken: vocabSize - 1,
    endToken: vocabSize - 1,
    tableRank: dModel,
  };
  const values: FlatOptions = { kind, vocabSize, dModel, tying };
  for (const name of owned) {
    if (name in values || name === 'head' || name === 'ngrams') continue;
    if (given[name] !== undefined) {
      const value = check(name, most[name]);
      if (value !== fieldOf(name).omitted) values[name] = value;
    } else if (name in defaults) values[name] = defaults[name];
  }
  const complete = values as unknown as CompleteModel;
  if (kind !== 'direct-path') checkLayers(complete);
  if (kind === 'encoder-decoder' && complete.endToken === complete.startToken) {
    throw invalidArgument('model.endToken', complete.endToken, 'another token than model.startToken');
  }
  const head = checkHead(given['head'], complete);
  if (head !== undefined) {
    if (tying === 'tied-low-rank') {
      throw invalidArgument('model.tying', tying, `another tying; only a head of kind 'full' has this one`);
    }
    complete.head = head;
  }
  checkTableRank(complete);
  checkValueEmbeddings(complete);
  if (given['ngrams'] !== undefined) complete.ngrams = checkNgrams(given['ngrams'], dModel);
  checkObjective(complete);
  return complete;
}

function checkObjective(model: CompleteModel): void {
  if (model.objective === undefined) return;
  for (const name of ['head', 'tableRank', 'ngrams', 'valueEmbeddings'] as const) {
    if (model[name] !== undefined) {
      throw invalidArgument('model.objective', model.objective, `'next-token', with model.${name}`);
    }
  }
}

function checkTableRank({ tableRank, tying, head }: CompleteModel): void {
  if (tableRank === undefined) return;
  if (tying !== 'tied' && tying !== 'untied') {
    throw invalidArgument('model.tying', tying, `'tied' or 'untied', for factorized tables`);
  }
  if (head?.kind === 'adaptive') {
    throw invalidArgument('model.tableRank', tableRank, `it to be absent with a head of kind 'adaptive'`);
  }
}

function checkValueEmbeddings({ valueEmbeddings, tableRank, nHeads, nKeyValueHeads }: CompleteModel): void {
  if (valueEmbeddings !== 'tied') return;
  if (tableRank !== undefined) {
    throw invalidArgument('model.valueEmbeddings', valueEmbeddings, `'none' or 'own', for factorized tables`);
  }
  if (nKeyValueHeads !== nHeads) {
    const values = `'none' or 'own': with model.nKeyValueHeads ${nKeyValueHeads} of ${nHeads} heads, values are narrower than the table`;
    throw invalidArgument('model.valueEmbeddings', valueEmbeddings, values);
  }
}

function checkLayers({ dModel, nHeads, nKeyValueHeads, positions }: CompleteModel): void {
  checkDivides('model.nHeads', nHeads!, 'model.dModel', dModel);
  checkDivides('model.nKeyValueHeads', nKeyValueHeads!, 'model.nHeads', nHeads!);
  const headWidth = dModel / nHeads!;
  if (positions === 'rotary' && headWidth % 2 !== 0) {
    throw invalidArgument('model.dModel / model.nHeads', headWidth, "an even number where positions are 'rotary'");
  }
}

function checkTyingOfKind(kind: ModelConfig['kind'], tying: ModelConfig['tying']): void {
  const other = kind === 'transformer' ? 'tied-mlp' : 'tied-low-rank';
  if (tying !== other) return;
  const owner = kind === 'transformer' ? 'direct-path' : 'transformer';
  throw invalidArgument('model.tying', tying, `another tying; only kind '${owner}' has this one`);
}
