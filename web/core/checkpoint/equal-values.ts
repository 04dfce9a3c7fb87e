/** Whether two tables of different types have the same values, as far as the rounding of both types lets one tell. */
import type { Decoder } from './decoder.js';
import { blockOf } from './element-types.js';
import { originalsOf, type Bounds, type Interval, type Originals } from './originals.js';
import { couldBeQuantsOf, couldHaveOneOrder, refinedBlock, type RefinedBlock } from './refined-scales.js';
import { RowReading, tableShape, type TableShape } from './rows.js';
import { throwIfAborted } from './source.js';
import { IS_REFINED, isQuantized } from './stored-blocks.js';
import type { StoredTensor } from './tensors.js';

/**
 * - `equal`: every two elements could be one number, rounded to the nearest that each type allows, with scales as ggml chooses them
 * - `different`: some could not, however the scales were chosen
 * - `unknown`: neither
 */
export type Sameness = 'equal' | 'different' | 'unknown';

/** Elements that are compared at once. */
const PIECE_ELEMENTS = 2 ** 18;
/** Elements of an output table with one column per token that are held at once, while all rows of the input table are read. */
const STRIP_ELEMENTS = 2 ** 26;
/** Rows that end most comparisons. */
const FIRST_ROWS = 64;

interface Options {
  readonly decoder: Decoder;
  readonly signal?: AbortSignal | undefined;
  readonly onShare?: (share: number) => void;
}

export async function compareValues(input: StoredTensor, output: StoredTensor, options: Options): Promise<Sameness> {
  const { signal, onShare } = options;
  const { rows, cols } = tableShape(input);
  const most = Math.max(1, Math.floor(PIECE_ELEMENTS / cols));
  let found: Sameness = 'equal';
  for (let from = 0; from < rows; from += most) {
    throwIfAborted(signal);
    const to = Math.min(rows, from + most);
    const [one, other] = await Promise.all([partOf(input, from, to, options), partOf(output, from, to, options)]);
    const here = sameness(one, other);
    if (here === 'different') return here;
    if (here === 'unknown') found = here;
    onShare?.(to / rows);
  }
  return found;
}

/** The same for an output table [d, V] that some programs store with one column per token. */
export async function compareTransposed(
  input: StoredTensor,
  output: StoredTensor,
  { onShare, ...reading }: Options,
): Promise<Sameness> {
  const { rows, cols } = tableShape(input);
  const types = [tableShape(input).dtype, tableShape(output).dtype] as const;
  // Blocks run along the rows of each, so one element of either would need a block of the other.
  if (types.some(isQuantized)) return 'unknown';
  let found: Sameness = 'equal';
  /** Rows `first` to `end` of the input beside the columns of a strip; whether to go on. */
  const compare = async (first: number, end: number, strip: Float32Array, at: number): Promise<boolean> => {
    const width = strip.length / rows;
    const { data } = await new RowReading(input, [{ from: first, to: end }]).finish(reading);
    const [one, other] = [new Float32Array((end - first) * width), new Float32Array((end - first) * width)];
    for (let row = first; row < end; row++) {
      for (let col = 0; col < width; col++) {
        one[(row - first) * width + col] = data[(row - first) * cols + at + col]!;
        other[(row - first) * width + col] = strip[col * rows + row]!;
      }
    }
    const here = sameness(floatsPart(types[0], one), floatsPart(types[1], other));
    if (here !== 'equal') found = here;
    return here !== 'different';
  };
  const stripOf = async (from: number, to: number): Promise<Float32Array> =>
    (await new RowReading(output, [{ from, to }]).finish(reading)).data;
  if (!(await compare(0, Math.min(rows, FIRST_ROWS), await stripOf(0, 1), 0))) return found;
  const widest = Math.max(1, Math.floor(STRIP_ELEMENTS / rows));
  const most = Math.max(1, Math.floor(PIECE_ELEMENTS / cols));
  for (let at = 0; at < cols; at += widest) {
    const strip = await stripOf(at, Math.min(cols, at + widest));
    for (let first = 0; first < rows; first += most)
      if (!(await compare(first, Math.min(rows, first + most), strip, at))) return found;
    onShare?.(Math.min(1, (at + widest) / cols));
  }
  return found;
}

/** Rows of a table, decoded. */
export interface Part {
  readonly dtype: TableShape['dtype'];
  readonly values: Float32Array;
  readonly originals: Originals;
  /** A block whose scale may have been refined; null for other types. */
  readonly refined: (block: number) => RefinedBlock | null;
}

export async function partOf(
  tensor: StoredTensor,
  from: number,
  to: number,
  { decoder, signal }: Options,
): Promise<Part> {
  const { cols, dtype, rowBytes } = tableShape(tensor);
  const bytes = await tensor.source.read(tensor.from + from * rowBytes, (to - from) * rowBytes, signal);
  const values = await decoder.decodeElements(dtype, bytes, (to - from) * cols);
  const refined = (block: number): RefinedBlock | null =>
    isQuantized(dtype) && IS_REFINED[dtype] ? refinedBlock(dtype, bytes, values, block) : null;
  return { dtype, values, originals: originalsOf(dtype, bytes, values), refined };
}

const floatsPart = (dtype: TableShape['dtype'], values: Float32Array): Part => ({
  ...{ dtype, values, originals: originalsOf(dtype, new Uint8Array(0), values), refined: () => null },
});

/** Whether elements `from` to `to` are the same numbers or, in different types, could be roundings of the same ones. */
export function couldBeEqual(one: Part, other: Part, from: number, to: number): boolean {
  const isOneType = one.dtype === other.dtype;
  for (let i = from; i < to; i++) {
    if (one.values[i] === other.values[i]) continue;
    if (isOneType || !areNear(one.originals.boundsOf(i), other.originals.boundsOf(i))) return false;
  }
  return true;
}

/** Of types with refined scales. */
const REFINED_BLOCK = blockOf('Q4_0').elements;

// NaN compares as false.
const areNear = ({ near: a }: Bounds, { near: b }: Bounds): boolean => a.least <= b.most && b.least <= a.most;

function sameness(one: Part, other: Part): Sameness {
  const [a, b] = [one.originals, other.originals];
  let found: Sameness = 'equal';
  let checked = -1;
  for (let i = 0; i < one.values.length; i++) {
    const [x, y] = [one.values[i]!, other.values[i]!];
    if (Math.abs(x - y) <= a.off[i]! + b.off[i]!) continue;
    if (Number.isNaN(x) && Number.isNaN(y)) continue;
    const [mine, theirs] = [a.boundsOf(i), b.boundsOf(i)];
    if (areNear(mine, theirs)) continue;
    if (mine.sure.least > theirs.sure.most || theirs.sure.least > mine.sure.most) return 'different';
    found = 'unknown';
    const block = Math.floor(i / REFINED_BLOCK);
    if (block !== checked && !couldBeRefined(one, other, block)) return 'different';
    checked = block;
  }
  return found;
}

/** Whether the refinement of a scale could explain the difference in a block. */
function couldBeRefined(one: Part, other: Part, block: number): boolean {
  const [mine, theirs] = [one.refined(block), other.refined(block)];
  if (mine !== null && theirs !== null) return couldHaveOneOrder(mine, theirs);
  const sureOf =
    ({ originals }: Part) =>
    (i: number): Interval =>
      originals.boundsOf(block * REFINED_BLOCK + i).sure;
  if (mine !== null) return couldBeQuantsOf(mine, sureOf(other));
  return theirs === null || couldBeQuantsOf(theirs, sureOf(one));
}
