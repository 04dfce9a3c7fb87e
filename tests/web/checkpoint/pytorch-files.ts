/**
 * Writes files of torch.save by hand, in both forms, valid or invalid: https://pytorch.org/docs/stable/notes/serialization.html and
 * torch/serialization.py. tests/judges/pytorch.test.ts has PyTorch itself write them.
 */
import { floats, joined, uint, utf8 } from './checkpoint-files.js';

/** Instructions of a pickle. */
export class Code {
  constructor(readonly bytes: Uint8Array) {}
}

/** An array is a tuple. */
export type Py = null | boolean | number | bigint | string | readonly Py[] | Code;

const op = (...bytes: number[]): Uint8Array => Uint8Array.from(bytes);
const letter = (text: string): Uint8Array => op(text.charCodeAt(0));

function codeOf(value: Py): Uint8Array {
  if (value instanceof Code) return value.bytes;
  if (value === null) return letter('N');
  if (typeof value === 'boolean') return op(value ? 0x88 : 0x89);
  if (typeof value === 'string') return joined(letter('X'), uint(utf8(value).length, 4), utf8(value));
  if (typeof value === 'bigint' || (typeof value === 'number' && Math.abs(value) >= 2 ** 31))
    return long(BigInt(value));
  if (typeof value === 'number') {
    const view = new DataView(new ArrayBuffer(8));
    view.setFloat64(0, value);
    if (!Number.isInteger(value)) return joined(letter('G'), new Uint8Array(view.buffer));
    return value >= 0 && value < 256 ? op(0x4b, value) : joined(letter('J'), uint(value >>> 0, 4));
  }
  return joined(letter('('), ...value.map(codeOf), letter('t'));
}

function long(value: bigint): Uint8Array {
  const bytes: number[] = [];
  for (let rest = value; bytes.length === 0 || (rest !== 0n && rest !== -1n) || (bytes.at(-1)! > 127) !== value < 0n; rest >>= 8n)
    bytes.push(Number(rest & 255n));
  return joined(op(0x8a, bytes.length), op(...bytes));
} // prettier-ignore

export const list = (...items: readonly Py[]): Code =>
  new Code(joined(letter(']'), letter('('), ...items.map(codeOf), letter('e')));
export const dict = (entries: Readonly<Record<string, Py>> | readonly (readonly [Py, Py])[]): Code => {
  const pairs: readonly (readonly [Py, Py])[] = Array.isArray(entries) ? entries : Object.entries(entries);
  return new Code(joined(letter('}'), letter('('), ...pairs.flatMap((pair) => pair.map(codeOf)), letter('u')));
};
export const name = (module: string, called: string): Code => new Code(utf8(`c${module}\n${called}\n`));
/** REDUCE: in Python, a call. */
export const call = (of: Code, ...args: readonly Py[]): Code => new Code(joined(of.bytes, codeOf(args), letter('R')));
export const persistent = (id: Py): Code => new Code(joined(codeOf(id), letter('Q')));
/** BUILD: attributes. */
export const withState = (of: Code, state: Py): Code => new Code(joined(of.bytes, codeOf(state), letter('b')));
export const raw = (...bytes: readonly (number | Uint8Array | string)[]): Code =>
  new Code(joined(...bytes.map((part) => (typeof part === 'number' ? op(part) : typeof part === 'string' ? utf8(part) : part)))); // prettier-ignore

/** Without its PROTO and its STOP, `value` may be any instructions. */
export const pickled = (value: Py, protocol = 2): Uint8Array<ArrayBuffer> =>
  joined(op(0x80, protocol), codeOf(value), letter('.'));

export interface Storage {
  readonly key: string;
  /** FloatStorage and so on. */
  readonly kind: string;
  readonly elements: number;
  readonly data: Uint8Array;
}

/** Of 32-bit floats: `start`, `start` + 1/4 and so on. */
export const floatStorage = (key: string, elements: number, start = 0): Storage => ({
  ...{ key, kind: 'FloatStorage', elements },
  data: floats(Array.from({ length: elements }, (_, i) => start + i / 4)),
});

export const storageId = ({ key, kind, elements }: Storage, ...more: readonly Py[]): Code =>
  persistent(['storage', name(kind === 'UntypedStorage' ? 'torch.storage' : 'torch', kind), key, 'cpu', elements, ...more]); // prettier-ignore

const rowMajor = (shape: readonly number[]): number[] =>
  shape.map((_, i) => shape.slice(i + 1).reduce((product, size) => product * size, 1));

export interface View {
  readonly offset?: number;
  readonly strides?: readonly number[];
  /** In the older form, a sixth part of the reference to the storage. */
  readonly more?: readonly Py[];
}

/** A tensor as torch.save refers to it. */
export const tensor = (storage: Storage, shape: readonly number[], { offset = 0, strides, more = [] }: View = {}): Code =>
  call(
    name('torch._utils', '_rebuild_tensor_v2'),
    ...[storageId(storage, ...more), offset, shape, strides ?? rowMajor(shape), false],
    call(name('collections', 'OrderedDict')),
  ); // prettier-ignore

/** OrderedDict, with the attributes that state_dict() gives it. */
export const stateDict = (tensors: Readonly<Record<string, Py>>): Code =>
  withState(
    new Code(joined(call(name('collections', 'OrderedDict')).bytes, letter('('), ...Object.entries(tensors).flatMap(([key, value]) => [codeOf(key), codeOf(value)]), letter('u'))),
    dict({ _metadata: call(name('collections', 'OrderedDict')) }),
  ); // prettier-ignore

export interface ZipFile {
  readonly name: string;
  readonly data: Uint8Array;
  readonly method?: number;
  readonly flags?: number;
  /** What it says that it has when it is inflated; as many bytes as are there by default. */
  readonly size?: number;
}

export interface ZipHow {
  /** Sizes and places in 64 bits, as in files of more than 4 GB. */
  readonly wide?: boolean;
  readonly comment?: string;
}

const ALIGNMENT = 64;

/** As torch.save writes it: nothing compressed, all data aligned by an extra field, and a descriptor after each. */
export function zip(files: readonly ZipFile[], { wide = false, comment = '' }: ZipHow = {}): Uint8Array<ArrayBuffer> {
  const parts: Uint8Array[] = [];
  const directory: Uint8Array[] = [];
  let at = 0;
  const put = (...bytes: Uint8Array[]): void => {
    for (const part of bytes) {
      parts.push(part);
      at += part.length;
    }
  };
  for (const { name: called, data, method = 0, flags = 0x808, size: whole = data.length } of files) {
    const header = at;
    const path = utf8(called);
    const padding = (ALIGNMENT - ((at + 30 + path.length + 4) % ALIGNMENT)) % ALIGNMENT;
    const local = (stored: number, inflated: number): Uint8Array[] => [uint(0, 2), uint(flags, 2), uint(method, 2), uint(0, 4), uint(0, 4), uint(stored, 4), uint(inflated, 4)]; // prettier-ignore
    put(uint(0x04034b50, 4), ...local(0, 0), uint(path.length, 2), uint(4 + padding, 2), path);
    put(utf8('FB'), uint(padding, 2), new Uint8Array(padding).fill(0x5a), data);
    put(uint(0x08074b50, 4), uint(0, 4), uint(data.length, 4), uint(whole, 4));
    const [stored, inflated, place] = wide ? [0xffff_ffff, 0xffff_ffff, 0xffff_ffff] : [data.length, whole, header];
    const extra = wide ? joined(uint(1, 2), uint(24, 2), uint(whole, 8), uint(data.length, 8), uint(header, 8)) : new Uint8Array(); // prettier-ignore
    directory.push(
      uint(0x02014b50, 4), uint(0, 2), ...local(stored, inflated), uint(path.length, 2), uint(extra.length, 2), uint(0, 2),
      uint(0, 2), uint(0, 2), uint(0, 4), uint(place, 4), path, extra,
    ); // prettier-ignore
  }
  const start = at;
  put(...directory);
  const bytes = at - start;
  if (wide) {
    const end = at;
    put(uint(0x06064b50, 4), uint(44, 8), uint(0, 4), uint(0, 8), uint(files.length, 8), uint(files.length, 8), uint(bytes, 8), uint(start, 8)); // prettier-ignore
    put(uint(0x07064b50, 4), uint(0, 4), uint(end, 8), uint(1, 4));
  }
  const [count, length, place] = wide ? [0xffff, 0xffff_ffff, 0xffff_ffff] : [files.length, bytes, start];
  put(uint(0x06054b50, 4), uint(0, 4), uint(count, 2), uint(count, 2), uint(length, 4), uint(place, 4));
  put(uint(utf8(comment).length, 2), utf8(comment));
  return joined(...parts);
}

/** The files of the archive of a value. */
export const zipFiles = (value: Py | Uint8Array, storages: readonly Storage[], folder = 'archive'): ZipFile[] => [
  { name: `${folder}/data.pkl`, data: value instanceof Uint8Array ? value : pickled(value) },
  { name: `${folder}/byteorder`, data: utf8('little') },
  ...storages.map(({ key, data }) => ({ name: `${folder}/data/${key}`, data })),
  { name: `${folder}/version`, data: utf8('3\n') },
];

export const torchZip = (value: Py | Uint8Array, storages: readonly Storage[], how?: ZipHow): Uint8Array<ArrayBuffer> =>
  zip(zipFiles(value, storages), how);

const MAGIC = 0x1950_a86a_20f9_469c_fc6cn;

/** The form before version 1.6. `parts` replaces the first three pickles and the last one. */
export const torchOld = (
  value: Py,
  storages: readonly Storage[],
  { magic = MAGIC, version = 1001, little = true, keys = storages.map(({ key }) => key) as Py[] } = {},
): Uint8Array<ArrayBuffer> =>
  joined(
    pickled(magic),
    pickled(version),
    pickled(dict({ protocol_version: version, little_endian: little, type_sizes: dict({ int: 4 }) })),
    pickled(value),
    pickled(list(...keys)),
    ...storages.flatMap(({ elements, data }) => [uint(elements, 8), data]),
  );

const BYTES = 0x42;
const inBytes = (bytes: Uint8Array): Uint8Array => joined(op(BYTES), uint(bytes.length, 4), bytes);

export interface ArrayHow {
  /** f4 and so on. */
  readonly code?: string;
  readonly order?: '<' | '>' | '|';
  readonly isFortran?: boolean;
  /** Protocol 2 has bytes as texts, 4 as bytes; 5 makes an array of its bytes. */
  readonly protocol?: 2 | 4 | 5;
}

/** An array of NumPy, as pickle.dump writes it. `numbers`: its bytes, or what it has in place of them. */
export function ndarray(
  shape: Py,
  numbers: Uint8Array | Code,
  { code = 'f4', order = '<', isFortran = false, protocol = 2 }: ArrayHow = {},
): Code {
  const type = withState(call(name('numpy', 'dtype'), code, false, true), [3, order, null, null, null, -1, -1, 0]);
  const asText = (bytes: Uint8Array): Code => call(name('_codecs', 'encode'), String.fromCharCode(...bytes), 'latin1');
  const stored = numbers instanceof Code ? numbers : protocol === 2 ? asText(numbers) : new Code(inBytes(numbers));
  if (protocol === 5) {
    const bytes = numbers instanceof Code ? numbers : raw(0x96, uint(numbers.length, 8), numbers);
    return call(name('numpy._core.numeric', '_frombuffer'), bytes, type, shape, isFortran ? 'F' : 'C');
  }
  const empty = call(name('numpy.core.multiarray', '_reconstruct'), name('numpy', 'ndarray'), [0], asText(utf8('b')));
  return withState(empty, [1, shape, type, isFortran, stored]);
}
