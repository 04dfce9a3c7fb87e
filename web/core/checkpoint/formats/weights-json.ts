/** Weights as JSON: nested arrays of numbers by name, as written by programs that have no other format at hand. */
import type { TiedError } from '../../runtime/errors.js';
import { JsonProblem, parsePlainly, shortly, type PlainValue } from './exact-json.js';
import { mayBeATable } from '../tables/families.js';
import { memoryTensor } from './memory-table.js';
import { badFile } from '../bytes/source.js';
import { elementsOf } from '../elements/stored-types.js';
import type { StoredTensor } from '../tensors.js';
import { tokensOfFields, type TokenStrings } from './weights-json-tokens.js';

/** Names of objects that hold only tensors, and of objects that describe them. */
const HOLDERS = ['weights', 'state_dict', 'params', 'parameters', 'tensors'];
const ABOUT = ['metadata', 'config'];

const AS_FLOATS = 'Its numbers are text; sizes are given as 32-bit floats.';

type Fields = ReadonlyMap<string, PlainValue>;
type Steps = readonly (string | number)[];
type Wrong = (problem: string) => TiedError;

export interface JsonWeights {
  readonly tensors: ReadonlyMap<string, StoredTensor>;
  readonly metadata: ReadonlyMap<string, string>;
  readonly tokens: TokenStrings | null;
  readonly notes: readonly string[];
  readonly isOneTable?: boolean;
}

/** Null if the JSON is something else. `file`: its name in messages; `alone`: the name of a matrix without one. */
export function readJsonWeights(text: string, file: string, alone = file): JsonWeights | null {
  const wrong: Wrong = (problem) => badFile(file, problem);
  const root = parsed(text, wrong);
  if (Array.isArray(root)) return matrixAlone(root, file, alone);
  if (!(root instanceof Map)) return null;
  const [holder, held] = holderOf(root);
  const found = [...leavesOf(held, holder === null ? [] : [holder])].filter(
    (leaf) => holder !== null || isTensor(leaf),
  );
  if (!found.some(isMatrix)) return null;
  const tensors = new Map<string, StoredTensor>();
  for (const { steps, value } of found) {
    const name = steps.slice(holder === null ? 0 : 1).join('.');
    if (tensors.has(name)) throw wrong(`two of its fields have the name '${name.slice(0, 120)}'; expected each once`);
    tensors.set(name, tensorOf(name, value, steps, file));
  }
  const about = [...ABOUT.map((key) => root.get(key)), root].filter((fields) => fields instanceof Map);
  const metadata = new Map(about.flatMap((fields) => [...fields].filter(isText)));
  const { tokens, notes } = tokensOfFields(about, file);
  return { tensors, metadata, tokens, notes: [AS_FLOATS, ...notes] };
}

/** `[[0.1, 0.2], …]`, as `json.dumps(table.tolist())` writes one table. */
function matrixAlone(root: PlainValue[], file: string, name: string): JsonWeights | null {
  const first = firstOf(root);
  if (!Array.isArray(root[0]) || first === undefined || typeof first === 'string' || first instanceof Map) return null;
  const tensors = new Map([[name, tensorOf(name, root, [], file)]]);
  return { tensors, metadata: new Map(), tokens: null, notes: [AS_FLOATS], isOneTable: true };
}

const isText = (entry: [string, PlainValue]): entry is [string, string] => typeof entry[1] === 'string';

function parsed(text: string, wrong: Wrong): PlainValue {
  try {
    return parsePlainly(text);
  } catch (error) {
    if (!(error instanceof JsonProblem)) throw error;
    // Python writes these, although they are not JSON.
    const word = /^-?(?:NaN|Infinity)\b/.exec(text.slice(error.at, error.at + 12))?.[0];
    const where = pathOf(error.path);
    if (word !== undefined) throw wrong(`${where} is ${word}; expected a finite number`);
    throw wrong(`it cannot be parsed${where === '' ? '' : ` at ${where}`} (${error.message}); expected JSON`);
  }
}

function holderOf(root: Fields): [string | null, Fields] {
  for (const key of HOLDERS) {
    const held = root.get(key);
    if (held instanceof Map && [...leavesOf(held, [])].some(isMatrix)) return [key, held];
  }
  return [null, root];
}

interface Leaf {
  readonly steps: Steps;
  readonly value: PlainValue;
}

/** Everything that is not an object, with the keys that lead to it. */
function* leavesOf(fields: Fields, before: Steps): Generator<Leaf> {
  for (const [key, value] of fields) {
    const steps = [...before, key];
    if (value instanceof Map) yield* leavesOf(value, steps);
    else yield { steps, value };
  }
}

function firstOf(value: PlainValue): PlainValue | undefined {
  let first: PlainValue | undefined = value;
  while (Array.isArray(first)) first = first[0];
  return first;
}

/** Pairs of strings do not count as a matrix, unless they have the name of a table. */
const isMatrix = ({ steps, value }: Leaf): boolean =>
  Array.isArray(value) &&
  Array.isArray(value[0]) &&
  (typeof firstOf(value) !== 'string' || mayBeATable(steps.join('.')));

/** Among other fields, lists of strings or objects are not tensors. */
function isTensor(leaf: Leaf): boolean {
  const { steps, value } = leaf;
  if (!Array.isArray(value) || ABOUT.includes(String(steps[0]))) return false;
  const first = firstOf(value);
  const isOther = first === undefined || typeof first === 'string' || first instanceof Map;
  return !isOther || (typeof first === 'string' && isMatrix(leaf));
}

/** `weights.wte[3][0]`. */
const pathOf = (steps: Steps): string =>
  steps
    .map((step, i) => (typeof step === 'number' ? `[${step}]` : `${i === 0 ? '' : '.'}${step.slice(0, 120)}`))
    .join('');

function tensorOf(name: string, value: PlainValue, steps: Steps, file: string): StoredTensor {
  const shape: number[] = [];
  for (let part: PlainValue | undefined = value; Array.isArray(part); part = part[0]) shape.push(part.length);
  // All lengths are checked before memory is allocated for their product.
  check(value, shape, steps, (problem) => badFile(file, problem));
  const data = new Float32Array(elementsOf(shape)!);
  let at = 0;
  const fill = (part: PlainValue): void => {
    if (Array.isArray(part)) part.forEach(fill);
    else data[at++] = part as number;
  };
  fill(value);
  return memoryTensor(name, shape, data, file);
}

/** Refuses rows of other lengths and values that are not numbers, naming their place. */
function check(value: PlainValue, [length, ...inner]: readonly number[], steps: Steps, wrong: Wrong): void {
  if (length === undefined) {
    if (typeof value === 'number' && Number.isFinite(Math.fround(value))) return;
    throw wrong(`${pathOf(steps)} is ${shortly(value)}; expected a number that a 32-bit float can hold`);
  }
  if (!Array.isArray(value) || value.length !== length)
    throw wrong(
      `${pathOf(steps)} ${Array.isArray(value) ? `has ${value.length} elements` : `is ${shortly(value)}`}; expected ${length} elements, as the first of its kind has`,
    );
  value.forEach((part, at) => check(part, inner, [...steps, at], wrong));
}
