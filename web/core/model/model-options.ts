/** Checks and defaults of model options. The completed model is valid input; options that do not apply are absent. */
import { invalidArgument } from '../runtime/errors.js';
import { checkHead } from './head-options.js';
import { checkNgrams } from './ngram-options.js';
import { ENCODER_DECODER_DEFAULTS, filledIn, MODEL_DEFAULTS } from './option-defaults.js';
import { checkPairTying } from './pair-tying.js';
import { checkTying } from './tying-options.js';
import type { EncoderDecoderConfig, ModelConfig, TransformerConfig } from '../types.js';
import {
  checkAbsent,
  checkBoolean,
  checkChoice,
  checkOptions,
  checkPositive,
  checkRange,
  checkInteger,
} from '../runtime/validate.js';

export const MODEL_KINDS = ['direct-path', 'transformer', 'encoder-decoder'] as const;
export const EMBEDDING_SCALES = ['none', 'sqrt-d-model'] as const;
export const LOGIT_SCALES = ['none', 'inverse-sqrt-d-model'] as const;
export const NORMS = ['rms-norm', 'layer-norm'] as const;
export const POSITIONS = ['learned', 'none', 'rotary'] as const;
export const FEED_FORWARDS = ['gelu', 'swiglu'] as const;
export const BIASES = ['none', 'feed-forward', 'all'] as const;

const COMMON_OPTIONS = ['kind', 'vocabSize', 'dModel', 'tying', 'embeddingScale', 'outputBias', 'initStd'] as const;
/** Options of transformers and encoder-decoders. */
const LAYERS_OPTIONS = [
  'nHeads',
  'nKeyValueHeads',
  'contextLength',
  'norm',
  'normEpsilon',
  'positions',
  'rotaryBase',
  'feedForward',
  'finalNorm',
  'biases',
  'dropout',
] as const;
export const ENCODER_DECODER_OPTIONS = [
  'nEncoderLayers',
  'nDecoderLayers',
  'sourceLength',
  'startToken',
  'endToken',
  'logitScale',
] as const;
export const MODEL_OPTIONS = [
  ...COMMON_OPTIONS,
  'lowRank',
  'dFeedForward',
  'nLayers',
  ...LAYERS_OPTIONS,
  'head',
  'tableRank',
  'ngrams',
  ...ENCODER_DECODER_OPTIONS,
] as const;

type Common = (typeof COMMON_OPTIONS)[number];

/** The options of all kinds in one type, for code that treats all kinds the same way. */
export type AnyModel = Omit<TransformerConfig, 'kind' | 'tying' | OfEncoderDecoders> &
  Pick<EncoderDecoderConfig, OfEncoderDecoders> &
  Pick<ModelConfig, 'kind' | 'tying'>;
type OfEncoderDecoders = (typeof ENCODER_DECODER_OPTIONS)[number];

/** Every field that the model's kind and tying have. */
export type CompleteModel = Required<Pick<AnyModel, Common>> & Omit<AnyModel, Common>;

// Limits of the core, defined in model/config.cpp.
/** Upper limit of dModel and of the hidden layer. */
const LARGEST_WIDTH = 2 ** 20;
const MAX_LAYERS = 1000;
const MAX_TOKENS = 2 ** 20;
const LARGEST_ROTARY_BASE = 1e12;
/** Bounds sums of squares of initial weights well below infinity. */
const LARGEST_INIT_STD = 1e6;

export function completeModel(model: ModelConfig): CompleteModel {
  const given = checkOptions('model', model, MODEL_OPTIONS);
  const { embeddingScale, outputBias, initStd, lowRank } = filledIn(given, MODEL_DEFAULTS);
  const kind = checkChoice('model.kind', given.kind, MODEL_KINDS);
  const vocabSize = checkInteger('model.vocabSize', given.vocabSize, 2);
  const dModel = checkInteger('model.dModel', given.dModel, 1, LARGEST_WIDTH);
  const tying = kind === 'encoder-decoder' ? checkPairTying(given.tying) : checkTying(given.tying);
  const complete: CompleteModel = {
    kind,
    vocabSize,
    dModel,
    tying,
    embeddingScale: checkChoice('model.embeddingScale', embeddingScale, EMBEDDING_SCALES),
    outputBias: checkBoolean('model.outputBias', outputBias),
    initStd: checkPositive('model.initStd', initStd, LARGEST_INIT_STD),
  };
  checkTyingOfKind(complete);
  for (const name of MODEL_OPTIONS) {
    const owner = ownerOf(name, { ...complete, positions: given.positions });
    if (owner !== null) checkAbsent(`model.${name}`, given[name], owner);
  }
  if (applies('lowRank', complete)) {
    const rank = given.lowRank === undefined ? Math.min(lowRank, dModel) : lowRank;
    complete.lowRank = checkInteger('model.lowRank', rank, 1, dModel);
  }
  if (applies('dFeedForward', complete)) {
    // For the widest models the default would exceed the limit.
    const usual = 4 * dModel;
    const { dFeedForward = usual } = given;
    const largest = dFeedForward === usual ? usual : LARGEST_WIDTH;
    complete.dFeedForward = checkInteger('model.dFeedForward', dFeedForward, 1, largest);
  }
  if (kind === 'transformer') complete.nLayers = checkLayers('nLayers', filledIn(given, MODEL_DEFAULTS).nLayers);
  if (kind === 'encoder-decoder') completeEncoderDecoder(complete, given as EncoderDecoderConfig);
  if (kind !== 'direct-path') completeLayers(complete, given);
  const head = checkHead(given.head, complete);
  if (head !== undefined) {
    if (tying === 'tied-low-rank') {
      throw invalidArgument('model.tying', tying, `another tying; only a head of kind 'full' has this one`);
    }
    complete.head = head;
  }
  if (given.tableRank !== undefined) complete.tableRank = checkTableRank(given.tableRank, complete);
  if (given.ngrams !== undefined) complete.ngrams = checkNgrams(given.ngrams);
  return complete;
}

function checkTableRank(given: unknown, { dModel, tying, head }: CompleteModel): number {
  const rank = checkInteger('model.tableRank', given, 1, dModel);
  if (tying !== 'tied' && tying !== 'untied') {
    throw invalidArgument('model.tying', tying, `'tied' or 'untied', for factorized tables`);
  }
  if (head?.kind === 'adaptive') {
    throw invalidArgument('model.tableRank', rank, `it to be absent with a head of kind 'adaptive'`);
  }
  return rank;
}

const checkLayers = (name: keyof AnyModel, value: unknown): number =>
  checkInteger(`model.${name}`, value, 1, MAX_LAYERS);

function completeEncoderDecoder(complete: CompleteModel, given: EncoderDecoderConfig): void {
  const filled = filledIn(given, ENCODER_DECODER_DEFAULTS);
  const { vocabSize } = complete;
  complete.nEncoderLayers = checkLayers('nEncoderLayers', filled.nEncoderLayers);
  complete.nDecoderLayers = checkLayers('nDecoderLayers', filled.nDecoderLayers);
  complete.sourceLength = checkInteger('model.sourceLength', filled.sourceLength, 1, MAX_TOKENS);
  complete.startToken = checkInteger('model.startToken', filled.startToken, 0, vocabSize - 1);
  complete.endToken = checkInteger('model.endToken', filled.endToken, 0, vocabSize - 1);
  if (complete.endToken === complete.startToken) {
    throw invalidArgument('model.endToken', complete.endToken, 'another token than model.startToken');
  }
  complete.logitScale = checkChoice('model.logitScale', filled.logitScale, LOGIT_SCALES);
}

function completeLayers(complete: CompleteModel, given: ModelConfig): void {
  const filled = filledIn(given, MODEL_DEFAULTS);
  const { nHeads, positions } = filled;
  const { nKeyValueHeads = nHeads } = given;
  const { dModel } = complete;
  complete.nHeads = checkDivisor('model.nHeads', nHeads, 'model.dModel', dModel);
  complete.nKeyValueHeads = checkDivisor('model.nKeyValueHeads', nKeyValueHeads, 'model.nHeads', nHeads);
  complete.contextLength = checkInteger('model.contextLength', filled.contextLength, 1, MAX_TOKENS);
  complete.norm = checkChoice('model.norm', filled.norm, NORMS);
  complete.normEpsilon = checkPositive('model.normEpsilon', filled.normEpsilon, 1);
  complete.positions = checkChoice('model.positions', positions, POSITIONS);
  if (positions === 'rotary') {
    complete.rotaryBase = checkRange('model.rotaryBase', filled.rotaryBase, 1, LARGEST_ROTARY_BASE);
    const headWidth = dModel / nHeads;
    if (headWidth % 2 !== 0) {
      throw invalidArgument('model.dModel / model.nHeads', headWidth, "an even number where positions are 'rotary'");
    }
  }
  complete.feedForward = checkChoice('model.feedForward', filled.feedForward, FEED_FORWARDS);
  complete.finalNorm = checkBoolean('model.finalNorm', filled.finalNorm);
  complete.biases = checkChoice('model.biases', filled.biases, BIASES);
  complete.dropout = checkRange('model.dropout', filled.dropout, 0, 1, true);
}

function checkDivisor(argument: string, value: unknown, ofArgument: string, of: number): number {
  const divisor = checkInteger(argument, value, 1, LARGEST_WIDTH);
  if (of % divisor !== 0) throw invalidArgument(argument, divisor, `a divisor of ${ofArgument}, ${of}`);
  return divisor;
}

function checkTyingOfKind({ kind, tying }: CompleteModel): void {
  const other = kind === 'transformer' ? 'tied-mlp' : 'tied-low-rank';
  if (tying !== other) return;
  const owner = kind === 'transformer' ? 'direct-path' : 'transformer';
  throw invalidArgument('model.tying', tying, `another tying; only kind '${owner}' has this one`);
}

/** The fields that decide which options a model has. */
interface Deciding {
  kind: ModelConfig['kind'];
  tying: ModelConfig['tying'];
  positions?: ModelConfig['positions'] | undefined;
}

/** A description of the models that have the option, or null if this one has it. */
function ownerOf(name: keyof ModelConfig, { kind, tying, positions }: Deciding): string | null {
  const isOf = (names: readonly string[]): boolean => names.includes(name);
  const transformer = "kind 'transformer'";
  if (name === 'lowRank') return tying === 'tied-low-rank' ? null : "tying 'tied-low-rank'";
  if (name === 'dFeedForward') {
    return kind !== 'direct-path' || tying === 'tied-mlp' ? null : `${transformer} or tying 'tied-mlp'`;
  }
  if (name === 'nLayers' || name === 'ngrams') return kind === 'transformer' ? null : transformer;
  if (name === 'head' || name === 'tableRank')
    return kind === 'encoder-decoder' ? "kind 'direct-path' or 'transformer'" : null;
  if (isOf(ENCODER_DECODER_OPTIONS)) return kind === 'encoder-decoder' ? null : "kind 'encoder-decoder'";
  if (!isOf(LAYERS_OPTIONS)) return null;
  if (kind === 'direct-path') return transformer;
  return name === 'rotaryBase' && positions !== 'rotary' ? "positions 'rotary'" : null;
}

/** Whether a model of this kind and tying has the option. */
export function applies(name: keyof ModelConfig, model: Deciding): boolean {
  return ownerOf(name, model) === null;
}
