/** What the names of PyTorch make of their arguments: descriptions of tensors and of their storages. */
import type { TiedError } from '../../../runtime/errors.js';
import { arrayOfBytes, arrayTypeOf, builtArray, bytesOfText, isWhole, sizesOf } from './array-builders.js';
import type { Builders } from './machine.js';
import { meaningOf } from './names.js';
import {
  PyArray,
  PyDict,
  PyList,
  PyName,
  PyOther,
  PyStorage,
  PyTensor,
  type Storages,
  type NumberType,
  type PyValue,
} from './values.js';

const MOST_DIMENSIONS = 64;
const LONGEST_KEY = 200;
const LAST = 8;

/** The storages that the pickle names are put into `storages`, by key. */
export function buildersOf(wrong: (problem: string) => TiedError, storages: Storages): Builders {
  const bad = (what: string, expected: string): TiedError => wrong(`its pickle ${what}; expected ${expected}`);
  /** Shapes and strides of the last tensors: those of half a million are mostly the same few. */
  const last: (readonly number[])[] = [];
  let next = 0;
  return { made, persistent, built, wrong };

  function shared(sizes: readonly number[] | null): readonly number[] | null {
    if (sizes === null) return null;
    for (const one of last) {
      if (one.length !== sizes.length) continue;
      let at = 0;
      while (at < sizes.length && one[at] === sizes[at]) at++;
      if (at === sizes.length) return one;
    }
    last[next] = sizes;
    next = (next + 1) % LAST;
    return sizes;
  }

  function made(of: PyName, args: readonly PyValue[]): PyValue {
    const meaning = meaningOf(of)!;
    const [first = null] = args;
    switch (meaning.is) {
      case 'dict':
        return dictOf(args);
      case 'size':
        return sizesOf(first) ?? notATensor(of);
      case 'tensor':
        return tensorOf(of, args);
      case 'quantized': {
        const tensor = tensorOf(of, args);
        const type = { ...tensor.type, dtype: `packed by PyTorch (${tensor.type.dtype})` };
        return new PyTensor(tensor.storage, type, tensor.offset, tensor.shape, tensor.strides, args[4] ?? null);
      }
      case 'parameter':
        return first instanceof PyTensor || first instanceof PyOther ? first : notATensor(of);
      case 'of-type': {
        // The function that builds it, its class, and the arguments of the function. A class within a class would never end.
        const inner = args[2];
        if (!(first instanceof PyName) || !Array.isArray(inner) || meaningOf(first)!.is === 'of-type')
          return notATensor(of);
        return made(first, inner);
      }
      case 'array':
        return first instanceof PyName && first.whole === 'numpy.ndarray' ? new PyArray() : notATensor(of);
      case 'array-of-bytes':
        return arrayOfBytes(args) ?? notATensor(of);
      case 'array-type':
        return arrayTypeOf(args) ?? new PyOther(of.whole, false);
      case 'bytes':
        return bytesOfText(args) ?? notATensor(of);
      case 'other':
        return new PyOther(of.whole, meaning.hasNumbers);
      default:
        throw bad(`calls ${of.whole}`, 'a class or function that makes data');
    }
  }

  function built(value: PyValue, state: PyValue): void {
    if (!builtArray(value, state)) throw bad('has an array of NumPy without its shape, its type or its numbers', 'all three'); // prettier-ignore
  }

  function notATensor(of: PyName): never {
    throw bad(`gives ${of.whole} other arguments than PyTorch or NumPy`, 'those of a tensor');
  }

  function tensorOf(of: PyName, args: readonly PyValue[]): PyTensor {
    const storage = args[0];
    const offset = args[1];
    const shape = shared(sizesOf(args[2]));
    const strides = shared(sizesOf(args[3]));
    if (!(storage instanceof PyStorage) || !isWhole(offset) || shape === null || strides?.length !== shape.length)
      return notATensor(of);
    if (shape.length > MOST_DIMENSIONS)
      throw bad(`has a tensor of ${shape.length} dimensions`, `at most ${MOST_DIMENSIONS}`);
    return new PyTensor(storage, typeOf(of, args) ?? storage.type, offset, shape, strides);
  }

  /** Views of bytes name their type. */
  function typeOf({ name }: PyName, args: readonly PyValue[]): NumberType | null {
    if (name !== '_rebuild_tensor_v3') return null;
    const type = args[6] instanceof PyName ? meaningOf(args[6]) : null;
    if (type?.is !== 'numbers') throw bad('has a tensor of bytes without the type of its numbers', 'a type of torch');
    return type.type;
  }

  /** ('storage', class, key, device, elements) and, in the older form, None or (key, first element, elements) of a part of it. */
  function persistent(id: PyValue): PyStorage {
    const fields: readonly PyValue[] = Array.isArray(id) ? (id as readonly PyValue[]) : [];
    const what = fields[0];
    const of = fields[1];
    const key = fields[2];
    const elements = fields[4];
    const part = fields[5] ?? null;
    if (what === 'module')
      throw bad('holds a whole module with its source code', 'its weights alone, from model.state_dict()');
    const meaning = of instanceof PyName ? meaningOf(of) : null;
    if (what !== 'storage' || meaning?.is !== 'storage' || typeof key !== 'string' || !isWhole(elements))
      throw bad('refers to something that is no storage', "('storage', class, key, device, elements)");
    if (key === '' || key.length > LONGEST_KEY) throw bad('has a storage without a usable key', 'a short text');
    const known = storages.get(key);
    const { type } = meaning;
    if (known !== undefined && (known.type.dtype !== type.dtype || known.elements !== elements))
      throw bad(
        `says of storage '${key.slice(0, 40)}' once ${known.elements} of ${known.type.dtype}, and once ${elements} of ${type.dtype}`,
        'the same each time',
      );
    const whole = known ?? new PyStorage(key, type, elements, 0);
    if (known === undefined) storages.add(whole);
    if (part === null) return whole;
    const [, first, length] = Array.isArray(part) ? (part as readonly PyValue[]) : [];
    if (!isWhole(first) || !isWhole(length) || first + length > elements)
      throw bad(`has a part of storage '${key.slice(0, 40)}' that is not within it`, '(key, first element, elements)');
    return new PyStorage(key, type, length, first, whole);
  }
}

/** Python 2 lists its pairs. */
function dictOf(args: readonly PyValue[]): PyDict {
  const dict = new PyDict();
  const given = args.find((one) => one instanceof PyDict);
  given?.keys.forEach((key, at) => {
    dict.keys.push(key);
    dict.values.push(given.values[at]!);
  });
  const pairs = args.find((one) => one instanceof PyList);
  for (const pair of pairs?.items ?? []) {
    const [key, value] = pair instanceof PyList ? pair.items : Array.isArray(pair) ? (pair as readonly PyValue[]) : [];
    if (key === undefined || value === undefined) continue;
    dict.keys.push(key);
    dict.values.push(value);
  }
  return dict;
}
