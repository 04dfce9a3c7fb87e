/**
 * Which tensors of a saved value are the model's. Programs save a dictionary of tensors, or one within others, beside what they need to train on.
 * Only what is known to be no part of the model is left out: everything else may be a table, and counts (docs/decisions/0077-every-matrix-accounted-for.md).
 */
import type { TiedError } from '../../../runtime/errors.js';
import { pause } from '../../../runtime/pause.js';
import type { StoredTensor } from '../../tensors.js';
import { PyArray, PyDict, PyList, PyOther, PyTensor, type PyValue } from './values.js';

export interface ModelOfPickle {
  readonly tensors: ReadonlyMap<string, StoredTensor>;
  /** What was left out, in words. */
  readonly notes: readonly string[];
}

type Wrong = (problem: string) => TiedError;
type Part = readonly [key: string, value: PyValue];

const DEEPEST = 32;
const MOST_TENSORS = 2 ** 20;
const MOST_VISITS = 2 ** 23;
const LONGEST_NAME = 1024;
/** Values without a pause. */
const AT_ONCE = 20_000;

/** What programs call the dictionary of the model's tensors. */
const WRAPPER =
  /^(?:(?:\w+_)?(?:model|module|net|network)|(?:\w+_)?state_dict(?:_\w+)?|model_(?:states?|dict|weights)|weights|params|parameters|_orig_mod|0)$/;
/** A moving average of the model's tensors, or an average of some steps. */
const AVERAGE = /(?:^|_)(?:ema|swa|averaged?|shadow)(?:_|$)/i;
/** What a program needs to go on training. */
const TRAINING =
  /^(?:(?:\w+_)?optim(?:izer)?s?(?:_\w+)?|(?:\w+_)?(?:lr_)?sched\w*|(?:\w+_)?scaler|amp|callbacks|loops|(?:\w+_)?rng\w*|random_\w+)$/i;

const isMatrix = (value: PyValue): boolean =>
  value instanceof PyTensor || value instanceof PyArray
    ? value.shape.length > 1
    : value instanceof PyOther && value.hasNumbers;
const isLeaf = (value: PyValue): value is PyTensor | PyArray | PyOther =>
  value instanceof PyTensor || ((value instanceof PyArray || value instanceof PyOther) && value.hasNumbers);

/** Of a list, a tuple or an array of objects. */
function itemsOf(value: PyValue): readonly PyValue[] | null {
  if (Array.isArray(value)) return value as readonly PyValue[];
  const list = value instanceof PyArray ? value.items : value;
  return list instanceof PyList ? list.items : null;
}

/** What has names or places of its own. */
function* partsOf(value: PyValue): Iterable<Part> {
  const items = itemsOf(value);
  if (items !== null) for (const [at, item] of items.entries()) yield [String(at), item];
  if (!(value instanceof PyDict)) return;
  const { keys, values } = value;
  for (let at = 0; at < keys.length; at++) {
    const key = keys[at]!;
    if (typeof key === 'string' || typeof key === 'number') yield [String(key), values[at]!];
  }
}

const isContainer = (value: PyValue): boolean => value instanceof PyDict || itemsOf(value) !== null;
/** One value may be in a file under any number of names: each is looked at once. */
const once = (looksAt: (value: PyValue) => boolean): ((value: PyValue) => boolean) => {
  const known = new Map<PyValue, boolean>();
  return (value) => {
    const found = known.get(value) ?? looksAt(value);
    known.set(value, found);
    return found;
  };
};
/** How much work it is to look at its parts. */
const sizeOf = (value: PyValue): number =>
  value instanceof PyDict ? value.keys.length : (itemsOf(value)?.length ?? 0);

const AVERAGED = 'an average of the model, which was not looked at';
const leftOut = (parts: readonly Part[], what: string): string =>
  `It was saved with ${parts
    .slice(0, 8)
    .map(([key]) => `'${key.slice(0, 60)}'`)
    .join(', ')}, ${what}.`;

/** `stored`: where the numbers of a tensor are. */
export async function modelOfPickle(
  root: PyValue,
  stored: (name: string, tensor: PyTensor | PyArray) => StoredTensor,
  wrong: Wrong,
): Promise<ModelOfPickle> {
  const matrices = new Map<PyValue, boolean>();
  const isOfOne = once(
    (value) => value instanceof PyDict && value.get('param_groups') !== undefined && value.get('state') !== undefined,
  );
  const isOptimizer = once(
    (value) => isOfOne(value) || (value instanceof PyList && value.items.length > 0 && value.items.every(isOfOne)),
  );
  const notes: string[] = [];
  const tensors = new Map<string, StoredTensor>();
  let visits = 0;
  let met = 0;
  await flatten(modelIn(root), '', 0);
  return { tensors: withoutAverages(tensors, notes), notes };

  /** Lists may contain themselves, and each other any number of times. */
  function hasMatrix(value: PyValue, depth = 0): boolean {
    if (isLeaf(value)) return isMatrix(value);
    if (!isContainer(value)) return false;
    const known = matrices.get(value);
    if (known !== undefined) return known;
    checkDepth(depth);
    matrices.set(value, false);
    let found = false;
    for (const [, part] of partsOf(value))
      if (hasMatrix(part, depth + 1)) {
        found = true;
        break;
      }
    matrices.set(value, found);
    return found;
  }

  function checkDepth(depth: number): void {
    if (depth > DEEPEST) throw wrong(`its values are nested more than ${DEEPEST} deep; expected fewer`);
  }

  /** The value that holds the model alone: within what wraps it, without what belongs to training. */
  function modelIn(value: PyValue, depth = 0): PyValue {
    checkDepth(depth);
    const training: Part[] = [];
    const containers: Part[] = [];
    // There may be half a million tensors.
    let [matricesHere, at] = [0, 0];
    const places = new Map<Part, number>();
    for (const part of partsOf(value)) {
      at++;
      if (isLeaf(part[1])) {
        if (isMatrix(part[1])) matricesHere++;
      } else if (isContainer(part[1])) {
        places.set(part, at);
        if (TRAINING.test(part[0]) || isOptimizer(part[1])) training.push(part);
        else if (hasMatrix(part[1])) containers.push(part);
      }
    }
    const kept = training.filter(([, part]) => hasMatrix(part));
    const models = matricesHere + containers.length;
    if (isOptimizer(value) || (models === 0 && kept.length > 0))
      throw wrong('it has the state of an optimizer and no model; expected the weights of a model');
    const isAverage = ([key]: Part): boolean => AVERAGE.test(key);
    const areAll = matricesHere === 0 && containers.every(isAverage);
    const averages = areAll ? [] : containers.filter(isAverage);
    if (kept.length > 0) notes.push(leftOut(kept, 'which training needs and which is no part of the model'));
    if (averages.length > 0) notes.push(leftOut(averages, AVERAGED));
    const own = containers.filter((part) => !averages.includes(part));
    const [only] = own;
    if (matricesHere === 0 && own.length === 1 && (WRAPPER.test(only![0]) || areAll)) {
      if (areAll) notes.push(`Its model is '${only![0].slice(0, 60)}', an average of several steps.`);
      return modelIn(only![1], depth + 1);
    }
    // Vectors belong to the model that they are in.
    const leftOutAt = new Set([...training, ...averages].map((part) => places.get(part)));
    if (leftOutAt.size === 0) return value;
    const left = new PyDict();
    at = 0;
    for (const [key, part] of partsOf(value)) {
      if (leftOutAt.has(++at)) continue;
      left.keys.push(key);
      left.values.push(part);
    }
    return left;
  }

  async function flatten(value: PyValue, path: string, depth: number): Promise<void> {
    checkDepth(depth);
    visits += 1 + sizeOf(value);
    if (visits > MOST_VISITS) throw wrong(`it has more than ${MOST_VISITS} values; expected fewer`);
    for (const [key, part] of partsOf(value)) {
      if (++met % AT_ONCE === 0) await pause();
      const name = path === '' ? key : `${path}.${key}`;
      if (!isLeaf(part)) {
        if (isContainer(part)) await flatten(part, name, depth + 1);
        continue;
      }
      const called = (): string => `'${name.slice(0, 80)}'`;
      if (part instanceof PyOther)
        throw wrong(`${called()} is made by ${part.what}; expected a tensor with numbers of its own`);
      if (name.length > LONGEST_NAME)
        throw wrong(`${called()} and so on is a name of ${name.length} characters; expected at most ${LONGEST_NAME}`);
      const before = tensors.size;
      if (before === MOST_TENSORS) throw wrong(`it has more than ${MOST_TENSORS} tensors; expected fewer`);
      if (tensors.set(name, stored(name, part)).size === before)
        throw wrong(`${called()} occurs twice; expected each name once`);
    }
  }
}

/** A module of the model may keep its average. */
function withoutAverages(
  tensors: ReadonlyMap<string, StoredTensor>,
  notes: string[],
): ReadonlyMap<string, StoredTensor> {
  // Of half a million names, few modules differ.
  const known = new Map<string, boolean>();
  const isAverage = (name: string): boolean => {
    const end = name.indexOf('.');
    if (end < 0) return false;
    const module = name.slice(0, end);
    const is = known.get(module) ?? AVERAGE.test(module);
    known.set(module, is);
    return is;
  };
  let [hasMatrix, hasAverage] = [false, false];
  for (const [name, tensor] of tensors)
    if (isAverage(name)) hasAverage = true;
    else hasMatrix ||= tensor.shape.length > 1;
  if (!hasAverage || !hasMatrix) return tensors;
  const others = new Map<string, StoredTensor>();
  for (const [name, tensor] of tensors) if (!isAverage(name)) others.set(name, tensor);
  const modules = [...known].filter(([, is]) => is).map(([module]) => module);
  notes.push(
    leftOut(
      modules.map((one) => [one, null]),
      AVERAGED,
    ),
  );
  return others;
}
