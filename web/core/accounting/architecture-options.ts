/**
 * A model's architecture, for counts of parameters, compute and memory: checks, and the defaults of its family. The
 * completed architecture is valid input. Sizes of parts that the model lacks are 0.
 */
import { invalidArgument } from '../runtime/errors.js';
import type { Architecture, CompleteArchitecture, ListedTensor, ModelFamily, TableTying } from './types.js';
import { ARCHITECTURE_FIELDS } from '../generated/fields.js';
import { TABLE_TYING, TENSOR_GROUP } from '../generated/words.js';
import { checkField, fieldNumbers, optionNames, type Field } from '../model/option-codec.js';
import { LOW_RANK } from '../model/option-defaults.js';
import { MODEL_FAMILIES, type FamilyDefaults } from './model-families.js';
import { checkChoice, checkNumber, checkOptions, readList } from '../runtime/validate.js';

/** With a map or a correction before the logits. */
const MAPPED_TYINGS: readonly TableTying[] = ['tied-linear', 'tied-mlp', 'tied-low-rank'];

const LARGEST_SIZE = Number.MAX_SAFE_INTEGER;

/** T5's logarithmic bins of distance (Raffel et al. 2019). */
const RELATIVE_BUCKETS = 32;
/** Head width where a family does not fix one: GPT-2, BERT and most others use 64. */
const USUAL_HEAD = 64;

const FAMILY_NAMES = Object.keys(MODEL_FAMILIES) as ModelFamily[];

const CROSSING = optionNames(ARCHITECTURE_FIELDS) as readonly (keyof typeof ARCHITECTURE_FIELDS)[];

/** `family` is not sent to the core, and `tensors` is sent apart. */
export const ARCHITECTURE_OPTIONS: readonly (keyof Architecture)[] = ['family', ...CROSSING, 'tensors'];

/** The names that the core's errors use: `nHeads` becomes `architecture.nHeads`. */
export const ARCHITECTURE_NAMES: Readonly<Record<string, string>> = Object.fromEntries(
  ARCHITECTURE_OPTIONS.map((name) => [name, `architecture.${name}`]),
);

/** Checks every field and fills in defaults. Throws a `TiedError` that names the first invalid field. */
export function completeArchitecture(architecture: Architecture): CompleteArchitecture {
  const given = checkOptions('architecture', architecture, ARCHITECTURE_OPTIONS);
  const family = checkChoice('architecture.family', given.family, FAMILY_NAMES);
  const usual = MODEL_FAMILIES[family];
  const options = new Options(given);
  const vocabSize = options.get('vocabSize');
  const dModel = options.get('dModel');
  const nLayers = options.get('nLayers');
  const complete = {
    family,
    vocabSize,
    dModel,
    nLayers,
    ...stacksOf(options, usual, vocabSize, nLayers),
    ...headsOf(options, usual, dModel),
    ...feedForwardOf(options, usual, dModel, nLayers),
    ...positionsOf(options, usual),
    ...normsOf(options, usual),
    ...restOf(options, usual, dModel),
    tensors: family === 'listed' ? checkTensors(given.tensors) : noTensors(given.tensors),
  };
  checkValueTable(complete);
  if (family === 'listed') checkUndescribed(given, complete);
  return complete;
}

/** A list of more tensors is not of a model that anybody has: layers share an entry. */
const MOST_TENSORS = 10_000;
const LONGEST_NAME = 200;
const TENSOR_OPTIONS: readonly (keyof ListedTensor)[] = ['name', 'shape', 'copies', 'activeCopies', 'group'];

function checkTensors(tensors: unknown): CompleteArchitecture['tensors'] {
  const list = readList(tensors, 1, MOST_TENSORS);
  if (list === null) {
    const expected = `1 to ${MOST_TENSORS} tensors, for family 'listed'`;
    throw invalidArgument('architecture.tensors', tensors, expected);
  }
  return list.map((tensor, i) => checkTensor(`architecture.tensors[${i}]`, tensor));
}

function checkTensor(argument: string, value: unknown): Required<ListedTensor> {
  const given = checkOptions(argument, value as ListedTensor, TENSOR_OPTIONS);
  const { name, shape } = given;
  if (typeof name !== 'string' || name === '' || name.length > LONGEST_NAME) {
    throw invalidArgument(`${argument}.name`, name, `a name of at most ${LONGEST_NAME} characters`);
  }
  const list = readList(shape, 1, 2);
  if (list === null) {
    throw invalidArgument(`${argument}.shape`, shape, '[rows, cols], or [size] of a vector');
  }
  const sizes = list.map((size, i) => checkSize(`${argument}.shape[${i}]`, size));
  const copies = checkSize(`${argument}.copies`, given.copies ?? 1);
  const activeCopies = checkSize(`${argument}.activeCopies`, given.activeCopies ?? copies, 0, copies, '');
  return {
    name,
    shape: sizes,
    copies,
    activeCopies,
    group: checkChoice(`${argument}.group`, given.group, TENSOR_GROUP),
  };
}

function noTensors(tensors: unknown): [] {
  if (tensors === undefined || readList(tensors, 0, 0) !== null) return [];
  throw invalidArgument('architecture.tensors', tensors, "no value; only family 'listed' has it");
}

/** What an architecture with `tensors` may say beside them. */
const BESIDE_TENSORS: readonly string[] = [
  ...['family', 'vocabSize', 'outputVocabSize', 'dModel', 'stack', 'nLayers', 'nEncoderLayers', 'outputBias'],
  ...['lowRank', 'tableRank', 'ngramOrder', 'ngramRows', 'tensors'],
];

function checkUndescribed(given: Architecture, complete: CompleteArchitecture): void {
  const few = Object.fromEntries(Object.entries(given).filter(([name]) => BESIDE_TENSORS.includes(name)));
  const usual = Object.keys(few).length === Object.keys(given).length ? complete : completeArchitecture(few as never);
  for (const name of ARCHITECTURE_OPTIONS) {
    if (BESIDE_TENSORS.includes(name) || given[name] === undefined || given[name] === usual[name]) continue;
    throw invalidArgument(`architecture.${name}`, given[name], "no value: family 'listed' has only what is listed");
  }
}

/** The rows of `tensors` that the core reads. */
export const listedNumbers = ({ tensors }: CompleteArchitecture): BigUint64Array =>
  BigUint64Array.from(
    tensors.flatMap(({ shape, copies = 1, activeCopies = copies, group }) => [
      ...(shape.length === 1 ? [0, shape[0]!] : [shape[0]!, shape[1]!]),
      ...[copies, activeCopies, TENSOR_GROUP.indexOf(group)],
    ]),
    BigInt,
  );

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

/** Reads options as given, or their defaults, checked by the table. */
class Options {
  readonly given: Architecture;

  constructor(given: Architecture) {
    this.given = given;
  }

  /** `least`, `most`: the limits of a size in this model, if they are narrower; `of`: the option that is its limit. */
  get<Name extends keyof typeof ARCHITECTURE_FIELDS>(
    name: Name,
    usual?: CompleteArchitecture[Name],
    least?: number,
    most?: number,
    of = '',
  ): CompleteArchitecture[Name] {
    const { [name]: value = usual } = this.given;
    const field: Field = ARCHITECTURE_FIELDS[name];
    const argument = `architecture.${name}`;
    const { whole } = field;
    if (!whole) return checkField(argument, value, field) as CompleteArchitecture[Name];
    const limit = of && `architecture.${of}, `;
    return checkSize(argument, value, least ?? whole[0], most ?? whole[1], limit) as CompleteArchitecture[Name];
  }

  /** The given width, or the family's default, which may exceed the largest size. */
  width(name: 'dFeedForward' | 'dDenseFeedForward', usual: bigint): number {
    if (this.given[name] === undefined && usual > BigInt(LARGEST_SIZE)) {
      throw invalidArgument(`architecture.${name}`, usual, 'an integer from 1 to 2^53 - 1: give a smaller one');
    }
    return this.get(name, Number(usual), 1);
  }

  /** Refuses a size of a part that the model lacks. */
  checkZero(name: keyof typeof ARCHITECTURE_FIELDS, owner: string): void {
    const { [name]: value = 0 } = this.given;
    if (value !== 0) throw invalidArgument(`architecture.${name}`, value, `0 or no value; only ${owner} has it`);
  }
}

function stacksOf(options: Options, usual: FamilyDefaults, vocabSize: number, nLayers: number) {
  const stack = options.get('stack', usual.stack);
  const both = stack === 'encoder-decoder';
  if (!both) options.checkZero('nEncoderLayers', "stack 'encoder-decoder'");
  return {
    stack,
    outputVocabSize: options.get('outputVocabSize', vocabSize),
    nEncoderLayers: options.get('nEncoderLayers', both ? nLayers : 0),
  };
}

function headsOf(options: Options, usual: FamilyDefaults, dModel: number) {
  const { given } = options;
  const usualHead = given.dHead ?? usual.dHead ?? USUAL_HEAD;
  const divides = Number.isSafeInteger(usualHead) && usualHead > 0 && dModel % usualHead === 0;
  // Without layers there are no heads, so their default number must not reject a width.
  const usualHeads = given.nLayers === 0 && dModel % (usual.nHeads ?? 1) !== 0 ? 1 : usual.nHeads;
  const nHeads = options.get('nHeads', usualHeads ?? (divides ? dModel / usualHead : 1));
  // A model too narrow for the family's heads has one head of its own width.
  const fixedHead = given.nHeads === undefined && !divides ? null : usual.dHead;
  if (given.dHead === undefined && fixedHead === null && dModel % nHeads !== 0) {
    throw invalidArgument('architecture.nHeads', nHeads, `a divisor of architecture.dModel, ${dModel}, or a dHead`);
  }
  const nKeyValueHeads = options.get('nKeyValueHeads', nHeads);
  if (nHeads % nKeyValueHeads !== 0) {
    throw invalidArgument('architecture.nKeyValueHeads', nKeyValueHeads, `a divisor of architecture.nHeads, ${nHeads}`);
  }
  const dHead = options.get('dHead', fixedHead ?? dModel / nHeads);
  // Queries, keys and values may be one matrix; its row count must be a size too.
  if ((BigInt(nHeads) + 2n * BigInt(nKeyValueHeads)) * BigInt(dHead) > BigInt(LARGEST_SIZE)) {
    const [argument, value] = given.nHeads === undefined ? ['dModel', dModel] : ['nHeads', nHeads];
    const expected = `${argument === 'nHeads' ? 'few' : 'small'} enough for at most 2^53 - 1 rows of queries, keys and values of width ${dHead}`;
    throw invalidArgument(`architecture.${argument}`, value, expected);
  }
  return { nHeads, nKeyValueHeads, dHead };
}

function feedForwardOf(options: Options, usual: FamilyDefaults, dModel: number, nLayers: number) {
  const feedForward = options.get('feedForward', usual.feedForward);
  const usualWidth = usual.hidden[feedForward](BigInt(dModel));
  const dFeedForward = options.width('dFeedForward', usualWidth);
  const nExperts = options.get('nExperts', usual.nExperts);
  if (nExperts === 0) {
    for (const name of ['nActiveExperts', 'nSharedExperts', 'nDenseLayers'] as const) {
      options.checkZero(name, 'a mixture of experts (nExperts above 0)');
    }
  }
  const usualActive = Math.min(nExperts, usual.nActiveExperts || 1);
  const nActiveExperts = options.get('nActiveExperts', usualActive, Math.min(1, nExperts), nExperts, 'nExperts');
  const nSharedExperts = options.get('nSharedExperts', 0);
  const nDenseLayers = options.get('nDenseLayers', 0, 0, nLayers, 'nLayers');
  if (nDenseLayers === 0)
    options.checkZero('dDenseFeedForward', 'a model with layers of another width (nDenseLayers above 0)');
  const dDenseFeedForward = nDenseLayers === 0 ? 0 : options.width('dDenseFeedForward', usualWidth);
  return { feedForward, dFeedForward, nExperts, nActiveExperts, nSharedExperts, nDenseLayers, dDenseFeedForward };
}

/** Lengths and buckets may be set even where the positions do not use them: every model has a context. */
function positionsOf(options: Options, usual: FamilyDefaults) {
  const positions = options.get('positions', usual.positions);
  const [learned, relative] = [positions === 'learned', positions === 'relative'];
  return {
    positions,
    contextLength: options.get('contextLength', learned ? usual.contextLength : 0, Number(learned)),
    relativeBuckets: options.get('relativeBuckets', relative ? RELATIVE_BUCKETS : 0, Number(relative)),
    nSegments: options.get('nSegments', usual.nSegments),
  };
}

function normsOf(options: Options, usual: FamilyDefaults) {
  const norm = options.get('norm', usual.norm);
  const biases = options.get('biases', usual.biases);
  const none = norm === 'none';
  const normBiases = options.get('normBiases', norm === 'layer-norm' && biases === 'all');
  if (normBiases && norm !== 'layer-norm') {
    throw invalidArgument('architecture.normBiases', normBiases, "false: only norm 'layer-norm' has biases");
  }
  return {
    norm,
    normBiases,
    normsPerLayer: options.get('normsPerLayer', none ? 0 : 2, none ? 0 : 1),
    queryKeyNorm: options.get('queryKeyNorm', 'none'),
    embeddingNorm: options.get('embeddingNorm', usual.embeddingNorm && !none),
    finalNorm: options.get('finalNorm', usual.finalNorm && !none),
    biases,
  };
}

function restOf(options: Options, usual: FamilyDefaults, dModel: number) {
  const { ngramOrder = 0 } = options.given;
  if (ngramOrder === 0) options.checkZero('ngramRows', 'a model that reads n-grams (ngramOrder 2 or more)');
  return {
    fusedQueryKeyValue: options.get('fusedQueryKeyValue', usual.fusedQueryKeyValue),
    headTransform: options.get('headTransform', usual.headTransform),
    outputBias: options.get('outputBias', usual.outputBias),
    lowRank: options.get('lowRank', Math.min(LOW_RANK, dModel), 1, dModel, 'dModel'),
    tableRank: options.get('tableRank', 0, 0, dModel, 'dModel'),
    ngramOrder: options.get('ngramOrder', 0, ngramOrder === 0 ? 0 : 2),
    ngramRows: options.get('ngramRows', 0, ngramOrder === 0 ? 0 : 1),
    valueEmbeddings: options.get('valueEmbeddings', 'none'),
  };
}

/** An integer that a double holds exactly. `of`: what its limit is. */
export function checkSize(argument: string, value: unknown, least = 1, most = LARGEST_SIZE, of = ''): number {
  const expected = `an integer from ${least} to ${of}${most === LARGEST_SIZE ? '2^53 - 1' : most}`;
  return checkNumber(argument, value, expected, (n) => Number.isSafeInteger(n) && n >= least && n <= most);
}
