/** The numbers of a view that are not one after the other in their storage, in the order of the view: columns of a wider table, every other row. */
import { checkRange, type ByteSource } from '../../bytes/source.js';

/** Bytes that are read at once, wanted or not. */
const MOST_AT_ONCE = 2 ** 22;
/** Rows are read together if no more than one in so many bytes is wanted, or if all of it is little. */
const MOST_FOR_ONE = 8;
const LITTLE = 2 ** 16;

export interface View {
  /** Bytes of each number. */
  readonly each: number;
  /** The place of its first number in the storage; places and strides are counted in numbers. */
  readonly first: number;
  readonly shape: readonly number[];
  readonly strides: readonly number[];
}

export class ViewSource implements ByteSource {
  readonly size: number;
  readonly #storage: ByteSource;
  readonly #view: View;

  /** `view` is within its storage, and has numbers. */
  constructor(storage: ByteSource, view: View) {
    this.#storage = storage;
    this.#view = view;
    this.size = view.shape.reduce((product, size) => product * size, view.each);
  }

  get name(): string {
    return this.#storage.name;
  }

  get notes(): readonly string[] {
    return [];
  }

  get bytesRead(): number {
    return this.#storage.bytesRead;
  }

  async read(from: number, length: number, signal?: AbortSignal): Promise<Uint8Array> {
    checkRange(this, from, length);
    const { each } = this.#view;
    const [first, end] = [Math.floor(from / each), Math.ceil((from + length) / each)];
    const result = new Uint8Array((end - first) * each);
    for (let at = first; at < end;) {
      const [low, high, next] = this.#together(at, end);
      const bytes = await this.#storage.read(low * each, (high - low) * each, signal);
      for (let to = at; to < next;) {
        const [place, count] = this.#run(to, next);
        this.#copy(bytes, place - low, result.subarray((to - first) * each, (to + count - first) * each));
        to += count;
      }
      at = next;
    }
    return result.subarray(from - first * each, from - first * each + length);
  }

  /** What is read at once for numbers from `at` on: a part of the storage, and where the next ones begin. */
  #together(at: number, end: number): readonly [low: number, high: number, next: number] {
    const { each, strides } = this.#view;
    const step = strides.at(-1)!;
    let [low, high, next] = [Infinity, -Infinity, at];
    while (next < end) {
      const [place, count] = this.#run(next, end);
      const [from, to] = [Math.min(low, place), Math.max(high, place + (count - 1) * step + 1)];
      const bytes = (to - from) * each;
      const isFar = bytes > LITTLE && bytes > MOST_FOR_ONE * (next + count - at) * each;
      if (bytes > MOST_AT_ONCE || (next > at && isFar)) break;
      [low, high, next] = [from, to, next + count];
    }
    if (next > at) return [low, high, next];
    // A part of one row.
    const [place, count] = this.#run(at, end);
    const some = Math.min(count, Math.max(1, Math.floor(MOST_AT_ONCE / each / Math.max(1, step))));
    return [place, place + (some - 1) * step + 1, at + some];
  }

  /** The place of a number, and how many up to `end` are in its row. */
  #run(at: number, end: number): readonly [place: number, count: number] {
    const { first, shape, strides } = this.#view;
    const cols = shape.at(-1)!;
    let place = first + (at % cols) * strides.at(-1)!;
    let rest = Math.floor(at / cols);
    for (let i = shape.length - 2; i >= 0; i--) {
      place += (rest % shape[i]!) * strides[i]!;
      rest = Math.floor(rest / shape[i]!);
    }
    return [place, Math.min(end - at, cols - (at % cols))];
  }

  /** Numbers of one row, from place `from` of `bytes` on. */
  #copy(bytes: Uint8Array, from: number, to: Uint8Array): void {
    const { each, strides } = this.#view;
    const step = strides.at(-1)! * each;
    let at = from * each;
    if (step === each) to.set(bytes.subarray(at, at + to.length));
    else
      for (let i = 0; i < to.length; i += each, at += step)
        for (let byte = 0; byte < each; byte++) to[i + byte] = bytes[at + byte]!;
  }

  beside(name: string, signal?: AbortSignal): Promise<ByteSource | null> {
    return this.#storage.beside(name, signal);
  }
}
