/** The rows of a table in order, as a file stores them; a table with one column per token is transposed first. */
import type { Matrix } from '../../types.js';
import { tableShape } from '../rows/rows.js';
import type { StoredRows } from './table-moments.js';
import type { StoredTensor } from '../tensors.js';

export interface TableRows {
  readonly rows: number;
  readonly cols: number;
  readonly rowBytes: number;
  read(from: number, count: number, signal: AbortSignal | undefined): Promise<StoredRows>;
}

export function storedRows(tensor: StoredTensor): TableRows {
  const { rows, cols, dtype, rowBytes } = tableShape(tensor);
  const read = async (from: number, count: number, signal: AbortSignal | undefined): Promise<StoredRows> => ({
    type: dtype,
    bytes: await tensor.source.read(tensor.from + from * rowBytes, count * rowBytes, signal),
  });
  return { rows, cols, rowBytes, read };
}

/** Whether elements are stored in 16 bits or fewer; entries are then rounded to 16 bits for sums over rows. */
export const areNarrow = (tables: readonly TableRows[]): boolean =>
  tables.every(({ rowBytes, cols }) => rowBytes <= 2 * cols);

/** The rows of a matrix in memory. */
export function matrixRows({ rows, cols, data }: Matrix): TableRows {
  const rowBytes = 4 * cols;
  const bytes = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  const read = (from: number, count: number): Promise<StoredRows> =>
    Promise.resolve({ type: 'F32', bytes: bytes.subarray(from * rowBytes, (from + count) * rowBytes) });
  return { rows, cols, rowBytes, read };
}
