/** Goes through two tables piece by piece, token by token. */
import { tableShape } from './rows.js';
import { throwIfAborted } from '../bytes/source.js';
import { emptyValues, floatsPart, partOf, readValues, type Part, type DecodingOptions } from './stored-part.js';
import type { StoredTensor } from '../tensors.js';

/** Elements that are compared at once, and in the first piece, which ends most comparisons. */
const PIECE_ELEMENTS = 2 ** 18;
const FIRST_ELEMENTS = 2 ** 14;
/** Bytes of a table with one column per token that are held at once, while all rows of the other one are read. */
const STRIP_BYTES = 2 ** 28;

/** Which tokens of two tables are compared, and how those are stored. */
export interface Way {
  /** Whether a token is a row of the first table and a column of the second one; else a row of both. */
  readonly isAcross: boolean;
  /** The first token of each that is compared. */
  readonly from: readonly [number, number];
  readonly tokens: number;
}

export interface PiecesOptions extends DecodingOptions {
  readonly onShare?: (share: number) => void;
  /** A token that comes first, because the tables are known to differ there. */
  readonly first?: number;
}

/** Whether to go on. */
type Take = (one: Part, other: Part) => boolean;

/** Calls `take` with equally many elements of both tables, in the same order, until it returns false. */
export async function forPieces(
  tables: readonly [StoredTensor, StoredTensor],
  way: Way,
  options: PiecesOptions,
  take: Take,
): Promise<void> {
  return way.isAcross ? acrossPieces(tables, way, options, take) : rowPieces(tables, way, options, take);
}

async function rowPieces(
  [input, output]: readonly [StoredTensor, StoredTensor],
  { from: [a, b], tokens }: Way,
  options: PiecesOptions,
  take: Take,
): Promise<void> {
  const { cols } = tableShape(input);
  const rowsIn = (elements: number): number => Math.max(1, Math.floor(elements / cols));
  const takeRows = async (from: number, to: number): Promise<boolean> => {
    throwIfAborted(options.signal);
    const [one, other] = await Promise.all([
      partOf(input, a + from, a + to, options),
      partOf(output, b + from, b + to, options),
    ]);
    throwIfAborted(options.signal);
    return take(one, other);
  };
  const { first } = options;
  if (first !== undefined && !(await takeRows(first, Math.min(tokens, first + rowsIn(FIRST_ELEMENTS))))) return;
  let done = 0;
  while (done < tokens) {
    const to = Math.min(tokens, done + rowsIn(done === 0 ? FIRST_ELEMENTS : PIECE_ELEMENTS));
    if (!(await takeRows(done, to))) return;
    done = to;
    options.onShare?.(done / tokens);
  }
}

async function acrossPieces(
  [input, output]: readonly [StoredTensor, StoredTensor],
  { from: [a, b], tokens }: Way,
  options: PiecesOptions,
  take: Take,
): Promise<void> {
  const { cols, dtype } = tableShape(input);
  const { cols: stored, dtype: storedType } = tableShape(output);
  /** Tokens `first` to `end` beside rows of the output, of which the first one is `at`; whether to go on. */
  const takeTokens = async (first: number, end: number, strip: ArrayLike<number>, at: number): Promise<boolean> => {
    throwIfAborted(options.signal);
    const width = strip.length / stored;
    const values = await readValues(input, a + first, a + end, options);
    const [one, other] = [emptyValues(dtype, (end - first) * width), emptyValues(storedType, (end - first) * width)];
    for (let token = first; token < end; token++) {
      for (let col = 0; col < width; col++) {
        one[(token - first) * width + col] = values[(token - first) * cols + at + col]!;
        other[(token - first) * width + col] = strip[col * stored + b + token]!;
      }
    }
    return take(floatsPart(dtype, one, input.printed), floatsPart(storedType, other, output.printed));
  };
  const few = Math.max(1, Math.floor(FIRST_ELEMENTS / cols));
  if (!(await takeTokens(0, Math.min(tokens, few), await readValues(output, 0, 1, options), 0))) return;
  const widest = Math.max(1, Math.floor(STRIP_BYTES / (stored * (storedType === 'F64' ? 8 : 4))));
  const most = Math.max(1, Math.floor(PIECE_ELEMENTS / cols));
  for (let at = 0; at < cols; at += widest) {
    const strip = await readValues(output, at, Math.min(cols, at + widest), options);
    for (let first = 0; first < tokens; first += most)
      if (!(await takeTokens(first, Math.min(tokens, first + most), strip, at))) return;
    options.onShare?.(Math.min(1, (at + widest) / cols));
  }
}
