/** Which tensors of a checkpoint are its input and its output table. */
import { TiedError, type ErrorDetails, type TableCandidate } from '../../runtime/errors.js';
import { nearest } from '../../runtime/validate.js';
import { isCopyOfShared, isGeneric, isInLayer, isOf, placeOf, plainParts } from './families.js';
import { stackedIn } from './layers.js';
import { decoderReadsOutput } from './omitted-names.js';
import { packedTable } from '../packed/packed-tables.js';
import { checkTable } from '../rows/rows.js';
import { plainPair } from './plain-names.js';
import { stackOf, stacksOf, type Stack } from './stacks.js';
import { isDecoded, isOfIntegers } from '../elements/stored-types.js';
import { candidatesOf, hasBytesOf, isPosition, type Candidate, type TableSide } from './table-candidates.js';
import { namesOfOneStorage, type StoredTensor, type TensorDirectory } from '../tensors.js';

/** A table that is in the file, but is packed or empty. */
export interface UnreadTable {
  readonly stem: string;
  /** How it is packed, in words; null: it is empty. */
  readonly packed: string | null;
  /** If its rows can be read all the same, which is no evidence, but shows it. */
  readonly rows: StoredTensor | null;
}

/** At least one of the two tables exists. */
export interface FoundTables {
  readonly input: StoredTensor | null;
  /** Null if the file has no separate one that can be read. */
  readonly output: StoredTensor | null;
  /** Whether the caller declared that one tensor has both roles. */
  readonly same: boolean;
  /** Which ones the caller named. */
  readonly chosen: Readonly<Record<TableSide, boolean>>;
  /** The other table, if it is packed or empty. */
  readonly unread: UnreadTable | null;
}

export interface WantedTables {
  readonly input?: string | undefined;
  readonly output?: string | undefined;
}

/** Maximum number of tensor names in a message. */
const MOST_LISTED = 8;
/** Maximum number of candidates offered to a program. */
const MOST_OFFERED = 200;

/** `otherKind`: what the file is instead of a language model, for one without tables. */
export function findTables(
  directory: TensorDirectory,
  wanted: WantedTables = {},
  otherKind: () => string | null = () => null,
): FoundTables {
  const { tensors } = directory;
  const input = wanted.input === undefined ? null : chosen(tensors, 'input', wanted.input);
  const output = wanted.output === undefined ? null : chosen(tensors, 'output', wanted.output);
  for (const table of [input, output]) if (table !== null) checkTable(table);
  const chosenOnes = { input: input !== null, output: output !== null };
  if (input !== null && output !== null)
    return {
      input,
      output: input === output ? null : output,
      same: input === output,
      chosen: chosenOnes,
      unread: null,
    };
  const found =
    directory.roles === undefined
      ? named(directory, input, output, otherKind)
      : stated(directory, input, output, otherKind);
  const isSame = found.input !== null && found.input === found.output;
  return { ...found, output: isSame ? null : found.output, same: isSame, chosen: chosenOnes };
}

/** The tables that the file states, with those that the caller has chosen. */
function stated(
  { tensors, roles }: TensorDirectory,
  input: StoredTensor | null,
  output: StoredTensor | null,
  otherKind: () => string | null,
): Pick<FoundTables, 'input' | 'output' | 'unread'> {
  const of = (name: string | null): StoredTensor | null => (name === null ? null : tensors.get(name)!);
  const tables = { input: input ?? of(roles!.input), output: output ?? of(roles!.output) };
  if (tables.input === null && tables.output === null) throw nothingFound(tensors, otherKind());
  for (const table of [tables.input, tables.output]) if (table !== null) checkTable(table);
  return { ...tables, unread: null };
}

/** The tables by their names, with those that the caller has chosen. */
function named(
  directory: TensorDirectory,
  input: StoredTensor | null,
  output: StoredTensor | null,
  otherKind: () => string | null,
): Pick<FoundTables, 'input' | 'output' | 'unread'> {
  const { isOneTable, tensors } = directory;
  const only = isOneTable === true ? [...tensors.values()][0]! : null;
  const given = input ?? only;
  const stacks = stacksOf(directory);
  const chosenIn = ownStack(stacks, input, output);
  if (stacks.length > 1 && chosenIn === null)
    throw several(
      tensors,
      stacks.map(({ table }) => ({ stem: table.name, tensor: table })),
      'input',
    );
  const isOwn = ({ place }: Candidate): boolean => chosenIn === null || stackOf(stacks, place.before) === chosenIn;
  const all = {
    inputs: given === null ? withoutCopies(candidatesOf(tensors, 'input').filter(isOwn)) : [],
    outputs: output === null ? candidatesOf(tensors, 'output').filter(isOwn) : [],
  };
  // T5's input table may be stored under the encoder's name.
  const hasDecoder =
    decoderReadsOutput(directory) ||
    [...all.inputs, ...all.outputs].some(isDecoders) ||
    (all.inputs.some(({ stem }) => !isCopyOfShared(stem)) && [...tensors.keys()].some((name) => isOf('decoder', name)));
  const [inputs, outputs] = hasDecoder
    ? [withoutEncoder(all.inputs), withoutEncoder(all.outputs)]
    : [all.inputs, all.outputs];
  const widths = [given, ...inputs.map(({ tensor }) => tensor)].filter((one) => one !== null && one !== undefined);
  const fitting = outputs.filter((one) => (given === null || one.tensor !== given) && fits(one, widths, tensors));
  const pair = paired(tensors, special(inputs), special(fitting));
  const isFree = given === null && output === null && chosenIn === null;
  const isHalf = pair.input === null || pair.output === null;
  const plain =
    isFree && isHalf && isOpen(pair.input, inputs) && isOpen(pair.output, outputs)
      ? plainPair(tensors, pair.input?.tensor ?? null, pair.output?.tensor ?? null)
      : null;
  if (plain !== null) return { ...plain, unread: null };
  const [one, other] = [given ?? pair.input?.tensor ?? null, output ?? pair.output?.tensor ?? null];
  if (one === null && other === null && pair.input === null && pair.output === null)
    throw nothingFound(tensors, otherKind());
  const [readable, written] = [given !== null || isReadable(pair.input), output !== null || isReadable(pair.output)];
  if (!readable && !written) return packed(directory, pair);
  // The tying of what can be no table would mean nothing.
  if (readable) checkTable(one!);
  if (written) checkTable(other!);
  const unread = readable ? (written ? null : pair.output) : pair.input;
  return {
    input: readable ? one : null,
    output: written ? other : null,
    unread: unread === null ? null : unreadOf(unread, (readable ? one : other)!, directory),
  };
}

/** Of several language models, the one with a table that the caller has chosen. */
function ownStack(stacks: readonly Stack[], input: StoredTensor | null, output: StoredTensor | null): Stack | null {
  const chosen = (input ?? output)?.name;
  if (stacks.length < 2 || chosen === undefined) return null;
  const place = placeOf(chosen, input === null ? 'output' : 'input');
  return stackOf(stacks, place?.before ?? plainParts(chosen).slice(0, -1));
}

/** Of a pair: it was found as it is, by a name that other modules have as well, or no name of a table is there. */
const isOpen = (one: Candidate | null, named: readonly Candidate[]): boolean =>
  one === null ? named.length === 0 : isReadable(one) && isGeneric(one.place.role);

const isReadable = (one: Candidate | null): boolean =>
  one !== null && one.packed === null && one.tensor !== null && !isOfIntegers(one.tensor.dtype);

const howPacked = ({ packed, tensor }: Candidate): string | null =>
  packed ?? (tensor === null ? null : `stored as integers (${tensor.dtype})`);

/** `beside`: the other one, which has as many columns or, stored turned, rows. */
function unreadOf(one: Candidate, { shape }: StoredTensor, { tensors, packing }: TensorDirectory): UnreadTable {
  const found = one.packed === null || one.empty !== null ? null : packedTable(one, tensors, packing);
  const isShown = found !== null && isDecoded(found.dtype) && shape.includes(found.shape[1]!);
  return { stem: one.stem, packed: howPacked(one), rows: isShown ? found : null };
}

/** Neither can be read. */
function packed(
  { tensors, packing }: TensorDirectory,
  { input, output }: Pair,
): Pick<FoundTables, 'input' | 'output' | 'unread'> {
  const tableOf = (one: Candidate | null): StoredTensor | null => {
    const table =
      one === null || one.empty !== null
        ? null
        : one.packed === null
          ? integerTable(one)
          : packedTable(one, tensors, packing);
    if (one !== null && table === null) throw unreadable(tensors, { input, output });
    return table;
  };
  return { input: tableOf(input), output: tableOf(output), unread: null };
}

/** Without scales, its numbers are not known, but two of them may be one. */
function integerTable({ tensor }: Candidate): StoredTensor | null {
  if (tensor === null || !/^[IU]\d+$/.test(tensor.dtype) || tensor.shape.includes(0)) return null;
  // Larger integers may be several numbers each.
  const hasShape = /^[IU]8$/.test(tensor.dtype);
  return {
    ...tensor,
    dtype: `stored as integers (${tensor.dtype}) without scales`,
    parts: new Map([['', tensor]]),
    hasShape,
  };
}

function unreadable(
  tensors: TensorDirectory['tensors'],
  { input, output }: { readonly input: Candidate | null; readonly output: Candidate | null },
): TiedError {
  const [side, one] = input === null ? (['output', output!] as const) : (['input', input] as const);
  if (one.packed === null && one.tensor === null && one.empty?.shape.length === 1)
    throw new TiedError(
      'bad-file',
      `${fileOf(tensors)}: '${one.stem}' has no elements, as in a file saved by one rank of ZeRO-3; expected the gathered weights`,
    );
  // Names the type or the shape.
  if (one.packed === null && (one.tensor ?? one.empty) !== null) checkTable((one.tensor ?? one.empty)!);
  return new TiedError(
    'unsupported',
    `${fileOf(tensors)}: '${one.stem}', the ${side} table, is ${one.packed ?? 'packed'}; expected floating-point numbers or a block format of GGUF`,
  );
}

function chosen(tensors: TensorDirectory['tensors'], role: TableSide, name: string): StoredTensor {
  const tensor = tensors.get(name);
  if (tensor === undefined) {
    const near = nearest(name, [...tensors.keys()]);
    throw new TiedError(
      'invalid-argument',
      `options.tables.${role} is '${name.slice(0, 120)}'; expected a tensor of the file${near === null ? '' : `; did you mean '${near}'?`}`,
    );
  }
  if (tensor.shape.length !== 2)
    throw new TiedError(
      'shape-mismatch',
      `options.tables.${role} is '${name.slice(0, 120)}' of shape [${tensor.shape.join(', ')}]; expected two dimensions`,
    );
  return tensor;
}

/** Where names end that stand for no table, whatever their shape. */
const BESIDE = /(?:^|[._/])(?:bias|\w*norm\d*|LayerNorm|ln\w*|inv_freq)(?:[./](?:weight|bias|scale))?$/;

/** The names in a model that may belong to one of its tables: all outside its layers, but for norms and biases. */
export function candidateNames(names: readonly string[]): string[] {
  const stacked = stackedIn(names);
  return names.filter((name) => !stacked.repeats(name) && !BESIDE.test(name) && !isPosition(name));
}

/** Whether a name that is not known reads like one of a table. */
const isNear = (name: string): boolean => /emb|head|wte|vocab|token/i.test(name);

/** For an index, where only names are known. */
export function nothingNamed(file: string, names: readonly string[]): TiedError {
  const near = names.filter(isNear);
  const which = near.length === 0 ? '' : `; it may be among ${listed(near)}`;
  return new TiedError(
    'bad-file',
    `${file}: no tensor has a known name of a table of tokens${which}; expected tables: { input, output } with their names`,
    {
      details: {
        tables: (near.length === 0 ? names : near)
          .slice(0, MOST_OFFERED)
          .map((name) => ({ name, shape: null, dtype: null, bytes: null })),
      },
    },
  );
}

const isShared = ({ place }: Candidate): boolean => place.role === 'shared';

/** In models with a shared table, others of the encoder and the decoder are copies of it. */
const withoutCopies = (inputs: readonly Candidate[]): readonly Candidate[] =>
  inputs.some(isShared) ? inputs.filter(({ stem }) => !isCopyOfShared(stem)) : inputs;

const isIn = (stack: RegExp, { place: { before } }: Candidate): boolean => before.some((part) => stack.test(part));
const ENCODER = /^(?:(?:\w+_)?enc(?:oder)?|en|src_\w+)$/;
const DECODER = /^(?:(?:\w+_)?dec(?:oder)?|de|tgt_\w+)$/;
const isDecoders = (one: Candidate): boolean => isIn(DECODER, one);

/** Without tables of an encoder, if there are some of a decoder: that is the language model. */
const withoutEncoder = (candidates: readonly Candidate[]): readonly Candidate[] =>
  candidates.filter((one) => !isIn(ENCODER, one) || isDecoders(one));

/** Without those whose names other modules have as well, if there are others. */
function special(candidates: readonly Candidate[]): readonly Candidate[] {
  const own = candidates.filter(({ place: { role } }) => !isGeneric(role));
  return own.length === 0 ? candidates : own;
}

/** Whether it is a table for the same tokens or of the same width, possibly turned; under a common name, for both. */
function fits(one: Candidate, inputs: readonly StoredTensor[], tensors: TensorDirectory['tensors']): boolean {
  const { tensor, packed, place } = one;
  if (inputs.length === 0) return true;
  if (packed !== null && (tensor === null || isOfIntegers(tensor.dtype)))
    return inputs.some(({ shape: [rows = 0, cols = 0] }) => hasBytesOf(one, tensors, rows * cols));
  if (tensor === null) return true;
  return inputs.some(({ shape }) =>
    isGeneric(place.role)
      ? tensor.shape.join() === shape.join() || tensor.shape.join() === [...shape].reverse().join()
      : tensor.shape.some((size) => shape.includes(size)),
  );
}

interface Pair {
  readonly input: Candidate | null;
  readonly output: Candidate | null;
}

/** Number of parts with which both names begin. */
function shared({ place: one }: Candidate, { place: other }: Candidate): number {
  const at = one.before.findIndex((part, i) => part !== other.before[i]);
  return at < 0 ? Math.min(one.before.length, other.before.length) : at;
}

/** The input and the output that share most of their prefix, and of those the ones with the shortest. */
function paired(
  tensors: TensorDirectory['tensors'],
  inputs: readonly Candidate[],
  outputs: readonly Candidate[],
): Pair {
  if (inputs.length === 0 || outputs.length === 0)
    return { input: shortest(tensors, inputs, 'input'), output: shortest(tensors, outputs, 'output') };
  const length = ({ place }: Candidate): number => place.before.length;
  const pairs = outputs.flatMap((output) => inputs.map((input) => ({ input, output, common: shared(input, output) })));
  const least = pairs.reduce((so, { input, output }) => Math.min(so, length(input) + length(output)), Infinity);
  const best = [...pairs].sort(
    (a, b) => b.common - a.common || length(a.input) + length(a.output) - length(b.input) - length(b.output),
  )[0]!;
  // Two stacks that both have all of this are two models.
  const alike = pairs.filter(
    ({ input, output, common }) =>
      common === best.common && length(input) + length(output) === length(best.input) + length(best.output),
  );
  for (const side of ['input', 'output'] as const) {
    const these = [...new Set(alike.map((pair) => pair[side]))];
    if (these.length > 1) throw several(tensors, these, side);
  }
  // Outside all stacks, the shortest names are the model's own.
  return best.common === 0 && length(best.input) + length(best.output) > least
    ? { input: shortest(tensors, inputs, 'input'), output: shortest(tensors, outputs, 'output') }
    : best;
}

/** The one with the shortest prefix; null if there is none. */
function shortest(
  tensors: TensorDirectory['tensors'],
  candidates: readonly Candidate[],
  side: TableSide,
): Candidate | null {
  const least = candidates.reduce((so, { place }) => Math.min(so, place.before.length), Infinity);
  const found = candidates.filter(({ place }) => place.before.length === least);
  if (found.length > 1) throw several(tensors, found, side);
  return found[0] ?? null;
}

function several(
  tensors: TensorDirectory['tensors'],
  these: readonly Pick<Candidate, 'stem' | 'tensor'>[],
  side: TableSide,
): TiedError {
  const names = these.map(({ stem, tensor }) => tensor?.name ?? stem);
  return new TiedError(
    'bad-file',
    `${fileOf(tensors)}: several tensors may be the ${side} table: ${listed(names)}; expected tables: { ${side} } with one of them`,
    { details: choiceOf(tensors, names) },
  );
}

function nothingFound(tensors: TensorDirectory['tensors'], otherKind: string | null): TiedError {
  const matrices = [...tensors.values()].filter(({ shape }) => shape.length === 2).sort((a, b) => b.bytes - a.bytes);
  const names = matrices.map(({ name }) => name);
  const near = names.filter((name) => isNear(name) && !isInLayer(name));
  const [another, first] = [...namesOfOneStorage(new Map(matrices.map((one) => [one.name, one])))][0] ?? [];
  const which =
    another !== undefined
      ? `${listed([first!])} and ${listed([another])} are two names of one storage`
      : near.length > 0
        ? `it may be among ${listed(near)}`
        : names.length === 0
          ? 'it has no matrices'
          : `the largest matrices are ${listed(names)}`;
  if (otherKind !== null)
    return new TiedError(
      'bad-file',
      `${fileOf(tensors)} is not a whole language model: ${otherKind}; it has no table of tokens of a known name; expected a model, or tables: { input, output } with their names`,
      { details: choiceOf(tensors, near) },
    );
  return new TiedError(
    'bad-file',
    `${fileOf(tensors)}: no tensor has a known name of a table of tokens; ${which}; expected tables: { input, output } with their names`,
    { details: choiceOf(tensors, near) },
  );
}

/** All matrices: the likely ones, then the others by size. Those of integers or without elements cannot be tables. */
function choiceOf(tensors: TensorDirectory['tensors'], likely: readonly string[]): ErrorDetails {
  const isLikely = ({ name }: StoredTensor): boolean => likely.includes(name);
  const matrices = [...tensors.values()].filter(
    ({ shape, dtype }) => shape.length === 2 && !shape.includes(0) && !isOfIntegers(dtype),
  );
  const sorted = matrices.sort((a, b) => Number(isLikely(b)) - Number(isLikely(a)) || b.bytes - a.bytes);
  const tables = sorted.slice(0, MOST_OFFERED).map(({ name, shape, dtype, bytes, turned }): TableCandidate => ({
    name,
    shape: turned ? [...shape].reverse() : [...shape],
    dtype,
    bytes,
  }));
  return tables.length === 0 ? {} : { tables };
}

const fileOf = (tensors: TensorDirectory['tensors']): string => [...tensors.values()][0]?.source.name ?? 'the file';

export function listed(names: readonly string[]): string {
  const shown = names
    .slice(0, MOST_LISTED)
    .map((name) => `'${name.slice(0, 120)}'`)
    .join(', ');
  return names.length > MOST_LISTED ? `${shown} and ${names.length - MOST_LISTED} more` : shown;
}
