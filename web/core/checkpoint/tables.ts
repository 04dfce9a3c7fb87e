/** Which tensors of a checkpoint are its input and its output table. */
import { TiedError, type ErrorDetails, type TableCandidate } from '../errors.js';
import { nearest } from '../validate.js';
import { INPUT_NAMES, isCopyOfShared, isOfAPart, mayBeATable, OUTPUT_NAMES, partsOf } from './families.js';
import { checkTable } from './rows.js';
import { isOfIntegers } from './stored-types.js';
import type { StoredTensor, TensorDirectory } from './tensors.js';

/** `output`: null if the file has no separate one. At least one of the two exists. */
export interface FoundTables {
  readonly input: StoredTensor | null;
  readonly output: StoredTensor | null;
  /** Whether the caller declared that one tensor has both roles. */
  readonly same: boolean;
}

export interface WantedTables {
  readonly input?: string | undefined;
  readonly output?: string | undefined;
}

interface Candidate {
  readonly stem: string;
  readonly tensor: StoredTensor | null;
  readonly packed: string | null;
  /** Number of name parts before the known one. */
  readonly prefix: number;
}

/** Maximum number of tensor names in a message. */
const MOST_LISTED = 8;
/** Maximum number of candidates offered to a program. */
const MOST_OFFERED = 200;

export function findTables({ isOneTable, tensors, metadata }: TensorDirectory, wanted: WantedTables = {}): FoundTables {
  const input = wanted.input === undefined ? null : chosen(tensors, 'input', wanted.input);
  const output = wanted.output === undefined ? null : chosen(tensors, 'output', wanted.output);
  for (const table of [input, output]) if (table !== null) checkTable(table);
  if (input !== null && output !== null)
    return { input, output: input === output ? null : output, same: input === output };
  const only = isOneTable === true ? [...tensors.values()][0]! : null;
  const foundInput = input ?? only ?? single(tensors, candidatesOf(tensors, INPUT_NAMES), 'input');
  const others = candidatesOf(tensors, OUTPUT_NAMES).filter(({ tensor }) => fits(tensor, foundInput));
  const foundOutput = output ?? single(tensors, others, 'output');
  if (foundInput === null && foundOutput === null) throw nothingFound(tensors);
  // The tying of what can be no table would mean nothing.
  for (const table of [foundInput, foundOutput]) if (table !== null) checkTable(table);
  if (foundInput !== null && foundOutput === null) checkNoOther(tensors, metadata, foundInput);
  const isSame = foundInput === foundOutput;
  return { input: foundInput, output: isSame ? null : foundOutput, same: isSame };
}

function chosen(tensors: TensorDirectory['tensors'], role: 'input' | 'output', name: string): StoredTensor {
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

/** The names in a model that may belong to one of its tables. */
export function candidateNames(names: Iterable<string>): string[] {
  return [...names].filter((name) => {
    if (!mayBeATable(name)) return false;
    const { stem } = partsOf(name);
    const isKnown = prefixOf(stem, INPUT_NAMES) !== null || prefixOf(stem, OUTPUT_NAMES) !== null;
    return isKnown && !isOfAPart(stem);
  });
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

/** Tensors with known names, and names whose tensor is packed. */
function candidatesOf(tensors: TensorDirectory['tensors'], names: readonly string[]): Candidate[] {
  const stems = new Map<string, { tensor: StoredTensor | null; packed: string | null; prefix: number }>();
  for (const [name, tensor] of tensors) {
    if (!mayBeATable(name)) continue;
    const { stem, packed } = partsOf(name);
    const prefix = prefixOf(stem, names);
    if (prefix === null || isOfAPart(stem) || /[._]bias$/.test(name)) continue;
    const known = stems.get(stem) ?? { tensor: null, packed: null, prefix };
    if (packed !== null) known.packed = packed;
    else if (tensor.shape.length === 2) known.tensor = tensor;
    stems.set(stem, known);
  }
  const found = [...stems].map(([stem, parts]) => ({ stem, ...parts }));
  const hasShared = found.some(({ stem }) => /(?:^|[./])shared$/.test(stem));
  return found.filter(
    ({ tensor, packed, stem }) => (tensor !== null || packed !== null) && !(hasShared && isCopyOfShared(stem)),
  );
}

/** Number of name parts before a known name; null if the stem does not end with one. */
function prefixOf(stem: string, names: readonly string[]): number | null {
  const before = names
    .filter((name) => stem === name || stem.endsWith(`.${name}`) || stem.endsWith(`/${name}`))
    .map((name) => stem.slice(0, stem.length - name.length).split(/[./]/).length - 1);
  return before.length === 0 ? null : Math.min(...before);
}

/** The one with the shortest prefix; null if there is none. */
function single(
  tensors: TensorDirectory['tensors'],
  candidates: readonly Candidate[],
  role: 'input' | 'output',
): StoredTensor | null {
  const shortest = Math.min(...candidates.map(({ prefix }) => prefix));
  const [first, ...more] = candidates.filter(({ prefix }) => prefix === shortest);
  if (first === undefined) return null;
  if (more.length > 0) {
    const names = [first, ...more].map(({ stem, tensor }) => tensor?.name ?? stem);
    throw new TiedError(
      'bad-file',
      `${fileOf(tensors)}: several tensors may be the ${role} table: ${listed(names)}; expected tables: { ${role} } with one of them`,
      { details: choiceOf(tensors, names) },
    );
  }
  if (first.packed !== null || first.tensor === null)
    throw new TiedError(
      'unsupported',
      `${fileOf(tensors)}: '${first.stem}', the ${role} table, is ${first.packed ?? 'packed'}; expected floating-point numbers or a block format of GGUF`,
    );
  return first.tensor;
}

/** Whether it is a table for the same tokens or of the same width, possibly turned. */
function fits(tensor: StoredTensor | null, input: StoredTensor | null): boolean {
  if (tensor === null || input === null) return true;
  if (tensor === input) return false;
  return tensor.shape.some((size) => input.shape.includes(size));
}

/** Before a missing output table counts as tied: checks that nothing else in the file looks like one. */
function checkNoOther(
  tensors: TensorDirectory['tensors'],
  metadata: TensorDirectory['metadata'],
  input: StoredTensor,
): void {
  const [rows, cols] = input.shape as [number, number];
  if (rows === cols || [...metadata.values()].includes(input.name)) return;
  const others = [...tensors.values()].filter(
    (tensor) =>
      tensor !== input &&
      isTableOf(tensor, rows, cols) &&
      !isOfIntegers(tensor.dtype) &&
      !/pos|wpe|token_type|per_layer/i.test(tensor.name) &&
      !isOfAPart(tensor.name) &&
      !isCopyOfShared(partsOf(tensor.name).stem),
  );
  if (others.length === 0) return;
  const names = listed(others.map(({ name }) => name));
  throw new TiedError(
    'bad-file',
    `${fileOf(tensors)}: the output table may be ${names}; expected tables: { output } with its name, or with '${input.name.slice(0, 120)}' if that one has both roles`,
    { details: choiceOf(tensors, [input.name, ...others.map(({ name }) => name)]) },
  );
}

function isTableOf({ shape }: StoredTensor, rows: number, cols: number): boolean {
  return shape.length === 2 && ((shape[0] === rows && shape[1] === cols) || (shape[0] === cols && shape[1] === rows));
}

function nothingFound(tensors: TensorDirectory['tensors']): TiedError {
  const matrices = [...tensors.values()].filter(({ shape }) => shape.length === 2).sort((a, b) => b.bytes - a.bytes);
  const names = matrices.map(({ name }) => name);
  const near = names.filter(isNear);
  const which =
    near.length > 0
      ? `it may be among ${listed(near)}`
      : names.length === 0
        ? 'it has no matrices'
        : `the largest matrices are ${listed(names)}`;
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

function listed(names: readonly string[]): string {
  const shown = names
    .slice(0, MOST_LISTED)
    .map((name) => `'${name.slice(0, 120)}'`)
    .join(', ');
  return names.length > MOST_LISTED ? `${shown} and ${names.length - MOST_LISTED} more` : shown;
}
