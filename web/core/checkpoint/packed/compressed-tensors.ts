/**
 * Tables of integers as compressed-tensors stores them (docs/decisions/0126-packings-that-people-have.md): rows of numbers less a zero point, times the scale of
 * the table, of the row or of a group of columns.
 *
 * - Packed: `weight_packed` [tokens, words], numbers of 1 to 8 bits in the bits of a row, the lowest first, each more by half the number of levels;
 *   `weight_shape`, two numbers; `weight_zero_point` [words, groups], those of a group packed alike, down the column.
 * - Plain: `weight` [tokens, columns] of signed bytes, and `weight_zero_point` as `weight_scale` is, of signed bytes.
 *
 * `weight_g_idx` [columns] has the group of each column; with -1 in it, columns are in order.
 */
import { powerOfTwo } from '../../runtime/elementary.js';
import { scaledNumbers, tableOfRows } from './float-rows-source.js';
import { inOrder, inWords, listedGroups, numbersOf, once, type Parts } from './packed-numbers.js';
import { floatsOfType, signed } from './scales.js';
import type { PackingFacts, StoredTensor } from '../tensors.js';

/** Those that the program packs first: a very short row may have as many words for others. */
const BITS = [4, 8, 2, 1, 3, 5, 6, 7] as const;

/** One number for each group of each row that is read. */
type PerGroup = (from: number, count: number, signal?: AbortSignal) => Promise<ArrayLike<number>>;

interface Integers {
  readonly rows: number;
  readonly width: number;
  /** What is added to every number and every zero point. */
  readonly offset: number;
  readonly how: string;
  readonly read: (from: number, count: number, signal?: AbortSignal) => Promise<Uint8Array | Int8Array>;
}

/** Null if it is no such table. `width`: of the states, if it is known. */
export function integerTable(
  table: StoredTensor,
  parts: Parts,
  width: number | null,
  facts: PackingFacts,
): StoredTensor | string | null {
  const [packed, plain, scales] = ['.weight_packed', '.weight', '.weight_scale'].map((own) => parts.get(own));
  if (scales === undefined) return null;
  const integers =
    packed?.dtype === 'I32'
      ? packedIntegers(packed, parts, width, facts)
      : plain?.dtype === 'I8'
        ? bytesOf(plain)
        : null;
  if (integers === null || typeof integers === 'string') return integers;
  return made(table, parts, scales, integers);
}

function packedIntegers(
  packed: StoredTensor,
  parts: Parts,
  width: number | null,
  facts: PackingFacts,
): Integers | string {
  const [rows = 0, words = 0, ...others] = packed.shape;
  if (others.length > 0 || rows === 0 || words === 0) return `${inWords(packed)}; expected [tokens, words]`;
  const listed = parts.get('.weight_shape');
  const said = listed === undefined ? undefined : facts.states.get(listed.name);
  if (typeof said === 'string') return said;
  const [tokens = rows, cols = width] = (said?.get('shape') ?? []) as readonly number[];
  if (cols === null) return 'neither weight_shape nor a norm of the file tells how wide it is';
  if (tokens !== rows) return `${inWords(packed)}; expected ${tokens} rows, as weight_shape says`;
  const bits = BITS.find((bits) => Math.ceil((cols * bits) / 32) === words);
  if (bits === undefined) return `${inWords(packed)}; expected 1 to 8 bits for each of ${cols} columns`;
  return {
    ...{ rows, width: cols, offset: powerOfTwo(bits - 1), how: `${bits} bits` },
    read: async (from, count, signal) => {
      const bytes = await packed.source.read(packed.from + 4 * words * from, 4 * words * count, signal);
      if (32 * words === cols * bits) return numbersOf(bytes, bits, count * cols);
      // The last word of a row is not full.
      const result = new Uint8Array(count * cols);
      for (let row = 0; row < count; row++)
        result.set(numbersOf(bytes.subarray(4 * words * row, 4 * words * (row + 1)), bits, cols), row * cols);
      return result;
    },
  };
}

function bytesOf(plain: StoredTensor): Integers | string {
  const [rows = 0, width = 0, ...others] = plain.shape;
  if (rows === 0 || width === 0 || others.length > 0) return `${inWords(plain)}; expected [tokens, width]`;
  return {
    ...{ rows, width, offset: 0, how: 'whole bytes' },
    read: async (from, count, signal) =>
      signed(await plain.source.read(plain.from + width * from, width * count, signal)),
  };
}

function made(table: StoredTensor, parts: Parts, scales: StoredTensor, integers: Integers): StoredTensor | string {
  const { rows, width, offset, how, read } = integers;
  const groups = groupsIn(scales, rows);
  if (groups === null) return `${inWords(scales)}; expected [${rows}, groups], [${rows}, 1] or [1]`;
  const toFloats = floatsOfType(scales.dtype);
  if (toFloats === null) return `${inWords(scales)}; expected F32, F16 or BF16`;
  const order = parts.get('.weight_g_idx');
  if (order !== undefined && (order.dtype !== 'I32' || order.shape.join() !== String(width)))
    return `${inWords(order)}; expected [${width}] of I32, the group of each column`;
  if (width % groups !== 0) return `${inWords(scales)}; expected groups of equally many of ${width} columns`;
  const zeros = zerosOf(parts.get('.weight_zero_point'), scales, integers, groups);
  if (typeof zeros === 'string') return zeros;
  const size = width / groups;
  const scaleValues = perGroup(scales, rows, groups, toFloats);
  const groupOf = once(async (signal) =>
    order === undefined || (await isUnordered(order, signal))
      ? inOrder(width, size)
      : listedGroups(order, groups, signal),
  );
  const shared = groups === 1 && scales.shape[0] !== rows ? 'all' : `${size} columns`;
  return tableOfRows(
    table,
    `packed by compressed-tensors in ${how}, with a scale for ${shared}`,
    [rows, width],
    async (from, count, signal) => {
      const [numbers, someScales, someZeros, of] = await Promise.all([
        read(from, count, signal),
        scaleValues(from, count, signal),
        zeros === null ? new Uint8Array(count * groups).fill(offset) : zeros(from, count, signal),
        groupOf(signal),
      ]);
      return scaledNumbers(numbers, count, { count: groups, of, scales: someScales, zeros: someZeros });
    },
  );
}

/** Groups of a row in a tensor with a number for each group of each row, or of all rows; null if it is no such tensor. */
function groupsIn({ shape: [down = 1, along = 1, ...others] }: StoredTensor, rows: number): number | null {
  return others.length === 0 && (down === rows || down === 1) && along > 0 ? along : null;
}

/** Of a tensor with a number for each group of each row, or of all rows. */
function perGroup(
  { source, from: start, bytes, shape }: StoredTensor,
  rows: number,
  groups: number,
  toNumbers: (bytes: Uint8Array) => ArrayLike<number>,
): PerGroup {
  const isForAll = (shape[0] ?? 1) !== rows;
  const each = bytes / (isForAll ? 1 : rows);
  return async (from, count, signal) => {
    if (!isForAll) return toNumbers(await source.read(start + each * from, each * count, signal));
    const some = toNumbers(await source.read(start, bytes, signal));
    return Array.from({ length: count * groups }, (_, i) => some[i % groups]!);
  };
}

/** Null: there are none, and a number of nothing is `offset`. */
function zerosOf(
  zeros: StoredTensor | undefined,
  scales: StoredTensor,
  { rows, offset }: Integers,
  groups: number,
): PerGroup | string | null {
  if (zeros === undefined) return null;
  if (zeros.dtype === 'I32' && offset > 0) {
    const bits = 32 - Math.clz32(offset);
    const words = Math.ceil((rows * bits) / 32);
    if (zeros.shape.join() !== `${words},${groups}`) return `${inWords(zeros)}; expected [${words}, ${groups}]`;
    return packedDown(zeros, bits, groups);
  }
  if (zeros.shape.join() !== scales.shape.join())
    return `${inWords(zeros)}; expected [${scales.shape.join(', ')}], as its scales`;
  const toNumbers = zeros.dtype === 'I8' ? signed : floatsOfType(zeros.dtype);
  if (toNumbers === null) return `${inWords(zeros)}; expected I8, or packed in I32`;
  const read = perGroup(zeros, rows, groups, toNumbers);
  return async (...range) => Array.from(await read(...range), (zero) => zero + offset);
}

/** Numbers that are packed down the columns of a matrix, read for some of its rows. */
function packedDown({ source, from: start }: StoredTensor, bits: number, cols: number): PerGroup {
  return async (from, count, signal) => {
    const [first, end] = [Math.floor((from * bits) / 32), Math.ceil(((from + count) * bits) / 32)];
    const words = new Uint32Array(
      (await source.read(start + 4 * cols * first, 4 * cols * (end - first), signal)).slice().buffer,
    );
    const most = powerOfTwo(bits) - 1;
    const result = new Uint8Array(count * cols);
    for (let row = 0; row < count; row++) {
      const bit = (from + row) * bits - 32 * first;
      const [word, shift] = [(bit >> 5) * cols, bit & 31];
      const isCut = shift + bits > 32;
      for (let col = 0; col < cols; col++) {
        const high = isCut ? words[word + cols + col]! << (32 - shift) : 0;
        result[row * cols + col] = ((words[word + col]! >>> shift) | high) & most;
      }
    }
    return result;
  };
}

/** What an order has that was never set. */
async function isUnordered({ source, from, bytes }: StoredTensor, signal?: AbortSignal): Promise<boolean> {
  return new Int32Array((await source.read(from, bytes, signal)).slice().buffer).includes(-1);
}
