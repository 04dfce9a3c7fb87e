/** Reads the fields of a protocol buffer one after the other; what is not asked for is skipped and not read. https://protobuf.dev/programming-guides/encoding/ */
import { powerOfTwo } from '../../../runtime/elementary.js';
import type { TiedError } from '../../../runtime/errors.js';
import type { HeaderCursor } from '../../bytes/header-cursor.js';

export interface Field {
  readonly number: number;
  /** 0: a number. 1, 5: eight or four bytes. 2: bytes, texts and messages. */
  readonly wire: 0 | 1 | 2 | 5;
  /** Of a number; NaN if it is larger than 2^53. */
  readonly value: number;
  /** First byte of what is not a number, and how many it has. */
  readonly from: number;
  readonly length: number;
}

const LONGEST_NUMBER = 10;
const LONGEST_TEXT = 65_536;

export class ProtocolBuffer {
  readonly #cursor: HeaderCursor;
  readonly #wrong: (problem: string) => TiedError;
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true });

  constructor(cursor: HeaderCursor, wrong: (problem: string) => TiedError) {
    this.#cursor = cursor;
    this.#wrong = wrong;
  }

  get position(): number {
    return this.#cursor.position;
  }

  /** The next field before `end`; null at the end. Of one with bytes, the cursor is at the first; the next call skips what is left of it. */
  async *fields(end: number): AsyncGenerator<Field> {
    while (this.#cursor.position < end) {
      const at = this.#cursor.position;
      const tag = await this.number();
      const number = Math.floor(tag / 8);
      const wire = tag % 8;
      if (!(number > 0) || ![0, 1, 2, 5].includes(wire))
        throw this.#wrong(`byte ${at} begins no field of a protocol buffer; expected a model of ONNX: it may be damaged`); // prettier-ignore
      if (wire === 0) {
        yield { number, wire, value: await this.number(), from: at, length: 0 };
        continue;
      }
      const length = wire === 2 ? await this.number() : wire === 1 ? 8 : 4;
      const from = this.#cursor.position;
      if (!(from + length <= end))
        throw this.#wrong(`the field at byte ${at} has ${length} bytes and ends after what it is a part of, at byte ${end}; expected a part of it: the file may be cut off`); // prettier-ignore
      yield { number, wire: wire as 1 | 2 | 5, value: NaN, from, length };
      const { position } = this.#cursor;
      if (position < from + length) this.#cursor.skip(from + length - position);
    }
    if (this.#cursor.position !== end)
      throw this.#wrong(`a field ends at byte ${this.#cursor.position}; expected byte ${end}`);
  }

  async number(): Promise<number> {
    if (!this.#cursor.has(LONGEST_NUMBER)) await this.#cursor.fill(Math.min(LONGEST_NUMBER, this.#cursor.left));
    let value = 0;
    for (let i = 0; i < LONGEST_NUMBER; i++) {
      if (!this.#cursor.has(1)) break;
      const byte = this.#cursor.bytes(1)[0]!;
      value += (byte & 127) * powerOfTwo(7 * i);
      if (byte < 128) return value <= Number.MAX_SAFE_INTEGER ? value : NaN;
    }
    throw this.#wrong(`byte ${this.#cursor.position} is within a number that has no end; expected a model of ONNX: it may be cut off`); // prettier-ignore
  }

  async text({ from, length }: Field): Promise<string> {
    if (length > LONGEST_TEXT)
      throw this.#wrong(`the text at byte ${from} has ${length} bytes; expected at most ${LONGEST_TEXT}`);
    await this.#cursor.fill(length);
    return this.#decoder.decode(this.#cursor.bytes(length));
  }

  /** Several numbers in one field, or one. */
  async numbers(field: Field, into: number[], most: number): Promise<void> {
    if (field.wire === 0) into.push(field.value);
    else
      while (this.#cursor.position < field.from + field.length && into.length <= most) into.push(await this.number());
    if (into.length > most) throw this.#wrong(`the list at byte ${field.from} has more than ${most} numbers; expected fewer`); // prettier-ignore
  }
}
