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

  /** Those before `end`. */
  fields(end: number): Fields {
    return new Fields(this, this.#cursor, end, this.#wrong);
  }

  async number(): Promise<number> {
    if (!this.isAtHand) await this.#cursor.fill(Math.min(LONGEST_NUMBER, this.#cursor.left));
    return this.numberAtHand();
  }

  /** Whether the next number is in memory. */
  get isAtHand(): boolean {
    return this.#cursor.has(LONGEST_NUMBER);
  }

  numberAtHand(): number {
    let value = 0;
    for (let i = 0; i < LONGEST_NUMBER; i++) {
      if (!this.#cursor.has(1)) break;
      const byte = this.#cursor.byte();
      value += (byte & 127) * powerOfTwo(7 * i);
      if (byte < 128) return value <= Number.MAX_SAFE_INTEGER ? value : NaN;
    }
    throw this.#wrong(`byte ${this.#cursor.position} is within a number that has no end; expected a model of ONNX: it may be cut off`); // prettier-ignore
  }

  /** As `text`, if it is in memory; null if not. */
  textAtHand({ length }: Field): string | null {
    return length > LONGEST_TEXT || !this.#cursor.has(length) ? null : this.#decoder.decode(this.#cursor.bytes(length));
  }

  async text({ from, length }: Field): Promise<string> {
    if (length > LONGEST_TEXT)
      throw this.#wrong(`the text at byte ${from} has ${length} bytes; expected at most ${LONGEST_TEXT}`);
    if (!this.#cursor.has(length)) await this.#cursor.fill(length);
    return this.#decoder.decode(this.#cursor.bytes(length));
  }

  /** Several numbers in one field, or one. */
  async numbers(field: Field, into: number[], most: number): Promise<void> {
    if (field.wire === 0) into.push(field.value);
    else
      while (this.#cursor.position < field.from + field.length && into.length <= most)
        into.push(this.isAtHand ? this.numberAtHand() : await this.number());
    if (into.length > most) throw this.#wrong(`the list at byte ${field.from} has more than ${most} numbers; expected fewer`); // prettier-ignore
  }
}

/**
 * The fields of a message, one after the other. Of one with bytes, the cursor is at the first; the next call skips what is left of it. Half a
 * million tensors have ten million fields, which would take as many promises: those in memory take none.
 */
class Fields {
  readonly #buffer: ProtocolBuffer;
  readonly #cursor: HeaderCursor;
  readonly #end: number;
  readonly #wrong: (problem: string) => TiedError;
  /** Where the next one begins; -1: where the cursor is. */
  #next = -1;

  constructor(buffer: ProtocolBuffer, cursor: HeaderCursor, end: number, wrong: (problem: string) => TiedError) {
    this.#buffer = buffer;
    this.#cursor = cursor;
    this.#end = end;
    this.#wrong = wrong;
  }

  /** The next field; null: it is not in memory, or there is none, which `next` tells. */
  atHand(): Field | null {
    this.#skip();
    // Its tag, and its length or value.
    return this.#cursor.position < this.#end && this.#cursor.has(2 * LONGEST_NUMBER) ? this.#field() : null;
  }

  async next(): Promise<Field | null> {
    this.#skip();
    const { position, left } = this.#cursor;
    if (position < this.#end) {
      await this.#cursor.fill(Math.min(2 * LONGEST_NUMBER, left));
      return this.#field();
    }
    if (position !== this.#end) throw this.#wrong(`a field ends at byte ${position}; expected byte ${this.#end}`);
    return null;
  }

  #skip(): void {
    const { position } = this.#cursor;
    if (position < this.#next) this.#cursor.skip(this.#next - position);
    this.#next = -1;
  }

  #field(): Field {
    const at = this.#cursor.position;
    const tag = this.#buffer.numberAtHand();
    const number = Math.floor(tag / 8);
    const wire = tag % 8;
    if (!(number > 0) || (wire !== 0 && wire !== 1 && wire !== 2 && wire !== 5))
      throw this.#wrong(`byte ${at} begins no field of a protocol buffer; expected a model of ONNX: it may be damaged`);
    if (wire === 0) return { number, wire, value: this.#buffer.numberAtHand(), from: at, length: 0 };
    const length = wire === 2 ? this.#buffer.numberAtHand() : wire === 1 ? 8 : 4;
    const from = this.#cursor.position;
    if (!(from + length <= this.#end))
      throw this.#wrong(`the field at byte ${at} has ${length} bytes and ends after what it is a part of, at byte ${this.#end}; expected a part of it: the file may be cut off`); // prettier-ignore
    this.#next = from + length;
    return { number, wire, value: NaN, from, length };
  }
}
