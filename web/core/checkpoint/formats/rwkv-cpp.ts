/** A file of rwkv.cpp: six integers, then each tensor after its own sizes, type and name. https://github.com/RWKV/rwkv.cpp/blob/master/docs/FILE_FORMAT.md */
import { bytesOf, elementsOf, GGUF_TYPES } from '../elements/stored-types.js';
import { badFile, type ByteSource } from '../bytes/source.js';
import type { StoredTensor } from '../tensors.js';

const HEADER_BYTES = 24;
/** Bytes of the number of dimensions, the length of the name, and the type. */
const ENTRY_BYTES = 12;
const MOST_DIMENSIONS = 4;
const LONGEST_NAME = 256;
const MOST_TENSORS = 100_000;
/** Its type numbers, and those of GGUF: blocks are the same since version 101. */
const TYPES: ReadonlyMap<number, number> = new Map([
  [0, 0],
  [1, 1],
  [2, 2],
  [3, 3],
  [7, 6],
  [8, 7],
  [9, 8],
]);

export interface RwkvHeader {
  readonly tensors: ReadonlyMap<string, StoredTensor>;
  readonly metadata: ReadonlyMap<string, string>;
}

/** Whether a file starts like this: the magic number, and a version of this program. Other old GGML files have the same number. */
export const isRwkv = (head: Uint8Array): boolean =>
  String.fromCharCode(...head.subarray(0, 4)) === 'fmgg' && (head[4] === 100 || head[4] === 101);

/** There is no list of tensors: their sizes and names are read one after the other, their data are not. */
export async function readRwkv(source: ByteSource, signal?: AbortSignal): Promise<RwkvHeader> {
  const { size, name: file } = source;
  const wrong = (problem: string): Error => badFile(file, problem);
  if (size === null) throw wrong('its size is not known; expected a server that reports it, or the file itself');
  if (size < HEADER_BYTES) throw wrong(`it has ${size} bytes; expected at least ${HEADER_BYTES}`);
  const head = await source.read(0, HEADER_BYTES, signal);
  const isFirst = head[4] === 100;
  const tensors = new Map<string, StoredTensor>();
  for (let at = HEADER_BYTES; at < size;) {
    const number = tensors.size;
    if (number === MOST_TENSORS) throw wrong(`it has more than ${MOST_TENSORS} tensors; expected fewer`);
    const left = Math.min(size - at, ENTRY_BYTES + 4 * MOST_DIMENSIONS + LONGEST_NAME);
    const bytes = await source.read(at, left, signal);
    const view = new DataView(bytes.buffer, bytes.byteOffset, left);
    const cutOff = (): Error =>
      wrong(`it ends within the entry of tensor ${number}; expected all of it: the file may be cut off`);
    if (left < ENTRY_BYTES) throw cutOff();
    const [count, length, type] = [0, 4, 8].map((place) => view.getInt32(place, true)) as [number, number, number];
    if (count < 1 || count > MOST_DIMENSIONS || length < 1 || length > LONGEST_NAME)
      throw wrong(
        `tensor ${number} has ${count} dimensions and a name of ${length} bytes; expected at most ${MOST_DIMENSIONS} and ${LONGEST_NAME}`,
      );
    const nameAt = ENTRY_BYTES + 4 * count;
    if (left < nameAt + length) throw cutOff();
    const name = nameOf(bytes.subarray(nameAt, nameAt + length));
    if (name === null || tensors.has(name))
      throw wrong(
        `the name of tensor ${number} ${name === null ? 'is not UTF-8' : 'occurs twice'}; expected each once`,
      );
    const called = `'${name.slice(0, 80)}'`;
    const [dtype, block] = GGUF_TYPES.get((isFirst && type > 1 ? undefined : TYPES.get(type)) ?? -1) ?? [];
    if (dtype === undefined || block === undefined)
      throw wrong(
        `${called} has the type ${type} of version ${head[4]}; expected floats, Q4_0, Q4_1, Q5_0, Q5_1 or Q8_0`,
      );
    const dimensions = Array.from({ length: count }, (_, k) => view.getInt32(ENTRY_BYTES + 4 * k, true));
    const elements = dimensions.every((dimension) => dimension > 0) ? elementsOf(dimensions) : null;
    const held = elements === null || dimensions[0]! % block.elements !== 0 ? null : bytesOf(elements, block);
    if (held === null)
      throw wrong(
        `${called} has the shape [${dimensions.join(', ')}]; expected rows of whole blocks of ${block.elements} elements, fewer than 2^53 in all`,
      );
    const from = at + nameAt + length;
    if (from + held > size)
      throw wrong(`${called} ends after the file of ${size} bytes; expected all of it: the file may be cut off`);
    tensors.set(name, { name, shape: dimensions.reverse(), dtype, bytes: held, source, from });
    at = from + held;
  }
  return { tensors, metadata: new Map([['architecture', 'rwkv.cpp']]) };
}

function nameOf(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}
