/** Rows that are computed as they are read, as if they were stored as 32-bit floats. */
import { checkRange, type ByteSource } from '../bytes/source.js';
import type { StoredTensor } from '../tensors.js';

/** `count` rows from row `from` on. */
export type MakeRows = (from: number, count: number, signal?: AbortSignal) => Promise<Float32Array>;

class FloatRowsSource implements ByteSource {
  readonly name: string;
  readonly size: number;
  /** Those of its tensors are counted by their own sources. */
  readonly bytesRead = 0;
  readonly notes: readonly string[] = [];
  readonly #rowBytes: number;
  readonly #make: MakeRows;

  constructor(name: string, rows: number, width: number, make: MakeRows) {
    this.name = name;
    this.#rowBytes = 4 * width;
    this.size = rows * this.#rowBytes;
    this.#make = make;
  }

  /** A window of columns begins and ends within rows. */
  async read(from: number, length: number, signal?: AbortSignal): Promise<Uint8Array> {
    checkRange(this, from, length);
    const row = Math.floor(from / this.#rowBytes);
    const rows = Math.ceil((from + length) / this.#rowBytes) - row;
    if (length === 0) return new Uint8Array();
    const { buffer, byteOffset } = await this.#make(row, rows, signal);
    return new Uint8Array(buffer, byteOffset + from - row * this.#rowBytes, length);
  }

  beside(): Promise<null> {
    return Promise.resolve(null);
  }
}

/** `table` as a table of floats: its type then says how it is packed. */
export function tableOfRows(
  table: StoredTensor,
  how: string,
  [rows, width]: readonly [rows: number, width: number],
  make: MakeRows,
): StoredTensor {
  const source = new FloatRowsSource(table.source.name, rows, width, make);
  const packed = { ...table, dtype: how, shape: [rows, width], hasShape: true };
  return { ...packed, dtype: 'F32', source, from: 0, bytes: source.size, arrangedFrom: packed };
}

/** Numbers of groups of columns: each less its group's zero point, times the group's scale. */
export interface Groups {
  readonly count: number;
  /** The group of each column. */
  readonly of: ArrayLike<number>;
  /** For each row, those of its groups. */
  readonly scales: ArrayLike<number>;
  readonly zeros: ArrayLike<number>;
}

/** Differences of such numbers are exact, and so are their products with scales of 16 bits. */
export function scaledNumbers(numbers: Uint8Array | Int8Array, rows: number, groups: Groups): Float32Array {
  const { count, of, scales, zeros } = groups;
  const width = of.length;
  const result = new Float32Array(rows * width);
  for (let row = 0, at = 0; row < rows; row++) {
    const first = row * count;
    for (let col = 0; col < width; col++, at++) {
      const group = first + of[col]!;
      result[at] = (numbers[at]! - zeros[group]!) * scales[group]!;
    }
  }
  return result;
}
