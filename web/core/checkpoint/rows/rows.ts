/** Reads rows of a stored matrix (only their bytes) and decodes them a piece at a time. */
import { TiedError } from '../../runtime/errors.js';
import type { Matrix } from '../../types.js';
import { checkElements } from '../../runtime/validate.js';
import { allocateFloats } from '../elements/allocate-floats.js';
import type { Decoder } from '../decoder.js';
import { blockOf, ELEMENT_TYPES, isArranged, type ElementType } from '../elements/element-types.js';
import { bytesOf, isDecoded, isOfIntegers, typeInWords } from '../elements/stored-types.js';
import { badFile, throwIfAborted } from '../bytes/source.js';
import type { StoredTensor } from '../tensors.js';

/** Bytes read and decoded at once. */
const PIECE_BYTES = 2 ** 22;

export interface RowRange {
  readonly from: number;
  readonly to: number;
}

export interface TableShape {
  readonly rows: number;
  readonly cols: number;
  readonly dtype: ElementType;
  readonly rowBytes: number;
}

const OF_FILES = ELEMENT_TYPES.filter((type) => !isArranged(type));
const EXPECTED_TYPES = `${OF_FILES.slice(0, -1).join(', ')} or ${OF_FILES.at(-1)!}`;

const called = ({ name }: StoredTensor): string => `'${name.slice(0, 120)}'`;

/** Refuses a tensor that can be no table of tokens: of another shape, without elements, or of integers. */
export function checkTable(tensor: StoredTensor): { readonly rows: number; readonly cols: number } {
  const { shape, dtype, source } = tensor;
  const [rows, cols] = shape;
  if (shape.length !== 2 || rows === undefined || cols === undefined || rows < 1 || cols < 1)
    throw new TiedError(
      'shape-mismatch',
      `${source.name}: ${called(tensor)} has the shape [${shape.join(', ')}]; expected [tokens, width]`,
    );
  if (isOfIntegers(dtype))
    throw new TiedError(
      'unsupported',
      `${source.name}: ${called(tensor)} has integers (${dtype}), so it is packed or not a table; expected ${EXPECTED_TYPES}`,
    );
  return { rows, cols };
}

/** Why the rows of a table cannot be read, in words; null if they can. */
export const whyNotDecoded = (tensor: StoredTensor): string | null =>
  isDecoded(tensor.dtype)
    ? null
    : `${called(tensor)} has ${typeInWords(tensor.dtype)}, which cannot be decoded${tensor.whyPacked === undefined ? '' : `: ${tensor.whyPacked}`}`;

/** Refuses a tensor that is not a table, or is stored in a way that cannot be decoded. */
export function tableShape(tensor: StoredTensor): TableShape {
  const { dtype, bytes, source } = tensor;
  const { rows, cols } = checkTable(tensor);
  if (!isDecoded(dtype))
    throw new TiedError('unsupported', `${source.name}: ${whyNotDecoded(tensor)!}; expected ${EXPECTED_TYPES}`);
  const rowBytes = bytesOf(cols, blockOf(dtype));
  if (rowBytes === null || rowBytes * rows !== bytes)
    throw badFile(
      source.name,
      `${called(tensor)} has rows of ${cols} elements; expected whole blocks of ${blockOf(dtype).elements}`,
    );
  return { rows, cols, dtype, rowBytes };
}

export interface ReadOptions {
  readonly decoder: Decoder;
  readonly signal?: AbortSignal | undefined;
  readonly onRows?: (done: number) => void;
}

/** Reads rows as they are stored. `into`: a matrix that an earlier, interrupted call has begun, with `done` rows read. */
export class RowReader {
  readonly matrix: Matrix;
  #done = 0;
  readonly #ranges: readonly RowRange[];
  readonly #tensor: StoredTensor;
  readonly #shape: TableShape;

  constructor(tensor: StoredTensor, ranges: readonly RowRange[]) {
    this.#tensor = tensor;
    this.#shape = tableShape(tensor);
    this.#ranges = ranges;
    const { cols } = this.#shape;
    const rows = ranges.reduce((sum, { from, to }) => sum + to - from, 0);
    checkElements(`'${tensor.name.slice(0, 120)}'`, rows, cols);
    this.matrix = { rows, cols, data: allocateFloats(rows * cols, tensor.name) };
  }

  /** Continues where an earlier call ended. */
  async finish({ decoder, signal, onRows }: ReadOptions): Promise<Matrix> {
    const { cols, dtype, rowBytes } = this.#shape;
    const { source, from: start } = this.#tensor;
    const most = Math.max(1, Math.floor(PIECE_BYTES / rowBytes));
    let before = 0;
    for (const { from, to } of this.#ranges) {
      const count = to - from;
      while (this.#done < before + count) {
        throwIfAborted(signal);
        const row = from + this.#done - before;
        const rows = Math.min(most, to - row);
        const bytes = await source.read(start + row * rowBytes, rows * rowBytes, signal);
        const floats = await decoder.decodeElements(dtype, bytes, rows * cols);
        throwIfAborted(signal);
        this.matrix.data.set(floats, this.#done * cols);
        this.#done += rows;
        onRows?.(this.#done);
      }
      before += count;
    }
    return this.matrix;
  }
}

/** The transpose. */
export function turned({ rows, cols, data }: Matrix): Matrix {
  const result = new Float32Array(data.length);
  for (let row = 0; row < rows; row++)
    for (let col = 0; col < cols; col++) result[col * rows + row] = data[row * cols + col]!;
  return { rows: cols, cols: rows, data: result };
}
