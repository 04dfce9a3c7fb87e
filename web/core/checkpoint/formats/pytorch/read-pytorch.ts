/** A file of torch.save: where its tensors are. Nothing in it is run. https://pytorch.org/docs/stable/notes/serialization.html */
import type { TiedError } from '../../../runtime/errors.js';
import { BytesSource } from '../../bytes/memory-source.js';
import { badFile, type ByteSource } from '../../bytes/source.js';
import { elementsOf } from '../../elements/stored-types.js';
import type { StoredTensor } from '../../tensors.js';
import { storedArray } from '../numpy-arrays.js';
import { readOld, readPlain, readZip, type Pickled } from './forms.js';
import { modelOfPickle } from './model-of-pickle.js';
import { withScales } from './quantized-tensors.js';
import { PyArray, PyTensor, type PyStorage } from './values.js';
import { ViewSource, type View } from './view-source.js';
import { wordVectorsIn } from './word-vectors.js';

export interface PyTorchFile {
  readonly tensors: ReadonlyMap<string, StoredTensor>;
  readonly notes: readonly string[];
  /** Whether all that was saved is one tensor, without a name. */
  readonly isOneTensor: boolean;
}

/** `head`: the first bytes. `name`: what a single tensor is called. */
export async function readPyTorch(
  source: ByteSource,
  head: Uint8Array,
  name: string,
  signal?: AbortSignal,
): Promise<PyTorchFile> {
  const wrong = (problem: string): TiedError => badFile(source.name, problem);
  if (String.fromCharCode(...head.subarray(257, 262)) === 'ustar')
    throw wrong('it is a tar archive, the form of PyTorch 0.1; expected a file of torch.save from version 0.4 on');
  const pickled = head[0] === 0x50 ? await readZip(source, head, signal) : await readOld(source, head, signal);
  return fileOf(pickled, name, wrong);
}

/** A pickle without storages: arrays of NumPy, in lists and dictionaries. It is read whole. */
export async function readPickle(
  source: ByteSource,
  name: string,
  signal?: AbortSignal,
): Promise<PyTorchFile & { readonly tokens: readonly string[] | null }> {
  const wrong = (problem: string): TiedError => badFile(source.name, problem);
  const pickled = await readPlain(source, signal);
  const vectors = wordVectorsIn(pickled.value);
  const file = await fileOf(vectors === null ? pickled : { ...pickled, value: vectors.array }, name, wrong);
  return { ...file, tokens: vectors?.words ?? null };
}

type Wrong = (problem: string) => TiedError;

async function fileOf(pickled: Pickled, name: string, wrong: Wrong): Promise<PyTorchFile> {
  const { value } = pickled;
  const stored = (called: string, of: PyTensor | PyArray): StoredTensor =>
    of instanceof PyArray ? arrayOf(called, of, pickled, wrong) : tensorOf(called, of, pickled, wrong);
  const isOneTensor = value instanceof PyTensor || (value instanceof PyArray && value.hasNumbers);
  const { tensors, notes } = isOneTensor
    ? { tensors: new Map([[name, stored(name, value)]]), notes: [] }
    : await modelOfPickle(value, stored, wrong);
  if (tensors.size === 0) throw wrong('it holds no tensors; expected the weights of a model');
  return { tensors, notes, isOneTensor };
}

/** Its bytes are in the pickle, which has been read. */
function arrayOf(name: string, array: PyArray, { name: file }: Pickled, wrong: Wrong): StoredTensor {
  const { shape, type, isFortran, bytes } = array;
  const called = `'${name.slice(0, 80)}'`;
  if (type === null || bytes === null)
    throw wrong(`${called} is an array of NumPy without numbers; expected its shape, its type and its bytes`);
  array.source ??= new BytesSource(bytes.bytes, file);
  const descr = `${/^[ib]1$|^u1$/.test(type.code) ? '|' : type.isBigEndian ? '>' : '<'}${type.code}`;
  const place = { source: array.source, from: 0, bytes: bytes.bytes.length };
  const wrongArray: Wrong = (problem) => wrong(`${called}: ${problem}`);
  return storedArray({ name, descr, isFortran, shape, ...place }, 'of numbers', wrongArray);
}

function tensorOf(name: string, tensor: PyTensor, pickled: Pickled, wrong: Wrong): StoredTensor {
  const stored = storedTensor(name, tensor, pickled, wrong);
  const of = (part: PyTensor): StoredTensor => storedTensor(name, part, pickled, wrong);
  return tensor.quantizer === undefined ? stored : withScales(stored, tensor.type, tensor.quantizer, of);
}

function storedTensor(
  name: string,
  { storage, type, offset, shape, strides }: PyTensor,
  { sourceOf }: Pickled,
  wrong: (problem: string) => TiedError,
): StoredTensor {
  const elements = elementsOf(shape);
  // A view of bytes counts numbers of its own type.
  const unit = storage.type.bytes / type.bytes;
  const [begin, end] = [storage.first * unit, (storage.first + storage.elements) * unit];
  const first = begin + offset;
  const last = elements === 0 ? first : shape.reduce((sum, size, i) => sum + (size - 1) * strides[i]!, first) + 1;
  if (elements === null || !(last <= end) || !Number.isSafeInteger(end * type.bytes))
    throw wrong(
      `'${name.slice(0, 80)}' of shape [${shape.join(', ')}] and strides [${strides.join(', ')}], from element ${offset} on, ends after its storage of ${end - begin} elements; expected a part of it`,
    );
  const source = sourceOf(storage);
  const from = first * type.bytes;
  const bytes = elements * type.bytes;
  const { dtype } = type;
  if (areRows(shape, strides)) return { name, shape, dtype, bytes, source, from };
  // The transpose of a matrix, which is not copied.
  const turned = [...shape].reverse();
  if (shape.length === 2 && areRows(turned, [...strides].reverse()))
    return { name, shape: turned, dtype, bytes, source, from, turned: true };
  // More numbers than the storage has: one row stands for several, and the size of the file says nothing of how many.
  if (elements > end - begin) {
    const overlaps = `stored once for several rows or columns (strides ${strides.join(', ')})`;
    return { name, shape, dtype: overlaps, bytes: Math.min(bytes, source.size! - from), source, from };
  }
  const isTurned = shape.length === 2 && strides[0]! < strides[1]!;
  const view = {
    ...{ each: type.bytes, first },
    ...(isTurned ? { shape: turned, strides: [...strides].reverse() } : { shape, strides }),
  };
  const seen = { name, shape: view.shape, dtype, bytes, source: viewOf(storage.whole, source, view), from: 0 };
  return isTurned ? { ...seen, turned: true } : seen;
}

function viewOf(storage: PyStorage, source: ByteSource, view: View): ByteSource {
  const views = (storage.views ??= new Map<string, ByteSource>());
  const key = JSON.stringify(view);
  const known = views.get(key) ?? new ViewSource(source, view);
  views.set(key, known);
  return known;
}

/** Whether the numbers are one after the other. */
function areRows(shape: readonly number[], strides: readonly number[]): boolean {
  if (shape.includes(0)) return true;
  let expected = 1;
  for (let i = shape.length - 1; i >= 0; i--) {
    if (shape[i] !== 1 && strides[i] !== expected) return false;
    expected *= shape[i]!;
  }
  return true;
}
