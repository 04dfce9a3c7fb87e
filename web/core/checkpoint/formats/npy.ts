/** A matrix in a NumPy file, versions 1 to 3. https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html */
import { blockOf, type ElementType } from '../elements/element-types.js';
import { bytesOf, elementsOf } from '../elements/stored-types.js';
import { badFile, type ByteSource } from '../bytes/source.js';
import { swapped } from './swapped-source.js';
import type { StoredTensor } from '../tensors.js';

/** NumPy has no BF16: types of other packages that take two bytes are stored without a name. */
export const NPY_BF16: readonly string[] = ['|V2', '<V2'];
const TYPES: Readonly<Record<string, ElementType>> = {
  ...{ '<f8': 'F64', '<f4': 'F32', '<f2': 'F16' },
  ...Object.fromEntries(NPY_BF16.map((descr) => [descr, 'BF16'])),
};
const LONGEST_HEADER = 1_000_000;
const FIELD = /\s*'(descr|fortran_order|shape)'\s*:\s*('[^'\\]*'|\[.*\]|True|False|\([\d\sL,]*\))\s*(,|(?=\}))/y;

/** What the header of an array says. */
export interface NpyHeader {
  /** The type of its elements, in the notation of NumPy. */
  readonly descr: string;
  readonly isFortran: boolean;
  readonly shape: readonly number[];
  /** Where its elements begin. */
  readonly from: number;
}

/** What headers say, by their texts: many arrays have few. */
export type KnownHeaders = Map<string, Omit<NpyHeader, 'from'>>;

const MOST_KNOWN = 10_000;
const LATIN = new TextDecoder('latin1');
const UTF_8 = new TextDecoder();

export async function readNpyHeader(
  read: (from: number, length: number) => Promise<Uint8Array>,
  wrong: (problem: string) => Error,
  known: KnownHeaders = new Map(),
): Promise<NpyHeader> {
  const start = await read(0, 12);
  const view = new DataView(start.buffer, start.byteOffset);
  const [major, minor] = [start[6]!, start[7]!];
  if (String.fromCharCode(...start.subarray(0, 6)) !== '\x93NUMPY')
    throw wrong('it starts with other bytes; expected a NumPy file');
  if (major < 1 || major > 3 || minor !== 0)
    throw wrong(`it is of version ${major}.${minor}; expected 1.0, 2.0 or 3.0`);
  const [at, length] = major > 1 ? [12, view.getUint32(8, true)] : [10, view.getUint16(8, true)];
  if (length > LONGEST_HEADER) throw wrong(`its header would have ${length} bytes; expected at most ${LONGEST_HEADER}`);
  const header = (major > 2 ? UTF_8 : LATIN).decode(await read(at, length));
  const fields = known.get(header) ?? fieldsOf(header);
  if (fields === null)
    throw wrong(`its header is ${header.trim().slice(0, 120)}; expected descr, fortran_order and shape`);
  if (known.size < MOST_KNOWN) known.set(header, fields);
  return { ...fields, from: at + length };
}

export async function readNpy(source: ByteSource, name: string, signal?: AbortSignal): Promise<StoredTensor> {
  const wrong = (problem: string): Error => badFile(source.name, problem);
  const read = (from: number, length: number): Promise<Uint8Array> => source.read(from, length, signal);
  const { descr, isFortran, shape: said, from } = await readNpyHeader(read, wrong);
  const isSwapped = descr.startsWith('>');
  const dtype = TYPES[isSwapped ? `<${descr.slice(1)}` : descr];
  if (dtype === undefined)
    throw wrong(
      `its elements are ${descr.slice(0, 40)}; expected '<f8', '<f4' or '<f2', floating-point numbers, or the same big-endian ('>')`,
    );
  if (said.length !== 2 || said.includes(0))
    throw wrong(`it has the shape [${said.join(', ')}]; expected [tokens, width]`);
  const elements = elementsOf(said);
  const bytes = elements === null ? null : bytesOf(elements, blockOf(dtype));
  if (bytes === null) throw wrong(`it has the shape [${said.join(', ')}]; expected a matrix of fewer than 2^53 bytes`);
  if (source.size !== null && from + bytes !== source.size)
    throw wrong(`it has ${source.size} bytes; expected ${from + bytes} by its header`);
  // The first index of a Fortran array is contiguous, so rows and columns are swapped.
  const shape = isFortran ? [...said].reverse() : said;
  const stored = { name, shape, dtype, bytes, source, from, ...(isFortran ? { turned: true } : {}) };
  return isSwapped ? swapped(stored, bytes / elements!) : stored;
}

/** Parses the header, a dictionary in Python notation with each key once. */
function fieldsOf(header: string): { descr: string; isFortran: boolean; shape: number[] } | null {
  const text = header.trim();
  const fields = new Map<string, string>();
  if (!text.startsWith('{')) return null;
  FIELD.lastIndex = 1;
  let end = 1;
  for (let found = FIELD.exec(text); found !== null; found = FIELD.exec(text)) {
    if (fields.has(found[1]!)) return null;
    fields.set(found[1]!, found[2]!);
    end = FIELD.lastIndex;
  }
  const [descr, order, shape] = [fields.get('descr'), fields.get('fortran_order'), fields.get('shape')];
  if (!/^\s*\}$/.test(text.slice(end)) || !descr || !order || !shape?.startsWith('(')) return null;
  if (order !== 'True' && order !== 'False') return null;
  const sizes = shape
    .slice(1, -1)
    .split(',')
    .map((size) => size.trim().replace(/L$/, ''));
  if (sizes.at(-1) === '') sizes.pop();
  if (!sizes.every((size) => /^\d{1,15}$/.test(size))) return null;
  return { descr: descr.replace(/^'(.*)'$/, '$1'), isFortran: order === 'True', shape: sizes.map(Number) };
}
