/** Tables that a quantizer packed into several tensors. Their rows cannot be read, but what is stored tells something of two of them. */
import { powerOfTwo } from '../../runtime/elementary.js';
import type { TyingOptions, Compared } from '../tying/compare-tables.js';
import { arrangedTable } from './arranged-tables.js';
import { tableOfRows } from './float-rows-source.js';
import { compareBytes } from '../tying/equal-bytes.js';
import { isInLayer } from '../tables/families.js';
import { NO_PACKING_FACTS, saidPacking } from './packing-facts.js';
import { isDecoded } from '../elements/stored-types.js';
import { PACKED_SOMEHOW, type Candidate } from '../tables/table-candidates.js';
import { areOneStorage, type PackingFacts, type StoredTensor, type TensorDirectory } from '../tensors.js';

type Parts = ReadonlyMap<string, StoredTensor>;

/** The width of the states, if all norms outside the layers have it. */
function widthOf(tensors: TensorDirectory['tensors']): number | null {
  const widths = [...tensors.values()].flatMap(({ name, shape }) =>
    shape.length === 1 && !isInLayer(name) && /(?:norm|ln)\w*[./](?:weight|scale)$/i.test(name) ? shape : [],
  );
  const [width = null, ...others] = new Set(widths);
  return others.length === 0 ? width : null;
}

const isWidthOf = (words: number, width: number | null): boolean =>
  width !== null && [3, 5, 6, ...BITS].includes((32 * words) / width);

/** One table, whose parts follow its name. `hasShape`: its shape is that of the table, not of what is stored. */
export function packedTable(
  one: Candidate,
  tensors: TensorDirectory['tensors'],
  facts: PackingFacts = NO_PACKING_FACTS,
): StoredTensor | null {
  const parts = new Map(one.names.map((name) => [name.slice(one.stem.length), tensors.get(name)!]));
  const integers = [...parts.values()].find(({ scaled }) => scaled !== undefined);
  if (integers !== undefined) return ofScaled(one.stem, integers, parts);
  const stored = [...parts.values()].filter(({ dtype }) => !(dtype in LAST_BITS));
  const [largest] = stored.sort((a, b) => b.bytes - a.bytes);
  if (largest === undefined || largest.shape.includes(0)) return null;
  const [rows = 1, ...others] = largest.shape;
  const cols = others.reduce((product, size) => product * size, 1);
  const width = widthOf(tensors);
  const fits = affineOf(parts) === null ? /8(?:_|$)/.test(largest.dtype) && cols === width : isWidthOf(cols, width);
  const hasShape = others.length === 1 && width !== null && fits;
  const table = {
    ...{ name: one.stem, parts, hasShape, source: largest.source, from: largest.from },
    dtype: one.packed === PACKED_SOMEHOW ? (saidPacking(facts) ?? one.packed) : (one.packed ?? 'packed'),
    shape: [rows, hasShape ? width : cols],
    bytes: [...parts.values()].reduce((sum, { bytes }) => sum + bytes, 0),
  };
  const arranged = arrangedTable(table, parts, width, facts);
  return arranged === null ? table : typeof arranged === 'string' ? { ...table, whyPacked: arranged } : arranged;
}

/** Two of them are equal only if their scales are, too. */
function ofScaled(name: string, integers: StoredTensor, parts: Parts): StoredTensor {
  const { scaled, shape, dtype } = integers;
  const table = { ...integers, name, parts: new Map([...parts, ...scaled!.parts]) };
  return tableOfRows(table, dtype, shape as [number, number], scaled!.rows);
}

/** The type, or how it is packed, as the file has it. */
const packedAs = ({ dtype, arrangedFrom }: StoredTensor): string => (arrangedFrom ?? { dtype }).dtype;

/** Of two tables of which at least one is packed. */
export async function comparePacked(
  input: StoredTensor,
  output: StoredTensor,
  options: TyingOptions,
): Promise<Compared> {
  const [mine, theirs] = [
    input.parts ?? new Map<string, StoredTensor>(),
    output.parts ?? new Map<string, StoredTensor>(),
  ];
  let areEqual = mine.size === theirs.size && mine.size > 0;
  const same = new Set<string>();
  for (const [own, part] of mine) {
    const other = theirs.get(own);
    const isSame = other !== undefined && (await haveEqualBytes(part, other, options));
    if (isSame) same.add(own);
    areEqual &&= isSame;
  }
  const isOne = areEqual && [...mine].every(([own, part]) => areOneStorage(part, theirs.get(own)!));
  if (areEqual) return { tied: true, evidence: isOne ? 'same-storage' : 'equal-bytes', why: null };
  // Equal numbers with other scales may be one table with a factor.
  const [one, other] = [affineOf(mine, input), affineOf(theirs, output)];
  if (one !== null && other !== null && !same.has('.weight') && (await areApart(one, other, options)))
    return { tied: false, evidence: 'different', why: null };
  const [own, beside] = [packedAs(input), packedAs(output)];
  const how = own === beside ? `are both ${own}` : `are ${own} and ${beside}`;
  const why = `'${input.name.slice(0, 120)}' and '${output.name.slice(0, 120)}' ${how}, with other bytes, which does not tell whether they were one table`;
  return { tied: null, evidence: 'unknown', why };
}

export async function haveEqualBytes(one: StoredTensor, other: StoredTensor, options: TyingOptions): Promise<boolean> {
  const isAlike = one.dtype === other.dtype && one.shape.join() === other.shape.join() && one.bytes === other.bytes;
  if (!isAlike || one.bytes === 0) return false;
  return (await compareBytes([one, other], [0, 0], one.bytes, one.bytes, options)).found === 'equal-bytes';
}

/** MLX's affine groups: each number is a bias and a multiple of a scale, from 0 to 2^bits - 1, the first one in the lowest bits. */
interface Affine {
  readonly weight: StoredTensor;
  readonly scales: StoredTensor;
  readonly biases: StoredTensor;
  /** Numbers of bits that the shapes allow. */
  readonly bits: readonly number[];
}

/** `whole`: the table, if its shape is known. */
function affineOf(parts: Parts, whole?: StoredTensor): Affine | null {
  const [weight, scales, biases] = ['.weight', '.scales', '.biases'].map((own) => parts.get(own));
  if (weight?.dtype !== 'U32' || weight.shape.length !== 2 || scales === undefined || biases === undefined) return null;
  const isAlike = [scales, biases].every(
    ({ shape, dtype }) =>
      shape.length === 2 && shape[0] === weight.shape[0] && shape[1] === scales.shape[1] && dtype in LAST_BITS,
  );
  const [words, groups] = [weight.shape[1]!, scales.shape[1]!];
  const width = whole?.hasShape === true ? whole.shape[1] : undefined;
  const bits = BITS.filter(
    (bits) => Number.isInteger((words * 32) / bits / groups) && (width === undefined || (words * 32) / bits === width),
  );
  return isAlike ? { weight, scales, biases, bits } : null;
}

/** Numbers of bits that do not cross the ends of words. */
const BITS: readonly number[] = [2, 4, 8];
/** Half of the last bit of 1 in the types that scales have. */
const LAST_BITS: Readonly<Record<string, number>> = { F32: 2 ** -24, F16: 2 ** -11, BF16: 2 ** -8 };
const ROWS_READ = 64;

/** Where the originals of some rows may lie, row by row: of the first and last number of a group, anywhere beyond. */
interface Ranges {
  readonly width: number;
  readonly low: Float64Array;
  readonly high: Float64Array;
}

async function rowsOf(tensor: StoredTensor, from: number, to: number, { signal }: TyingOptions): Promise<Uint8Array> {
  const rowBytes = tensor.bytes / tensor.shape[0]!;
  return tensor.source.read(tensor.from + from * rowBytes, (to - from) * rowBytes, signal);
}

async function rangesOf(table: Affine, bits: number, from: number, to: number, options: TyingOptions): Promise<Ranges> {
  const [words, groups] = [table.weight.shape[1]!, table.scales.shape[1]!];
  const each = 32 / bits;
  const [width, most] = [words * each, powerOfTwo(bits) - 1];
  const bytes = (await rowsOf(table.weight, from, to, options)).slice();
  const stored = new Uint32Array(bytes.buffer);
  const floats = async (tensor: StoredTensor): Promise<Float32Array> => {
    if (!isDecoded(tensor.dtype)) return new Float32Array();
    return options.decoder.decodeElements(tensor.dtype, await rowsOf(tensor, from, to, options), (to - from) * groups);
  };
  const [scales, biases] = [await floats(table.scales), await floats(table.biases)];
  const [low, high] = [new Float64Array((to - from) * width), new Float64Array((to - from) * width)];
  for (let i = 0; i < low.length; i++) {
    const [row, col] = [Math.floor(i / width), i % width];
    const number = (stored[row * words + Math.floor(col / each)]! >>> (bits * (col % each))) & most;
    const group = row * groups + Math.floor((col * groups) / width);
    const [scale, bias] = [scales[group]!, biases[group]!];
    const value = bias + scale * number;
    const off = Math.abs(scale) / 2 + LAST_BITS[table.scales.dtype]! * (Math.abs(bias) + most * Math.abs(scale));
    // Scales go down where the least number is nearer to zero than the largest.
    const isLeast = number === (scale < 0 ? most : 0);
    const isMost = number === (scale < 0 ? 0 : most);
    low[i] = isLeast ? -Infinity : value - off;
    high[i] = isMost ? Infinity : value + off;
  }
  return { width, low, high };
}

/** Whether a number of the first rows, and one of the last, can have no original in common, for all numbers of bits that the shapes allow. */
async function areApart(one: Affine, other: Affine, options: TyingOptions): Promise<boolean> {
  const [mine, theirs] = [one.weight.shape[0]!, other.weight.shape[0]!];
  const rows = Math.min(mine, theirs);
  let compared = 0;
  const places = mine === theirs ? [[0, 0] as const] : [[0, 0] as const, [mine - rows, theirs - rows] as const];
  for (const a of one.bits)
    for (const b of other.bits) {
      // Of one width.
      if (one.weight.shape[1]! * b !== other.weight.shape[1]! * a) continue;
      compared++;
      for (const [from, beside] of places)
        if (!(await differ([one, a, from], [other, b, beside], rows, options))) return false;
    }
  return compared > 0;
}

type Place = readonly [table: Affine, bits: number, from: number];

async function differ(
  [one, a, from]: Place,
  [other, b, beside]: Place,
  rows: number,
  options: TyingOptions,
): Promise<boolean> {
  for (let done = 0; done < rows; done += ROWS_READ) {
    const count = Math.min(ROWS_READ, rows - done);
    const mine = await rangesOf(one, a, from + done, from + done + count, options);
    const theirs = await rangesOf(other, b, beside + done, beside + done + count, options);
    if (mine.low.some((least, i) => least > theirs.high[i]! || theirs.low[i]! > mine.high[i]!)) return true;
  }
  return false;
}
