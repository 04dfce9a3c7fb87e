/** Whether two tables of different types have the same values, up to the rounding of both types. */
import type { Decoder } from './decoder.js';
import { RowReading, tableShape, type TableShape } from './rows.js';
import type { StoredTensor } from './tensors.js';

/** Elements that are compared at once. */
const PIECE_ELEMENTS = 2 ** 20;
/** Elements of an output table with one column per token that are held at once, while all rows of the input table are read. */
const STRIP_ELEMENTS = 2 ** 26;
/** Rows that end most comparisons. */
const FIRST_ROWS = 64;

interface Options {
  readonly decoder: Decoder;
  readonly signal?: AbortSignal | undefined;
  readonly onShare?: (share: number) => void;
}

export async function haveEqualValues(input: StoredTensor, output: StoredTensor, options: Options): Promise<boolean> {
  const { decoder, signal, onShare } = options;
  const { rows, cols } = tableShape(input);
  const steps = [stepsOf(tableShape(input).dtype), stepsOf(tableShape(output).dtype)] as const;
  const most = Math.max(1, Math.floor(PIECE_ELEMENTS / cols));
  for (let from = 0; from < rows; from += most) {
    const range = [{ from, to: Math.min(rows, from + most) }];
    const [one, other] = await Promise.all([
      new RowReading(input, range).finish({ decoder, signal }),
      new RowReading(output, range).finish({ decoder, signal }),
    ]);
    if (!areClose(one.data, other.data, steps)) return false;
    onShare?.(range[0]!.to / rows);
  }
  return true;
}

/** The same for an output table [d, V] that some programs store with one column per token. */
export async function haveTransposedValues(
  input: StoredTensor,
  output: StoredTensor,
  { onShare, ...reading }: Options,
): Promise<boolean> {
  const { rows, cols } = tableShape(input);
  const steps = [stepsOf(tableShape(input).dtype), stepsOf(tableShape(output).dtype)] as const;
  // Blocks run along the rows of each, and so have no scale in common.
  if (steps.some(({ ofBlock }) => ofBlock > 0)) return false;
  /** Rows `first` to `end` of the input in the columns of a strip. */
  const areEqual = async (first: number, end: number, strip: Float32Array, at: number): Promise<boolean> => {
    const width = strip.length / rows;
    const { data } = await new RowReading(input, [{ from: first, to: end }]).finish(reading);
    const [one, other] = [new Float32Array((end - first) * width), new Float32Array((end - first) * width)];
    for (let row = first; row < end; row++) {
      for (let col = 0; col < width; col++) {
        one[(row - first) * width + col] = data[(row - first) * cols + at + col]!;
        other[(row - first) * width + col] = strip[col * rows + row]!;
      }
    }
    return areClose(one, other, steps);
  };
  const stripOf = async (from: number, to: number): Promise<Float32Array> =>
    (await new RowReading(output, [{ from, to }]).finish(reading)).data;
  if (!(await areEqual(0, Math.min(rows, FIRST_ROWS), await stripOf(0, 1), 0))) return false;
  const widest = Math.max(1, Math.floor(STRIP_ELEMENTS / rows));
  const most = Math.max(1, Math.floor(PIECE_ELEMENTS / cols));
  for (let at = 0; at < cols; at += widest) {
    const strip = await stripOf(at, Math.min(cols, at + widest));
    for (let first = 0; first < rows; first += most) {
      if (!(await areEqual(first, Math.min(rows, first + most), strip, at))) return false;
    }
    onShare?.(Math.min(1, (at + widest) / cols));
  }
  return true;
}

/** How far a stored value may be from the original. */
interface Steps {
  /** As a fraction of the value itself: half the last bit. */
  readonly relative: number;
  /** As a fraction of the largest value in a block, whose values share a scale. */
  readonly ofBlock: number;
  /** Near zero, where the smallest values are. */
  readonly absolute?: number;
}

const STEPS: Readonly<Record<TableShape['dtype'], Steps>> = {
  F64: { relative: 2 ** -24, ofBlock: 0 },
  F32: { relative: 2 ** -24, ofBlock: 0 },
  F16: { relative: 2 ** -11, ofBlock: 0 },
  BF16: { relative: 2 ** -8, ofBlock: 0 },
  F8_E4M3: { relative: 2 ** -4, ofBlock: 0, absolute: 2 ** -10 },
  F8_E5M2: { relative: 2 ** -3, ofBlock: 0, absolute: 2 ** -17 },
  // At least half a step, including the rounding of the scale; K types round their scales too, and one-sided types lose the far end of the other
  // side.
  Q8_0: { relative: 0, ofBlock: 2 ** -7 },
  Q6_K: { relative: 0, ofBlock: 2 ** -5 },
  Q5_K: { relative: 0, ofBlock: 2 ** -4 },
  Q5_0: { relative: 0, ofBlock: 2 ** -4 },
  Q5_1: { relative: 0, ofBlock: 2 ** -4 },
  Q4_K: { relative: 0, ofBlock: 2 ** -3 },
  Q4_0: { relative: 0, ofBlock: 2 ** -3 },
  Q4_1: { relative: 0, ofBlock: 2 ** -3 },
};
const stepsOf = (dtype: TableShape['dtype']): Steps => STEPS[dtype];

const BLOCK = 32;
/** The step of 16-bit floats near zero; smaller types have their own (`absolute`). */
const SMALLEST_STEP = 2 ** -24;
const ROUNDING = 1.05;

function areClose(one: Float32Array, other: Float32Array, [a, b]: readonly [Steps, Steps]): boolean {
  const relative = (a.relative + b.relative) * ROUNDING;
  const absolute = SMALLEST_STEP + (a.absolute ?? 0) + (b.absolute ?? 0);
  const ofBlock = (a.ofBlock + b.ofBlock) * ROUNDING;
  for (let start = 0; start < one.length; start += BLOCK) {
    const end = Math.min(one.length, start + BLOCK);
    let largest = 0;
    if (ofBlock > 0)
      for (let i = start; i < end; i++) largest = Math.max(largest, Math.abs(one[i]!), Math.abs(other[i]!));
    for (let i = start; i < end; i++) {
      const [x, y] = [one[i]!, other[i]!];
      if (Object.is(x, y)) continue;
      const allowed = relative * Math.max(Math.abs(x), Math.abs(y)) + ofBlock * largest + absolute;
      if (!(Math.abs(x - y) <= allowed)) return false;
    }
  }
  return true;
}
