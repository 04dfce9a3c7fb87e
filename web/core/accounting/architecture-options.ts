/**
 * A model's architecture, for counts of parameters, compute and memory: checks, and the defaults of its family. The
 * completed architecture is valid input. Sizes of parts that the model lacks are 0.
 */
import { invalidArgument } from '../runtime/errors.js';
import type { Architecture, CompleteArchitecture, ModelFamily, TableTying } from './types.js';
import { ARCHITECTURE_FIELDS } from '../generated/fields.js';
import { TABLE_TYING } from '../generated/words.js';
import { fieldNumbers, optionNames } from '../model/option-codec.js';
import { LOW_RANK } from '../model/option-defaults.js';
import { MODEL_FAMILIES, type FamilyDefaults } from './model-families.js';
import { checkBoolean, checkChoice, checkNumber, checkOptions } from '../runtime/validate.js';

/** With a map or a correction before the logits. */
const MAPPED_TYINGS: readonly TableTying[] = ['tied-linear', 'tied-mlp', 'tied-low-rank'];

/** T5's logarithmic bins of distance (Raffel et al. 2019). */
const RELATIVE_BUCKETS = 32;
/** Head width where a family does not fix one: GPT-2, BERT and most others use 64. */
const USUAL_HEAD = 64;

const FAMILY_NAMES = Object.keys(MODEL_FAMILIES) as ModelFamily[];

const CROSSING = optionNames(ARCHITECTURE_FIELDS) as readonly (keyof typeof ARCHITECTURE_FIELDS)[];

/** `family` is not sent to the core. */
export const ARCHITECTURE_OPTIONS: readonly (keyof Architecture)[] = ['family', ...CROSSING];

/** The names that the core's errors use: `nHeads` becomes `architecture.nHeads`. */
export const ARCHITECTURE_NAMES: Readonly<Record<string, string>> = Object.fromEntries(
  ARCHITECTURE_OPTIONS.map((name) => [name, `architecture.${name}`]),
);

/** Checks every field and fills in defaults. Throws a `TiedError` that names the first invalid field. */
export function completeArchitecture(architecture: Architecture): CompleteArchitecture {
  const given = checkOptions('architecture', architecture, ARCHITECTURE_OPTIONS);
  const family = checkChoice('architecture.family', given.family, FAMILY_NAMES);
  const usual = MODEL_FAMILIES[family];
  const vocabSize = size('vocabSize', given.vocabSize, 1);
  const dModel = size('dModel', given.dModel, 1);
  const nLayers = size('nLayers', given.nLayers, 0);
  const complete = {
    family,
    vocabSize,
    dModel,
    nLayers,
    ...stacksOf(given, usual, vocabSize, nLayers),
    ...headsOf(given, usual, dModel),
    ...feedForwardOf(given, usual, dModel, nLayers),
    ...positionsOf(given, usual),
    ...normsOf(given, usual),
    ...restOf(given, usual, dModel),
  };
  checkValueTable(complete);
  return complete;
}

function checkValueTable({
  valueEmbeddings,
  stack,
  tableRank,
  dModel,
  nKeyValueHeads,
  dHead,
}: CompleteArchitecture): void {
  if (valueEmbeddings === 'none') return;
  const refuse = (expected: string): never => {
    throw invalidArgument('architecture.valueEmbeddings', valueEmbeddings, expected);
  };
  if (stack === 'encoder-decoder') refuse("'none': only a single stack has them");
  if (valueEmbeddings === 'own') return;
  if (tableRank !== 0) refuse("'none' or 'own', for factorized tables");
  const width = nKeyValueHeads * dHead;
  if (width !== dModel) refuse(`'none' or 'own': values have the width ${width}, and the table ${dModel}`);
}

/** The array that the core reads. */
export const architectureNumbers = (complete: CompleteArchitecture): Float64Array =>
  Float64Array.from(fieldNumbers(ARCHITECTURE_FIELDS, {}, { ...complete }));

/** The tying; by default every table that can be shared is. The core assumes that the architecture supports it. */
export function completeTying(
  { stack, vocabSize, outputVocabSize, tableRank }: CompleteArchitecture,
  tying: TableTying | undefined,
  argument = 'tying',
): TableTying {
  const differ = vocabSize !== outputVocabSize;
  if (tying === undefined) return differ ? 'untied' : 'tied';
  checkChoice(argument, tying, TABLE_TYING);
  if (stack !== 'encoder-decoder' && (tying === 'tied-inputs' || tying === 'tied-decoder')) {
    throw invalidArgument(argument, tying, "another tying; only stack 'encoder-decoder' has three tables");
  }
  if (differ && tying !== 'untied' && tying !== 'tied-decoder') {
    const expected = `architecture.vocabSize, ${vocabSize}, where ${argument} '${tying}' makes one table of both`;
    throw invalidArgument('architecture.outputVocabSize', outputVocabSize, expected);
  }
  if (tableRank !== 0 && MAPPED_TYINGS.includes(tying)) {
    throw invalidArgument(argument, tying, 'another tying; factorized tables have no map before them');
  }
  return tying;
}

type Part<Field extends keyof Architecture> = Pick<CompleteArchitecture, Field>;

function stacksOf(
  given: Architecture,
  usual: FamilyDefaults,
  vocabSize: number,
  nLayers: number,
): Part<'stack' | 'outputVocabSize' | 'nEncoderLayers'> {
  const { stack: givenStack = usual.stack, outputVocabSize = vocabSize } = given;
  const stack = checkChoice('architecture.stack', givenStack, ARCHITECTURE_FIELDS.stack.words);
  const both = stack === 'encoder-decoder';
  const { nEncoderLayers = both ? nLayers : 0 } = given;
  if (!both) checkZero('nEncoderLayers', nEncoderLayers, "stack 'encoder-decoder'");
  return {
    stack,
    outputVocabSize: size('outputVocabSize', outputVocabSize, 1),
    nEncoderLayers: size('nEncoderLayers', nEncoderLayers, 0),
  };
}

function headsOf(
  given: Architecture,
  usual: FamilyDefaults,
  dModel: number,
): Part<'nHeads' | 'nKeyValueHeads' | 'dHead'> {
  const usualHead = given.dHead ?? usual.dHead ?? USUAL_HEAD;
  const divides = Number.isSafeInteger(usualHead) && usualHead > 0 && dModel % usualHead === 0;
  // Without layers there are no heads, so their default number must not reject a width.
  const usualHeads = given.nLayers === 0 && dModel % (usual.nHeads ?? 1) !== 0 ? 1 : usual.nHeads;
  const { nHeads: givenHeads = usualHeads ?? (divides ? dModel / usualHead : 1) } = given;
  const nHeads = size('nHeads', givenHeads, 1);
  // A model too narrow for the family's heads has one head of its own width.
  const fixedHead = given.nHeads === undefined && !divides ? null : usual.dHead;
  const { nKeyValueHeads = nHeads, dHead = fixedHead ?? dModel / nHeads } = given;
  if (given.dHead === undefined && fixedHead === null && dModel % nHeads !== 0) {
    throw invalidArgument('architecture.nHeads', nHeads, `a divisor of architecture.dModel, ${dModel}, or a dHead`);
  }
  size('nKeyValueHeads', nKeyValueHeads, 1);
  if (nHeads % nKeyValueHeads !== 0) {
    throw invalidArgument('architecture.nKeyValueHeads', nKeyValueHeads, `a divisor of architecture.nHeads, ${nHeads}`);
  }
  size('dHead', dHead, 1);
  // Queries, keys and values may be one matrix; its row count must be a size too.
  if ((BigInt(nHeads) + 2n * BigInt(nKeyValueHeads)) * BigInt(dHead) > BigInt(Number.MAX_SAFE_INTEGER)) {
    const [argument, value] = given.nHeads === undefined ? ['dModel', dModel] : ['nHeads', nHeads];
    const expected = `${argument === 'nHeads' ? 'few' : 'small'} enough for at most 2^53 - 1 rows of queries, keys and values of width ${dHead}`;
    throw invalidArgument(`architecture.${argument}`, value, expected);
  }
  return { nHeads, nKeyValueHeads, dHead };
}

type FeedForwardFields =
  | 'feedForward'
  | 'dFeedForward'
  | 'nExperts'
  | 'nActiveExperts'
  | 'nSharedExperts'
  | 'nDenseLayers'
  | 'dDenseFeedForward';

function feedForwardOf(
  given: Architecture,
  usual: FamilyDefaults,
  dModel: number,
  nLayers: number,
): Part<FeedForwardFields> {
  const { feedForward: givenKind = usual.feedForward, nExperts: givenExperts = usual.nExperts } = given;
  const feedForward = checkChoice('architecture.feedForward', givenKind, ARCHITECTURE_FIELDS.feedForward.words);
  const usualWidth = usual.hidden[feedForward](BigInt(dModel));
  const dFeedForward = widthOf('dFeedForward', given.dFeedForward, usualWidth);
  const nExperts = size('nExperts', givenExperts, 0);
  const {
    nActiveExperts = Math.min(nExperts, usual.nActiveExperts || 1),
    nSharedExperts = 0,
    nDenseLayers = 0,
  } = given;
  if (nExperts === 0) {
    const owner = 'a mixture of experts (nExperts above 0)';
    checkZero('nActiveExperts', nActiveExperts, owner);
    checkZero('nSharedExperts', nSharedExperts, owner);
    checkZero('nDenseLayers', nDenseLayers, owner);
  }
  const lowest = Math.min(1, nExperts);
  sizeTo('nActiveExperts', nActiveExperts, lowest, nExperts, 'nExperts');
  size('nSharedExperts', nSharedExperts, 0);
  sizeTo('nDenseLayers', nDenseLayers, 0, nLayers, 'nLayers');
  const { dDenseFeedForward: givenWidth } = given;
  if (nDenseLayers === 0)
    checkZero('dDenseFeedForward', givenWidth, 'a model with layers of another width (nDenseLayers above 0)');
  const dDenseFeedForward = nDenseLayers === 0 ? 0 : widthOf('dDenseFeedForward', givenWidth, usualWidth);
  return { feedForward, dFeedForward, nExperts, nActiveExperts, nSharedExperts, nDenseLayers, dDenseFeedForward };
}

/** Lengths and buckets may be set even where the positions do not use them: every model has a context. */
function positionsOf(
  given: Architecture,
  usual: FamilyDefaults,
): Part<'positions' | 'contextLength' | 'relativeBuckets' | 'nSegments'> {
  const { positions: givenPositions = usual.positions, nSegments = usual.nSegments } = given;
  const positions = checkChoice('architecture.positions', givenPositions, ARCHITECTURE_FIELDS.positions.words);
  const [learned, relative] = [positions === 'learned', positions === 'relative'];
  const { contextLength = learned ? usual.contextLength : 0 } = given;
  const { relativeBuckets = relative ? RELATIVE_BUCKETS : 0 } = given;
  return {
    positions,
    contextLength: size('contextLength', contextLength, learned ? 1 : 0),
    relativeBuckets: size('relativeBuckets', relativeBuckets, relative ? 1 : 0),
    nSegments: size('nSegments', nSegments, 0),
  };
}

function normsOf(
  given: Architecture,
  usual: FamilyDefaults,
): Part<'norm' | 'normBiases' | 'normsPerLayer' | 'queryKeyNorm' | 'embeddingNorm' | 'finalNorm' | 'biases'> {
  const { norm: givenNorm = usual.norm, biases: givenBiases = usual.biases, queryKeyNorm = 'none' } = given;
  const norm = checkChoice('architecture.norm', givenNorm, ARCHITECTURE_FIELDS.norm.words);
  const biases = checkChoice('architecture.biases', givenBiases, ARCHITECTURE_FIELDS.biases.words);
  const none = norm === 'none';
  const {
    normBiases = norm === 'layer-norm' && biases === 'all',
    normsPerLayer = none ? 0 : 2,
    embeddingNorm = usual.embeddingNorm && !none,
    finalNorm = usual.finalNorm && !none,
  } = given;
  if (checkBoolean('architecture.normBiases', normBiases) && norm !== 'layer-norm') {
    throw invalidArgument('architecture.normBiases', normBiases, "false: only norm 'layer-norm' has biases");
  }
  return {
    norm,
    normBiases,
    normsPerLayer: sizeTo(
      'normsPerLayer',
      normsPerLayer,
      none ? 0 : 1,
      ARCHITECTURE_FIELDS.normsPerLayer.whole[1],
      null,
    ),
    queryKeyNorm: checkChoice('architecture.queryKeyNorm', queryKeyNorm, ARCHITECTURE_FIELDS.queryKeyNorm.words),
    embeddingNorm: checkBoolean('architecture.embeddingNorm', embeddingNorm),
    finalNorm: checkBoolean('architecture.finalNorm', finalNorm),
    biases,
  };
}

function restOf(
  given: Architecture,
  usual: FamilyDefaults,
  dModel: number,
): Part<
  | 'fusedQueryKeyValue'
  | 'headTransform'
  | 'outputBias'
  | 'lowRank'
  | 'tableRank'
  | 'ngramOrder'
  | 'ngramRows'
  | 'valueEmbeddings'
> {
  const {
    fusedQueryKeyValue = usual.fusedQueryKeyValue,
    headTransform = usual.headTransform,
    outputBias = usual.outputBias,
    lowRank = Math.min(LOW_RANK, dModel),
    tableRank = 0,
    ngramOrder = 0,
    ngramRows = 0,
    valueEmbeddings = 'none',
  } = given;
  if (ngramOrder === 0) checkZero('ngramRows', ngramRows, 'a model that reads n-grams (ngramOrder 2 or more)');
  return {
    fusedQueryKeyValue: checkBoolean('architecture.fusedQueryKeyValue', fusedQueryKeyValue),
    headTransform: checkBoolean('architecture.headTransform', headTransform),
    outputBias: checkBoolean('architecture.outputBias', outputBias),
    lowRank: sizeTo('lowRank', lowRank, 1, dModel, 'dModel'),
    tableRank: sizeTo('tableRank', tableRank, 0, dModel, 'dModel'),
    ngramOrder:
      ngramOrder === 0 ? 0 : sizeTo('ngramOrder', ngramOrder, 2, ARCHITECTURE_FIELDS.ngramOrder.whole[1], null),
    ngramRows: size('ngramRows', ngramRows, ngramOrder === 0 ? 0 : 1),
    valueEmbeddings: checkChoice(
      'architecture.valueEmbeddings',
      valueEmbeddings,
      ARCHITECTURE_FIELDS.valueEmbeddings.words,
    ),
  };
}

/** An integer that a double holds exactly. */
function size(name: keyof Architecture, value: unknown, minimum: number): number {
  const fits = (n: number): boolean => Number.isSafeInteger(n) && n >= minimum;
  return checkNumber(`architecture.${name}`, value, `an integer from ${minimum} to 2^53 - 1`, fits);
}

function sizeTo(name: keyof Architecture, value: unknown, minimum: number, maximum: number, of: string | null): number {
  const expected = `an integer from ${minimum} to ${of === null ? '' : `architecture.${of}, `}${maximum}`;
  const fits = (n: number): boolean => Number.isSafeInteger(n) && n >= minimum && n <= maximum;
  return checkNumber(`architecture.${name}`, value, expected, fits);
}

/** The given width, or the family's default, which may exceed the largest size. */
function widthOf(name: 'dFeedForward' | 'dDenseFeedForward', given: unknown, usual: bigint): number {
  if (given === undefined && usual > BigInt(Number.MAX_SAFE_INTEGER)) {
    throw invalidArgument(`architecture.${name}`, usual, 'an integer from 1 to 2^53 - 1: give a smaller one');
  }
  return size(name, given === undefined ? Number(usual) : given, 1);
}

/** Refuses a size of a part that the model lacks. */
function checkZero(name: keyof Architecture, value: unknown, owner: string): void {
  if (value !== 0 && value !== undefined)
    throw invalidArgument(`architecture.${name}`, value, `0 or no value; only ${owner} has it`);
}
