/**
 * Which tensors of a saved value are the model's. Programs save a dictionary of tensors, or one within others, beside what they need to train on.
 * Only what is known to be no part of the model is left out: everything else may be a table, and counts (docs/decisions/0077-every-matrix-accounted-for.md).
 */
import type { TiedError } from '../../runtime/errors.js';
import { PyDict, PyList, PyOther, PyTensor, type PyValue } from './values.js';

export interface ModelOfPickle {
  readonly tensors: ReadonlyMap<string, PyTensor>;
  /** What was left out, in words. */
  readonly notes: readonly string[];
}

type Wrong = (problem: string) => TiedError;
type Part = readonly [key: string, value: PyValue];

const DEEPEST = 32;
const MOST_TENSORS = 2 ** 20;
const MOST_VISITS = 2 ** 23;
const LONGEST_NAME = 1024;

/** What programs call the dictionary of the model's tensors. */
const WRAPPER =
  /^(?:(?:\w+_)?(?:model|module|net|network)|(?:\w+_)?state_dict(?:_\w+)?|model_(?:states?|dict|weights)|weights|params|parameters|_orig_mod|0)$/;
/** A moving average of the model's tensors, or an average of some steps. */
const AVERAGE = /(?:^|_)(?:ema|swa|averaged?|shadow)(?:_|$)/i;
/** What a program needs to go on training. */
const TRAINING =
  /^(?:(?:\w+_)?optim(?:izer)?s?(?:_\w+)?|(?:\w+_)?(?:lr_)?sched\w*|(?:\w+_)?scaler|amp|callbacks|loops|(?:\w+_)?rng\w*|random_\w+)$/i;

const isMatrix = (value: PyValue): boolean =>
  value instanceof PyTensor ? value.shape.length > 1 : value instanceof PyOther && value.hasNumbers;
const isLeaf = (value: PyValue): value is PyTensor | PyOther =>
  value instanceof PyTensor || (value instanceof PyOther && value.hasNumbers);

/** What has names or places of its own. */
function partsOf(value: PyValue): readonly Part[] {
  const items = value instanceof PyList ? value.items : Array.isArray(value) ? (value as readonly PyValue[]) : null;
  if (items !== null) return items.map((item, at) => [String(at), item]);
  if (!(value instanceof PyDict)) return [];
  return value.keys.flatMap((key, at): Part[] =>
    typeof key === 'string' || typeof key === 'number' ? [[String(key), value.values[at]!]] : [],
  );
}

const isContainer = (value: PyValue): boolean =>
  value instanceof PyDict || value instanceof PyList || Array.isArray(value);
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
  value instanceof PyList
    ? value.items.length
    : value instanceof PyDict
      ? value.keys.length
      : Array.isArray(value)
        ? value.length
        : 0;

const AVERAGED = 'an average of the model, which was not looked at';
const leftOut = (parts: readonly Part[], what: string): string =>
  `It was saved with ${parts
    .slice(0, 8)
    .map(([key]) => `'${key.slice(0, 60)}'`)
    .join(', ')}, ${what}.`;

export function modelOfPickle(root: PyValue, wrong: Wrong): ModelOfPickle {
  const matrices = new Map<PyValue, boolean>();
  const isOfOne = once(
    (value) => value instanceof PyDict && value.get('param_groups') !== undefined && value.get('state') !== undefined,
  );
  const isOptimizer = once(
    (value) => isOfOne(value) || (value instanceof PyList && value.items.length > 0 && value.items.every(isOfOne)),
  );
  const notes: string[] = [];
  const tensors = new Map<string, PyTensor>();
  let visits = 0;
  flatten(modelIn(root), '', 0);
  return { tensors: withoutAverages(tensors, notes), notes };

  /** Lists may contain themselves, and each other any number of times. */
  function hasMatrix(value: PyValue, depth = 0): boolean {
    if (isLeaf(value)) return isMatrix(value);
    if (!isContainer(value)) return false;
    const known = matrices.get(value);
    if (known !== undefined) return known;
    checkDepth(depth);
    matrices.set(value, false);
    const found = partsOf(value).some(([, part]) => hasMatrix(part, depth + 1));
    matrices.set(value, found);
    return found;
  }

  function checkDepth(depth: number): void {
    if (depth > DEEPEST) throw wrong(`its values are nested more than ${DEEPEST} deep; expected fewer`);
  }

  /** The value that holds the model alone: within what wraps it, without what belongs to training. */
  function modelIn(value: PyValue, depth = 0): PyValue {
    checkDepth(depth);
    const all = partsOf(value);
    const training = all.filter(([key, part]) => isContainer(part) && (TRAINING.test(key) || isOptimizer(part)));
    const leftOutParts = new Set(training);
    const rest = all.filter((part) => !leftOutParts.has(part) && hasMatrix(part[1]));
    const kept = training.filter(([, part]) => hasMatrix(part));
    if (isOptimizer(value) || (rest.length === 0 && kept.length > 0))
      throw wrong('it has the state of an optimizer and no model; expected the weights of a model');
    const isAverage = ([key, part]: Part): boolean => !isLeaf(part) && AVERAGE.test(key);
    const areAll = rest.every(isAverage);
    const models = areAll ? rest : rest.filter((part) => !isAverage(part));
    const averages = areAll ? [] : rest.filter(isAverage);
    if (kept.length > 0) notes.push(leftOut(kept, 'which training needs and which is no part of the model'));
    if (averages.length > 0) notes.push(leftOut(averages, AVERAGED));
    const [only] = models;
    if (models.length === 1 && !isLeaf(only![1]) && (WRAPPER.test(only![0]) || areAll)) {
      if (areAll) notes.push(`Its model is '${only![0].slice(0, 60)}', an average of several steps.`);
      return modelIn(only![1], depth + 1);
    }
    // Vectors belong to the model that they are in.
    for (const part of averages) leftOutParts.add(part);
    const left = new PyDict();
    for (const part of all) {
      if (leftOutParts.has(part)) continue;
      left.keys.push(part[0]);
      left.values.push(part[1]);
    }
    return left;
  }

  function flatten(value: PyValue, path: string, depth: number): void {
    checkDepth(depth);
    visits += 1 + sizeOf(value);
    if (visits > MOST_VISITS) throw wrong(`it has more than ${MOST_VISITS} values; expected fewer`);
    for (const [key, part] of partsOf(value)) {
      const name = path === '' ? key : `${path}.${key}`;
      if (!isLeaf(part)) {
        if (isContainer(part)) flatten(part, name, depth + 1);
        continue;
      }
      const called = `'${name.slice(0, 80)}'`;
      if (part instanceof PyOther)
        throw wrong(`${called} is made by ${part.what}; expected a tensor with numbers of its own`);
      if (name.length > LONGEST_NAME)
        throw wrong(`${called} and so on is a name of ${name.length} characters; expected at most ${LONGEST_NAME}`);
      if (tensors.has(name)) throw wrong(`${called} occurs twice; expected each name once`);
      if (tensors.size === MOST_TENSORS) throw wrong(`it has more than ${MOST_TENSORS} tensors; expected fewer`);
      tensors.set(name, part);
    }
  }
}

/** A module of the model may keep its average. */
function withoutAverages(tensors: ReadonlyMap<string, PyTensor>, notes: string[]): ReadonlyMap<string, PyTensor> {
  const module = (name: string): string => name.split('.', 1)[0]!;
  const isAverage = (name: string): boolean => name.includes('.') && AVERAGE.test(module(name));
  const [averages, others] = [true, false].map((is) => [...tensors].filter(([name]) => isAverage(name) === is));
  if (averages!.length === 0 || !others!.some(([, tensor]) => isMatrix(tensor))) return tensors;
  const modules = [...new Set(averages!.map(([name]) => module(name)))];
  notes.push(
    leftOut(
      modules.map((one) => [one, null]),
      AVERAGED,
    ),
  );
  return new Map(others);
}
