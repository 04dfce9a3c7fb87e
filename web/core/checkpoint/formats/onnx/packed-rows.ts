/**
 * Rows of tables that a graph of ONNX has in integers: a number less its zero point, times its scale (docs/decisions/0126-packings-that-people-have.md). Of
 * https://github.com/microsoft/onnxruntime/blob/main/docs/ContribOperators.md MatMulNBits and GatherBlockQuantized, and DequantizeLinear of ONNX.
 */
import { powerOfTwo } from '../../../runtime/elementary.js';
import { scaledNumbers, tableOfRows } from '../../packed/float-rows-source.js';
import { inOrder, inWords, numbersOf } from '../../packed/packed-numbers.js';
import { floatsOfType, signed } from '../../packed/scales.js';
import { StoredColumns } from '../../packed/stored-columns.js';
import type { StoredTensor } from '../../tensors.js';
import type { OnnxNode } from './graph.js';

type Tensors = ReadonlyMap<string, StoredTensor>;
type Numbers = Uint8Array | Int8Array;
/** Numbers of some rows, row by row. */
type OfRows<T> = (from: number, count: number, signal?: AbortSignal) => Promise<T>;

/** `node`: the one that has the scales beside the table, which is its first tensor. In words: why its rows cannot be read. */
export function packedRows(
  table: StoredTensor,
  node: OnnxNode,
  isTurned: boolean,
  how: string,
  tensors: Tensors,
): StoredTensor | string {
  const one = (name: string | undefined): StoredTensor | undefined =>
    name === undefined ? undefined : tensors.get(name);
  const number = (name: string, otherwise: number): number => node.numbers.get(name)?.[0] ?? otherwise;
  const of = { table, how, bits: number('bits', 4), size: number('block_size', 0) };
  const [, first, second, third] = node.inputs;
  switch (node.op) {
    case 'MatMulNBits':
      if ((node.inputs[4] ?? '') !== '') return 'its columns are in an order of their own (g_idx)';
      return ofProduct({ ...of, scales: one(second), zeros: one(third), hasZeros: (third ?? '') !== '' }, number('N', 0), number('K', 0)); // prettier-ignore
    case 'GatherBlockQuantized':
      if (![1, -1].includes(number('quantize_axis', 1))) return 'its blocks do not go along rows';
      return ofGather({ ...of, size: number('block_size', 128), scales: one(second), zeros: one(third), hasZeros: (third ?? '') !== '' }); // prettier-ignore
    case 'DequantizeLinear':
      if (number('block_size', 0) !== 0) return 'its scales are those of blocks';
      return ofWhole({ ...of, scales: one(first), zeros: one(second), hasZeros: (second ?? '') !== '' }, number('axis', 1), isTurned); // prettier-ignore
    default:
      return `its scales are not beside it (${node.op.slice(0, 40)})`;
  }
}

interface Packed {
  readonly table: StoredTensor;
  readonly how: string;
  readonly bits: number;
  /** Columns with one scale. */
  readonly size: number;
  readonly scales: StoredTensor | undefined;
  readonly zeros: StoredTensor | undefined;
  /** Whether the node names zero points, known or not. */
  readonly hasZeros: boolean;
}

const BITS: readonly number[] = [2, 3, 4, 5, 6, 7, 8];
const NO_SCALES = 'its scales are no tensor of the file';
const NO_ZEROS = 'its zero points are no tensor of the file';

/** Numbers of few bits in the bytes of a row, of which each has as many. */
function rowsOfBits(
  { source, from: start, bytes }: StoredTensor,
  rows: number,
  bits: number,
  most: number,
): OfRows<Uint8Array> {
  const each = bytes / rows;
  return async (from, count, signal) => {
    const stored = await source.read(start + each * from, each * count, signal);
    const result = new Uint8Array(count * most);
    for (let row = 0; row < count; row++)
      result.set(numbersOf(stored.subarray(each * row, each * (row + 1)), bits, most), row * most);
    return result;
  };
}

function ofProduct(packed: Packed, rows: number, width: number): StoredTensor | string {
  const { table, bits, size, scales, zeros, hasZeros } = packed;
  if (!BITS.includes(bits) || !(size >= 16) || !(rows > 0) || !(width > 0))
    return `its node has N ${rows}, K ${width}, ${bits} bits and blocks of ${size}; expected a number of tokens, of columns, 2 to 8 bits and blocks of at least 16`;
  const groups = Math.ceil(width / size);
  const bytes = (rows * groups * size * bits) / 8;
  if (table.dtype !== 'U8' || table.bytes !== bytes)
    return `${inWords(table)}; expected ${bytes} bytes of U8 for ${rows} x ${width} numbers of ${bits} bits`;
  // The last block of a row may have more numbers than there are columns.
  return made(
    packed,
    [rows, width],
    rowsOfBits(table, rows, bits, width),
    size,
    scales,
    zerosOf(zeros, hasZeros, rows, groups, bits, powerOfTwo(bits - 1)),
  );
}

function ofGather(packed: Packed): StoredTensor | string {
  const { table, size, scales, zeros, hasZeros } = packed;
  const [rows = 0, stored = 0, ...others] = table.shape;
  if (others.length > 0 || rows === 0 || stored === 0 || !(size >= 16)) return `${inWords(table)}; expected two dimensions, and blocks of at least 16`; // prettier-ignore
  const type = /\((U?INT4)\)$/.exec(table.dtype)?.[1];
  const bits = type === undefined ? packed.bits : 4;
  if ((type === undefined && table.dtype !== 'U8') || !BITS.includes(bits))
    return `${inWords(table)}; expected U8, UINT4 or INT4`;
  const width = type === undefined ? (stored * 8) / bits : stored;
  if (!Number.isInteger(width) || (rows > 1 && (width * bits) % 8 !== 0))
    return `${inWords(table)}; expected rows of whole bytes`;
  const groups = Math.ceil(width / size);
  const unsigned = rowsOfBits(table, rows, bits, width);
  const numbers: OfRows<Numbers> = type === 'INT4' ? async (...range) => signedOf(await unsigned(...range)) : unsigned;
  const implied = type === undefined ? powerOfTwo(bits - 1) : 0;
  const given = zerosOf(zeros, hasZeros, rows, groups, bits, implied);
  return made(
    packed,
    [rows, width],
    numbers,
    size,
    scales,
    type === 'INT4' && typeof given === 'function' && hasZeros
      ? async (...range) => signedOf(await given(...range))
      : given,
  );
}

const signedOf = (numbers: ArrayLike<number>): Int8Array =>
  Int8Array.from(numbers, (number) => (number > 7 ? number - 16 : number));

/** Zero points of the groups of each row: packed as the numbers are, in bytes of their own, or floats. */
function zerosOf(
  zeros: StoredTensor | undefined,
  hasZeros: boolean,
  rows: number,
  groups: number,
  bits: number,
  implied: number,
): OfRows<ArrayLike<number>> | string {
  if (!hasZeros) return (_, count) => Promise.resolve(new Uint8Array(count * groups).fill(implied));
  if (zeros === undefined) return NO_ZEROS;
  const toFloats = floatsOfType(zeros.dtype);
  if (toFloats !== null && zeros.shape.reduce((all, size) => all * size, 1) === rows * groups)
    return ofGroups(zeros, rows, toFloats);
  const isOfBits = zeros.dtype === 'U8' || /\(U?INT4\)$/.test(zeros.dtype);
  return isOfBits && zeros.bytes === rows * Math.ceil((groups * bits) / 8)
    ? rowsOfBits(zeros, rows, bits, groups)
    : `${inWords(zeros)}; expected ${groups} of ${bits} bits for each of ${rows} rows, in whole bytes`;
}

function ofGroups(
  { source, from: start, bytes }: StoredTensor,
  rows: number,
  read: (bytes: Uint8Array) => ArrayLike<number>,
): OfRows<ArrayLike<number>> {
  const each = bytes / rows;
  return async (from, count, signal) => read(await source.read(start + each * from, each * count, signal));
}

function made(
  { table, how }: Packed,
  shape: readonly [rows: number, width: number],
  numbers: OfRows<Numbers>,
  size: number,
  scales: StoredTensor | undefined,
  zeros: OfRows<ArrayLike<number>> | string,
): StoredTensor | string {
  if (typeof zeros === 'string') return zeros;
  if (scales === undefined) return NO_SCALES;
  const [rows, width] = shape;
  const groups = Math.ceil(width / size);
  const read = floatsOfType(scales.dtype);
  if (read === null || scales.shape.reduce((all, size) => all * size, 1) !== rows * groups)
    return `${inWords(scales)}; expected ${groups} numbers of F32, F16 or BF16 for each of ${rows} rows`;
  const of = inOrder(width, size);
  const scaleValues = ofGroups(scales, rows, read);
  return tableOfRows(table, how, shape, async (from, count, signal) => {
    const [some, someScales, someZeros] = await Promise.all([
      numbers(from, count, signal),
      scaleValues(from, count, signal),
      zeros(from, count, signal),
    ]);
    return scaledNumbers(some, count, { count: groups, of, scales: someScales, zeros: someZeros });
  });
}

/** Bytes with one scale and zero point for all, for each token, or for each column. */
function ofWhole(
  { table, how, scales, zeros, hasZeros }: Packed,
  axis: number,
  isTurned: boolean,
): StoredTensor | string {
  if (scales === undefined) return NO_SCALES;
  if (hasZeros && zeros === undefined) return NO_ZEROS;
  if (!['I8', 'U8'].includes(table.dtype) || table.shape.length !== 2)
    return `${inWords(table)}; expected a matrix of I8 or U8`;
  const [rows, width] = (isTurned ? [...table.shape].reverse() : table.shape) as [number, number];
  const read = floatsOfType(scales.dtype);
  const count = scales.shape.reduce((all, size) => all * size, 1);
  const along = axis < 0 ? axis + 2 : axis;
  const isForTokens = along === (isTurned ? 1 : 0);
  if (read === null || scales.shape.length > 1 || (count !== 1 && count !== table.shape[along]))
    return `${inWords(scales)}; expected one number of F32, F16 or BF16, or ${table.shape[along]}`;
  const toNumbers = table.dtype === 'I8' ? signed : (bytes: Uint8Array): Numbers => bytes;
  if (zeros !== undefined && (zeros.dtype !== table.dtype || zeros.shape.join() !== scales.shape.join()))
    return `${inWords(zeros)}; expected [${scales.shape.join(', ')}] of ${table.dtype}, as the numbers are`;
  const columns = new StoredColumns(table);
  const groups = count === 1 || isForTokens ? 1 : width;
  const of = inOrder(width, groups === 1 ? width : 1);
  return tableOfRows(table, how, [rows, width], async (from, some, signal) => {
    const { source, from: start } = table;
    const [stored, allScales, allZeros] = await Promise.all([
      isTurned ? columns.read(from, from + some, signal) : source.read(start + width * from, width * some, signal),
      scales.source.read(scales.from, scales.bytes, signal).then(read),
      zeros === undefined ? new Uint8Array(count) : zeros.source.read(zeros.from, zeros.bytes, signal).then(toNumbers),
    ]);
    const own = toNumbers(isTurned ? byColumn(stored, some) : stored);
    // One for all, one for each of these rows, or the same for all rows.
    const ofRows = (values: ArrayLike<number>): number[] =>
      Array.from({ length: some * groups }, (_, i) => values[count === 1 ? 0 : isForTokens ? from + i : i % groups]!);
    return scaledNumbers(own, some, { count: groups, of, scales: ofRows(allScales), zeros: ofRows(allZeros) });
  });
}

/** The transpose of a matrix with so many columns. */
function byColumn(bytes: Uint8Array, columns: number): Uint8Array {
  const rows = bytes.length / columns;
  const result = new Uint8Array(bytes.length);
  for (let row = 0; row < rows; row++)
    for (let col = 0; col < columns; col++) result[col * rows + row] = bytes[row * columns + col]!;
  return result;
}
