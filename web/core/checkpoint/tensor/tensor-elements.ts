/** All elements of a tensor of any shape, in the order of the file, a slice at a time. */
import { TiedError } from '../../runtime/errors.js';
import { pause } from '../../runtime/pause.js';
import type { Decoder } from '../decoder.js';
import { blockOf, isArranged, type ElementBlock } from '../elements/element-types.js';
import { whyNotDecoded } from '../rows/rows.js';
import { badFile, orAborted, throwIfAborted } from '../bytes/source.js';
import type { DecodingOptions } from '../rows/stored-part.js';
import { bytesOf, elementsOf, isDecoded, isOfIntegers, SAFETENSORS_TYPES } from '../elements/stored-types.js';
import type { StoredTensor } from '../tensors.js';

/** Bytes read at once, and elements decoded and counted without a pause: about a millisecond. */
const PIECE_BYTES = 2 ** 22;
const SLICE_ELEMENTS = 2 ** 17;
/** Rows that are copied without a pause. */
const ROWS_AT_ONCE = 2 ** 14;

/** A tensor as a matrix: the last dimension is that of the columns. A vector is one row. */
export interface StoredMatrix {
  readonly tensor: StoredTensor;
  readonly rows: number;
  readonly cols: number;
  readonly block: ElementBlock;
}

/** Refuses a tensor whose elements cannot be decoded, by the name of its type. */
export function matrixOfTensor(tensor: StoredTensor): StoredMatrix {
  const { shape, dtype, source, bytes } = tensor;
  const name = `${source.name}: '${tensor.name.slice(0, 120)}'`;
  const all = elementsOf(shape);
  const why = isOfIntegers(dtype) ? null : whyNotDecoded(tensor);
  if (why !== null) throw new TiedError('unsupported', `${source.name}: ${why}`);
  const block = isDecoded(dtype) ? blockOf(dtype) : SAFETENSORS_TYPES.get(dtype);
  if (block === undefined) throw new TiedError('unsupported', `${name} has the type ${dtype.slice(0, 40)}`);
  const cols = shape.at(-1) ?? 1;
  if (all === null || bytesOf(cols, block) === null || bytesOf(all, block) !== bytes)
    throw badFile(name, `its shape [${shape.join(', ')}] does not fill its ${bytes} bytes with ${dtype}`);
  return { tensor, rows: cols === 0 ? 0 : all / cols, cols, block };
}

/** Numbers of the elements: floats, or the integers themselves. */
export type Elements = Float32Array | Float64Array;

async function decoded(
  { tensor: { dtype }, block }: StoredMatrix,
  bytes: Uint8Array,
  decoder: Decoder,
): Promise<Elements> {
  if (isOfIntegers(dtype)) return integersOf(dtype, bytes);
  // The decoder rounds them to 32 bits.
  if (dtype === 'F64') return new Float64Array(bytes.slice().buffer);
  if (!isDecoded(dtype)) throw new TypeError(`The type ${dtype} was not checked.`);
  return decoder.decodeElements(dtype, bytes, (bytes.length / block.bytes) * block.elements);
}

function integersOf(dtype: string, bytes: Uint8Array): Float64Array {
  const { buffer } = bytes.slice();
  switch (dtype) {
    case 'I8':
      return Float64Array.from(new Int8Array(buffer));
    case 'I16':
      return Float64Array.from(new Int16Array(buffer));
    case 'U16':
      return Float64Array.from(new Uint16Array(buffer));
    case 'I32':
      return Float64Array.from(new Int32Array(buffer));
    case 'U32':
      return Float64Array.from(new Uint32Array(buffer));
    case 'I64':
      return Float64Array.from(new BigInt64Array(buffer), Number);
    case 'U64':
      return Float64Array.from(new BigUint64Array(buffer), Number);
    default:
      return Float64Array.from(new Uint8Array(buffer));
  }
}

/** Bytes of whole rows where rows are short, else of whole blocks. */
function unitOf({ tensor: { dtype }, cols, block }: StoredMatrix): {
  readonly bytes: number;
  readonly elements: number;
} {
  const rowBytes = bytesOf(cols, block)!;
  return rowBytes <= PIECE_BYTES || isArranged(dtype)
    ? { bytes: rowBytes, elements: cols }
    : { bytes: block.bytes, elements: block.elements };
}

/** Calls `take` with the elements from `at` on; while they are counted, the next piece is read. */
export async function eachSlice(
  matrix: StoredMatrix,
  { decoder, signal }: DecodingOptions,
  take: (values: Elements, at: number) => void,
): Promise<void> {
  const { tensor, block } = matrix;
  const unit = unitOf(matrix);
  const atOnce = unit.bytes * Math.max(1, Math.floor(PIECE_BYTES / unit.bytes));
  const sliceUnit = isArranged(tensor.dtype) ? unit : block;
  const sliceBytes = sliceUnit.bytes * Math.max(1, Math.floor(SLICE_ELEMENTS / sliceUnit.elements));
  const read = (from: number): Promise<Uint8Array> | null => {
    if (from >= tensor.bytes) return null;
    const reading = tensor.source.read(tensor.from + from, Math.min(atOnce, tensor.bytes - from), signal);
    // Its failure is reported where it is awaited.
    reading.catch(() => undefined);
    return reading;
  };
  let next = read(0);
  let at = 0;
  for (let from = 0; next !== null; from += atOnce) {
    const piece = await orAborted(next, signal);
    next = read(from + piece.length);
    for (let first = 0; first < piece.length; first += sliceBytes) {
      throwIfAborted(signal);
      const values = await decoded(matrix, piece.subarray(first, first + sliceBytes), decoder);
      throwIfAborted(signal);
      take(values, at);
      at += values.length;
      await pause();
    }
  }
}

/** The elements of rows `from` to `to`, of which only the columns `first` to `end` are kept. */
export async function windowOf(
  matrix: StoredMatrix,
  [from, to]: readonly [number, number],
  [first, end]: readonly [number, number],
  options: DecodingOptions,
): Promise<Float32Array> {
  const { tensor, cols, block } = matrix;
  const width = end - first;
  const window = new Float32Array((to - from) * width);
  if (window.length === 0) return window;
  // Of a long row only the blocks with the columns; what packs a row in several tensors is read by whole rows.
  const isWhole = isArranged(tensor.dtype);
  const start = isWhole ? 0 : first - (first % block.elements);
  const stop = isWhole ? cols : Math.min(cols, Math.ceil(end / block.elements) * block.elements);
  const rowBytes = bytesOf(cols, block)!;
  const inRow = {
    from: (start / block.elements) * block.bytes,
    bytes: ((stop - start) / block.elements) * block.bytes,
  };
  // Rows that follow one another are one range if nearly all of them is needed.
  const together = rowBytes <= 2 * inRow.bytes + 4096;
  // Rows that are decoded and copied without a pause: of a tensor with short rows, a piece has a million of them.
  const atOnce = Math.max(1, Math.min(ROWS_AT_ONCE, Math.floor(SLICE_ELEMENTS / cols)));
  const read = async (row: number, count: number): Promise<void> => {
    throwIfAborted(options.signal);
    const offset = tensor.from + row * rowBytes + inRow.from;
    const bytes = (count - 1) * rowBytes + inRow.bytes;
    const part = isWhole
      ? await tensor.source.read(tensor.from + row * rowBytes, count * rowBytes, options.signal)
      : await tensor.source.read(offset, bytes, options.signal);
    const partRow = isWhole ? rowBytes : inRow.bytes;
    for (let done = 0; done < count; done += atOnce) {
      const some = Math.min(atOnce, count - done);
      const stored = part.subarray(done * rowBytes, (done + some - 1) * rowBytes + partRow);
      const values = await decoded(matrix, stored, options.decoder);
      for (let i = 0; i < some; i++) {
        const at = i * cols + first - start;
        window.set(values.subarray(at, at + width), (row - from + done + i) * width);
      }
      await pause();
      throwIfAborted(options.signal);
    }
  };
  const most = together ? Math.max(1, Math.floor(PIECE_BYTES / rowBytes)) : 1;
  for (let row = from; row < to; row += most) await read(row, Math.min(most, to - row));
  return window;
}
