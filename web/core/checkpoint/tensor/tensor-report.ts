/** Statistics of one tensor, from one pass over its elements, a slice at a time. */
import type { Matrix } from '../../types.js';
import { checkElements, checkFunction, checkInteger, checkOptions, checkSignal } from '../../runtime/validate.js';
import type { Decoder } from '../decoder.js';
import { eachSlice, windowOf, type Elements, type StoredMatrix } from './tensor-elements.js';
import { RunningHistogram } from './tensor-histogram.js';
import type {
  RowLength,
  TensorBlocks,
  TensorRange,
  TensorReport,
  TensorReportOptions,
  TensorWindowOptions,
} from './tensor-types.js';

const MOST_BLOCKS = 512;
const DEFAULT_BLOCKS = 64;
const WINDOW = 64;

/** At most this many blocks of rows, and of columns. */
type MostBlocks = readonly [rows: number, cols: number];

export interface CheckedReport {
  readonly blocks: MostBlocks;
  readonly onProgress?: ((fraction: number) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

export function checkReport(options: TensorReportOptions): CheckedReport {
  const { blocks = {}, onProgress, signal } = checkOptions('options', options, ['blocks', 'onProgress', 'signal']);
  if (onProgress !== undefined) checkFunction('options.onProgress', onProgress);
  if (signal !== undefined) checkSignal('options.signal', signal);
  const { rows = DEFAULT_BLOCKS, cols = DEFAULT_BLOCKS } = checkOptions('options.blocks', blocks, ['rows', 'cols']);
  const most = [
    checkInteger('options.blocks.rows', rows, 1, MOST_BLOCKS),
    checkInteger('options.blocks.cols', cols, 1, MOST_BLOCKS),
  ] as const;
  return { blocks: most, onProgress, signal };
}

export interface CheckedWindow {
  readonly rows: readonly [number, number];
  readonly cols: readonly [number, number];
  readonly signal?: AbortSignal | undefined;
}

/** For a tensor with `rows` and `cols`, as the caller sees it. */
export function checkWindow(options: TensorWindowOptions, rows: number, cols: number): CheckedWindow {
  const given = checkOptions('options', options, ['rows', 'cols', 'signal']);
  const { signal } = given;
  if (signal !== undefined) checkSignal('options.signal', signal);
  const range = (name: string, asked: TensorRange | undefined, all: number): readonly [number, number] => {
    if (asked === undefined) return [0, Math.min(all, WINDOW)];
    const { from, to } = checkOptions<{ from?: unknown; to?: unknown }>(name, asked, ['from', 'to']);
    const first = checkInteger(`${name}.from`, from, 0, all);
    return [first, checkInteger(`${name}.to`, to, first, all)];
  };
  const found = {
    rows: range('options.rows', given.rows, rows),
    cols: range('options.cols', given.cols, cols),
    signal,
  };
  checkElements('the window', found.rows[1] - found.rows[0], found.cols[1] - found.cols[0]);
  return found;
}

/** `isTurned`: the file has the transpose of what the caller sees. */
export async function tensorWindow(
  matrix: StoredMatrix,
  isTurned: boolean,
  { rows, cols, signal }: CheckedWindow,
  decoder: Decoder,
): Promise<Matrix> {
  const [height, width] = [rows[1] - rows[0], cols[1] - cols[0]];
  const data = await windowOf(matrix, isTurned ? cols : rows, isTurned ? rows : cols, { decoder, signal });
  if (!isTurned) return { rows: height, cols: width, data };
  return turnedMatrix({ rows: width, cols: height, data });
}

const turnedMatrix = ({ rows, cols, data }: Matrix): Matrix => ({
  rows: cols,
  cols: rows,
  data: Float32Array.from(data, (_, at) => data[(at % rows) * cols + Math.floor(at / rows)]!),
});

/** Ends of `most` nearly equal parts, or of one for each of `all`. */
function endsOf(all: number, most: number): number[] {
  const parts = Math.min(all, most);
  return Array.from({ length: parts + 1 }, (_, part) => Math.floor((part * all) / parts));
}

export async function tensorReport(
  facts: Pick<TensorReport, 'name' | 'shape' | 'dtype'>,
  matrix: StoredMatrix,
  isTurned: boolean,
  { blocks, onProgress, signal }: CheckedReport,
  decoder: Decoder,
): Promise<TensorReport> {
  const { rows, cols } = matrix;
  const sums = new ReportSums(rows, cols, isTurned ? [blocks[1], blocks[0]] : blocks, isTurned);
  await eachSlice(matrix, { decoder, signal }, (values, at) => {
    sums.add(values);
    onProgress?.((at + values.length) / (rows * cols));
  });
  const seen = isTurned ? { rows: cols, cols: rows } : { rows, cols };
  return { ...facts, ...seen, ...sums.result() };
}

/** 2^-64: no sum of numbers that are so much smaller is beyond the largest. */
const SMALL = 2 ** -64;

/** Sums over blocks of rows and columns. */
class BlockSums {
  readonly rowEnds: number[];
  readonly colEnds: number[];
  readonly #sums: Float64Array;
  readonly #squares: Float64Array;
  readonly #counts: Float64Array;

  constructor(rows: number, cols: number, most: MostBlocks) {
    this.rowEnds = endsOf(rows, most[0]);
    this.colEnds = endsOf(cols, most[1]);
    const all = (this.rowEnds.length - 1) * (this.colEnds.length - 1);
    [this.#sums, this.#squares, this.#counts] = [new Float64Array(all), new Float64Array(all), new Float64Array(all)];
  }

  add(row: number, col: number, count: number, sum: number, squares: number): void {
    const at = row * (this.colEnds.length - 1) + col;
    this.#counts[at]! += count;
    this.#sums[at]! += sum;
    this.#squares[at]! += squares;
  }

  result(isTurned: boolean): TensorBlocks {
    const matrix = (of: (at: number) => number): Matrix => {
      const data = Float32Array.from(this.#counts, (_, at) => of(at));
      const made = { rows: this.rowEnds.length - 1, cols: this.colEnds.length - 1, data };
      return isTurned ? turnedMatrix(made) : made;
    };
    const [rowEnds, colEnds] = isTurned ? [this.colEnds, this.rowEnds] : [this.rowEnds, this.colEnds];
    return {
      ...{ rowEnds, colEnds },
      means: matrix((at) => this.#sums[at]! / this.#counts[at]!),
      sizes: matrix((at) => Math.sqrt(this.#squares[at]! / this.#counts[at]!)),
    };
  }
}

class ReportSums {
  readonly #rows: number;
  readonly #cols: number;
  readonly #isTurned: boolean;
  readonly #blocks: BlockSums;
  readonly #histogram = new RunningHistogram();
  /** Sums of squares of rows as the caller sees them; NaN for a row that is not finite. */
  readonly #rowSquares: Float64Array;
  #nan = 0;
  #infinite = 0;
  #zeros = 0;
  #least = Infinity;
  #greatest = -Infinity;
  #absolute = 0;
  #squares = 0;
  /** Of differences from the first finite element, so that the deviation of numbers around a large one is exact. */
  #shift = NaN;
  #shifted = 0;
  #shiftedSquares = 0;
  /** The sum of the shifted elements times `SMALL`, for those whose own sum is beyond the largest number. */
  #small = 0;
  #row = 0;
  #col = 0;
  #blockRow = 0;

  constructor(rows: number, cols: number, blocks: MostBlocks, isTurned: boolean) {
    this.#rows = rows;
    this.#cols = cols;
    this.#isTurned = isTurned;
    this.#blocks = new BlockSums(rows, cols, blocks);
    this.#rowSquares = new Float64Array(isTurned ? cols : rows);
  }

  /** The elements that follow those added before. */
  add(values: Elements): void {
    const { colEnds, rowEnds } = this.#blocks;
    let blockCol = blockAt(colEnds, this.#col);
    for (let at = 0; at < values.length;) {
      const end = Math.min(values.length, at + colEnds[blockCol + 1]! - this.#col);
      this.#addPart(values, at, end, blockCol);
      this.#col += end - at;
      at = end;
      if (this.#col < colEnds[blockCol + 1]!) continue;
      blockCol++;
      if (this.#col < this.#cols) continue;
      [this.#col, blockCol] = [0, 0];
      this.#row++;
      if (this.#row >= rowEnds[this.#blockRow + 1]! && this.#row < this.#rows) this.#blockRow++;
    }
    this.#histogram.add(values, 0, values.length);
  }

  /** Elements of one row and one block. */
  #addPart(values: Elements, from: number, to: number, blockCol: number): void {
    let [sum, squares, absolute, count] = [0, 0, 0, 0];
    let [shifted, shiftedSquares, small, shift] = [0, 0, 0, this.#shift];
    for (let at = from; at < to; at++) {
      const value = values[at]!;
      // NaN and infinities.
      if (value - value !== 0) {
        if (Number.isNaN(value)) this.#nan++;
        else this.#infinite++;
        this.#rowSquares[this.#isTurned ? this.#col + at - from : this.#row] = NaN;
        continue;
      }
      if (Number.isNaN(shift)) this.#shift = shift = value;
      if (value === 0) this.#zeros++;
      if (value < this.#least) this.#least = value;
      if (value > this.#greatest) this.#greatest = value;
      const square = value * value;
      if (this.#isTurned) this.#rowSquares[this.#col + at - from]! += square;
      count++;
      sum += value;
      absolute += Math.abs(value);
      squares += square;
      const off = value - shift;
      shifted += off;
      shiftedSquares += off * off;
      small += value * SMALL - shift * SMALL;
    }
    if (!this.#isTurned) this.#rowSquares[this.#row]! += squares;
    this.#absolute += absolute;
    this.#squares += squares;
    this.#shifted += shifted;
    this.#shiftedSquares += shiftedSquares;
    this.#small += small;
    this.#blocks.add(this.#blockRow, blockCol, count, sum, squares);
  }

  result(): Omit<TensorReport, 'name' | 'shape' | 'dtype' | 'rows' | 'cols'> {
    const elements = this.#rows * this.#cols;
    const finite = elements - this.#nan - this.#infinite;
    const mean = this.#shifted / finite;
    const isEmpty = finite === 0;
    return {
      elements,
      ...{ nan: this.#nan, infinite: this.#infinite, zeros: this.#zeros },
      least: isEmpty ? NaN : this.#least,
      greatest: isEmpty ? NaN : this.#greatest,
      mean:
        Number.isFinite(mean) || isEmpty ? this.#shift + mean : (this.#shift * SMALL + this.#small / finite) / SMALL,
      standardDeviation: Math.sqrt(Math.max(0, this.#shiftedSquares / finite - mean * mean)),
      norms: {
        sum: this.#absolute,
        euclidean: Math.sqrt(this.#squares),
        largest: isEmpty ? 0 : Math.max(-this.#least, this.#greatest),
      },
      rowLengths: rowLengths(this.#rowSquares),
      histogram: this.#histogram.result(),
      blocks: elements === 0 ? null : this.#blocks.result(this.#isTurned),
    };
  }
}

const blockAt = (ends: readonly number[], at: number): number => {
  let block = 0;
  while (at >= ends[block + 1]!) block++;
  return block;
};

function rowLengths(squares: Float64Array): TensorReport['rowLengths'] {
  let [count, sum] = [0, 0];
  let shortest: RowLength = { row: -1, length: Infinity };
  let longest: RowLength = { row: -1, length: -1 };
  squares.forEach((square, row) => {
    if (Number.isNaN(square)) return;
    const length = Math.sqrt(square);
    count++;
    sum += length;
    if (length < shortest.length) shortest = { row, length };
    if (length > longest.length) longest = { row, length };
  });
  return count === 0 ? null : { shortest, longest, mean: sum / count };
}
