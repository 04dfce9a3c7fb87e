/** Rows whose numbers and scales are in several tensors, as if they were stored in blocks. */
import type { GroupValues } from './scales.js';
import { badFile, type ByteSource } from '../bytes/source.js';
import type { StoredTensor } from '../tensors.js';

export interface Arrangement {
  readonly width: number;
  /** Elements in a block; the columns of a group are a multiple of it. */
  readonly elements: number;
  /** Rows of numbers, of which `blockBytes` belong to a block. */
  readonly numbers: StoredTensor;
  readonly blockBytes: number;
  /** For groups of this many rows and columns; the last of either may be smaller. */
  readonly groupRows: number;
  readonly groupSize: number;
  readonly scales: StoredTensor;
  readonly biases: StoredTensor | null;
  readonly read: GroupValues;
  readonly factor?: (signal?: AbortSignal) => Promise<number>;
}

/** Only whole rows can be read. */
export class ArrangedSource implements ByteSource {
  readonly name: string;
  readonly size: number;
  /** Those of its tensors are counted by their own sources. */
  readonly bytesRead = 0;
  readonly notes: readonly string[] = [];
  readonly rowBytes: number;
  readonly #of: Arrangement;

  constructor(of: Arrangement) {
    this.#of = of;
    this.name = of.numbers.source.name;
    const heads = of.biases === null ? 4 : 8;
    this.rowBytes = (of.width / of.elements) * (heads + of.blockBytes);
    this.size = this.rowBytes * this.#rows;
  }

  async read(from: number, length: number, signal?: AbortSignal): Promise<Uint8Array> {
    const { numbers, scales, biases, read, factor, groupRows } = this.#of;
    const [row, rows] = [from / this.rowBytes, length / this.rowBytes];
    if (!Number.isInteger(row) || !Number.isInteger(rows))
      throw badFile(
        this.name,
        `${length} bytes from byte ${from} of '${numbers.name.slice(0, 120)}' are no whole rows`,
      );
    const part = async (tensor: StoredTensor, of: number): Promise<Uint8Array> => {
      const each = tensor.bytes / Math.ceil(this.#rows / of);
      const [first, end] = [Math.floor(row / of), Math.ceil((row + rows) / of)];
      return tensor.source.read(tensor.from + first * each, (end - first) * each, signal);
    };
    const [bytes, scaleBytes, biasBytes, times] = await Promise.all([
      part(numbers, 1),
      part(scales, groupRows),
      biases && part(biases, groupRows),
      factor?.(signal),
    ]);
    return this.#blocks(row, bytes, read(scaleBytes, times), biasBytes && read(biasBytes));
  }

  get #rows(): number {
    return this.#of.numbers.shape[0]!;
  }

  /** Everything has an even number of bytes. */
  #blocks(row: number, bytes: Uint8Array, scales: Float32Array, biases: Float32Array | null): Uint8Array {
    const { width, elements, groupRows, groupSize, blockBytes } = this.#of;
    const numbers = new Uint16Array(bytes.slice().buffer);
    const [first, second] = [scales, biases].map((values) => values && new Uint16Array(values.buffer));
    const each = blockBytes / 2;
    const all = new Uint16Array((numbers.length / each) * ((biases === null ? 2 : 4) + each));
    const [perRow, groups] = [width / elements, Math.ceil(width / groupSize)];
    const firstGroup = Math.floor(row / groupRows);
    let at = 0;
    for (let block = 0, place = 0; place < numbers.length; block++) {
      const [down, along] = [Math.floor(block / perRow), block % perRow];
      const groupRow = Math.floor((row + down) / groupRows) - firstGroup;
      const group = 2 * (groupRow * groups + Math.floor((along * elements) / groupSize));
      all[at++] = first![group]!;
      all[at++] = first![group + 1]!;
      if (second) {
        all[at++] = second[group]!;
        all[at++] = second[group + 1]!;
      }
      for (const end = place + each; place < end; place++) all[at++] = numbers[place]!;
    }
    return new Uint8Array(all.buffer);
  }

  beside(): Promise<null> {
    return Promise.resolve(null);
  }
}
