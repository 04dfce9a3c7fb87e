/**
 * Reads one pickle into data. The instructions are those that PyTorch itself allows for weights
 * (https://github.com/pytorch/pytorch/blob/main/torch/_weights_only_unpickler.py), and those with which protocols 4 and 5 write the same
 * data. Everything that could take more memory than the file has bytes is bounded.
 */
import type { TiedError } from '../../../runtime/errors.js';
import { pause } from '../../../runtime/pause.js';
import { meaningOf } from './names.js';
import { recalledIn } from './recalled.js';
import { PyBytes, PyDict, PyList, PyLongText, PyName, PyOther, type PyValue } from './values.js';

/** The bytes end within the pickle. */
export class PickleCutOff extends Error {}

export interface Builders {
  /** What a class or a function makes of these arguments, as data. */
  made(of: PyName, args: readonly PyValue[]): PyValue;
  /** What is stored elsewhere in the file. */
  persistent(id: PyValue): PyValue;
  /** What follows a value that was made. */
  built(value: PyValue, state: PyValue): void;
  wrong(problem: string): TiedError;
}

/** Lists, dictionaries, tuples and so on: seven to ten for each tensor of half a million. */
const MOST_OBJECTS = 6_000_000;
const EMPTY: readonly PyValue[] = [];
const MOST_ON_STACK = 2 ** 20;
const MOST_MARKS = 2 ** 16;
/** Instructions without a pause. */
const AT_ONCE = 2 ** 16;
const MOST_REMEMBERED = 2 ** 23;
const LONGEST_TEXT = 10_000_000;
const LONGEST_NAME = 512;

/** Instructions that are not allowed, by name: all others are of no protocol. */
const OTHERS: Readonly<Record<number, string>> = {
  0x30: 'POP', 0x31: 'POP_MARK', 0x32: 'DUP', 0x46: 'FLOAT', 0x49: 'INT', 0x4c: 'LONG', 0x50: 'PERSID', 0x53: 'STRING', 0x54: 'BINSTRING', 0x56: 'UNICODE', 0x64: 'DICT', 0x67: 'GET', 0x69: 'INST', 0x6c: 'LIST', 0x6f: 'OBJ', 0x70: 'PUT', 0x82: 'EXT1', 0x83: 'EXT2', 0x84: 'EXT4', 0x8b: 'LONG4', 0x8d: 'BINUNICODE8', 0x91: 'FROZENSET', 0x92: 'NEWOBJ_EX', 0x97: 'NEXT_BUFFER', 0x98: 'READONLY_BUFFER',
}; // prettier-ignore

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const LATIN = new TextDecoder('latin1');

/** The value of the pickle that begins at `from`, and where it ends. */
export async function unpickle(
  bytes: Uint8Array,
  from: number,
  builders: Builders,
): Promise<{ readonly value: PyValue; readonly end: number }> {
  const machine = new Machine(bytes, from, builders, await recalledIn(bytes, from));
  return { value: await machine.run(), end: machine.at };
}

class Machine {
  at: number;
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  readonly #builders: Builders;
  readonly #stack: PyValue[] = [];
  /** Where each open list of values begins on the stack. */
  readonly #marks: number[] = [];
  /** Only values that are asked for again: torch.save numbers all of them, and asks for a few. */
  readonly #memo = new Map<number, PyValue>();
  readonly #isRecalled: (at: number) => boolean;
  /** How many were numbered in order, and which ones out of order. */
  #inOrder = 0;
  readonly #others = new Set<number>();
  #objects = 0;

  constructor(bytes: Uint8Array, from: number, builders: Builders, isRecalled: (at: number) => boolean) {
    this.#isRecalled = isRecalled;
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    this.#builders = builders;
    this.at = from;
  }

  async run(): Promise<PyValue> {
    while (!this.#hasEnded(AT_ONCE)) await pause();
    const value = this.#pop();
    if (this.#stack.length > 0 || this.#marks.length > 0) throw this.#wrong('has values left over at its end');
    return value;
  }

  /** Whether the pickle ends within so many instructions. */
  #hasEnded(instructions: number): boolean {
    for (let left = instructions; left > 0; left--) {
      const code = this.#u8();
      if (code === 0x2e) return true;
      this.#step(code);
      if (this.#stack.length > MOST_ON_STACK) throw this.#tooMuch(`${MOST_ON_STACK} values at once`);
    }
    return false;
  }

  #step(code: number): void {
    switch (code) {
      case 0x80: {
        const protocol = this.#u8();
        if (protocol < 2 || protocol > 5) throw this.#wrong(`is of protocol ${protocol}`, 'protocol 2 to 5');
        return;
      }
      case 0x95: // FRAME
        this.#skip(8);
        return;
      case 0x28: // MARK
        if (this.#marks.push(this.#stack.length) > MOST_MARKS) throw this.#tooMuch(`${MOST_MARKS} open lists`);
        return;
      case 0x4e: // NONE
        return this.#push(null);
      case 0x88:
        return this.#push(true);
      case 0x89:
        return this.#push(false);
      case 0x4a: // BININT
        this.#need(4);
        this.#push(this.#view.getInt32(this.at, true));
        this.at += 4;
        return;
      case 0x4b: // BININT1
        return this.#push(this.#u8());
      case 0x4d: // BININT2
        this.#need(2);
        this.#push(this.#view.getUint16(this.at, true));
        this.at += 2;
        return;
      case 0x8a: // LONG1
        return this.#push(this.#long(this.#take(this.#u8())));
      case 0x47: // BINFLOAT
        this.#need(8);
        this.#push(this.#view.getFloat64(this.at));
        this.at += 8;
        return;
      case 0x58: // BINUNICODE
        return this.#push(this.#textOrLong(this.#u32()));
      case 0x8c: // SHORT_BINUNICODE
        return this.#push(this.#text(this.#u8()));
      case 0x55: // SHORT_BINSTRING, a text of Python 2
        return this.#push(ofPython2(this.#take(this.#u8())));
      case 0x42: // BINBYTES
      case 0x43: // SHORT_BINBYTES
        return this.#pushMade(new PyBytes(this.#take(code === 0x42 ? this.#u32() : this.#u8())));
      case 0x8e: // BINBYTES8
      case 0x96: // BYTEARRAY8
        return this.#pushMade(new PyBytes(this.#take(this.#u64())));
      case 0x29: // EMPTY_TUPLE
        return this.#push(EMPTY);
      case 0x74: // TUPLE
        return this.#pushMade(this.#popToMark());
      case 0x85: // TUPLE1, TUPLE2, TUPLE3
      case 0x86:
      case 0x87: {
        const third = code === 0x87 ? this.#pop() : null;
        const second = code === 0x85 ? null : this.#pop();
        const first = this.#pop();
        return this.#pushMade(code === 0x85 ? [first] : code === 0x86 ? [first, second] : [first, second, third]);
      }
      case 0x5d:
        return this.#pushMade(new PyList());
      case 0x7d:
        return this.#pushMade(new PyDict());
      case 0x8f: // EMPTY_SET
        return this.#pushMade(new PyOther('set', false));
      case 0x61: // APPEND
        return this.#append([this.#pop()]);
      case 0x65: // APPENDS
      case 0x90: // ADDITEMS
        return this.#append(this.#popToMark());
      case 0x73: {
        const value = this.#pop();
        return this.#set([this.#pop(), value]);
      }
      case 0x75:
        return this.#set(this.#popToMark());
      case 0x71: // BINPUT
        return this.#remember(this.#u8());
      case 0x72: // LONG_BINPUT
        return this.#remember(this.#u32());
      case 0x94: // MEMOIZE
        return this.#remember(this.#remembered);
      case 0x68: // BINGET
        return this.#recall(this.#u8());
      case 0x6a: // LONG_BINGET
        return this.#recall(this.#u32());
      case 0x63: // GLOBAL
        return this.#name(this.#line(), this.#line());
      case 0x93: {
        const name = this.#pop();
        const module = this.#pop();
        if (typeof name !== 'string' || typeof module !== 'string')
          throw this.#wrong('names a class by something that is no text');
        return this.#name(module, name);
      }
      case 0x52: // REDUCE
      case 0x81: {
        const args = this.#pop();
        const of = this.#pop();
        if (!(of instanceof PyName) || !Array.isArray(args))
          throw this.#wrong(`calls something that is not a name at byte ${this.at - 1}`);
        return this.#pushMade(this.#builders.made(of, args));
      }
      case 0x62: {
        // BUILD: attributes, which no tensor needs.
        const state = this.#pop();
        return this.#builders.built(this.#top(), state);
      }
      case 0x51: // BINPERSID
        return this.#pushMade(this.#builders.persistent(this.#pop()));
      default: {
        const name = OTHERS[code];
        throw this.#wrong(
          name === undefined
            ? `has the byte 0x${code.toString(16)} in place of an instruction at byte ${this.at - 1}`
            : `has the instruction ${name} at byte ${this.at - 1}`,
          'those that torch.save writes',
        );
      }
    }
  }

  #wrong(what: string, expected = 'a pickle that torch.save wrote'): TiedError {
    return this.#builders.wrong(`its pickle ${what}; expected ${expected}`);
  }

  #tooMuch(what: string): TiedError {
    return this.#wrong(`has more than ${what}`, 'fewer');
  }

  #need(length: number): void {
    if (length > this.#bytes.length - this.at) throw new PickleCutOff();
  }

  #u8(): number {
    this.#need(1);
    return this.#bytes[this.at++]!;
  }

  #u32(): number {
    this.#need(4);
    const value = this.#view.getUint32(this.at, true);
    this.at += 4;
    return value;
  }

  #u64(): number {
    this.#need(8);
    const value = this.#view.getBigUint64(this.at, true);
    this.at += 8;
    return Number(value);
  }

  #skip(length: number): void {
    this.#need(length);
    this.at += length;
  }

  #take(length: number): Uint8Array {
    this.#skip(length);
    return this.#bytes.subarray(this.at - length, this.at);
  }

  #text(length: number): string {
    if (length > LONGEST_TEXT) throw this.#tooMuch(`${LONGEST_TEXT} bytes in a text`);
    const bytes = this.#take(length);
    try {
      return UTF8.decode(bytes);
    } catch {
      // Python writes half a surrogate pair in three bytes of its own.
      throw this.#wrong(`has a text at byte ${this.at - length} that is not UTF-8`, 'UTF-8');
    }
  }

  #textOrLong(length: number): string | PyLongText {
    return length > LONGEST_TEXT ? new PyLongText(this.#take(length)) : this.#text(length);
  }

  #line(): string {
    const end = this.#bytes.subarray(this.at, this.at + LONGEST_NAME).indexOf(10);
    if (end < 0) {
      this.#need(LONGEST_NAME);
      throw this.#tooMuch(`${LONGEST_NAME} bytes in a name`);
    }
    const text = this.#text(end);
    this.at++;
    return text;
  }

  #long(bytes: Uint8Array): number | bigint {
    let value = 0n;
    for (const byte of bytes.slice().reverse()) value = value * 256n + BigInt(byte);
    if (bytes.length > 0 && bytes.at(-1)! > 127) value -= 1n << BigInt(8 * bytes.length);
    const number = Number(value);
    return Number.isSafeInteger(number) ? number : value;
  }

  #push(value: PyValue): void {
    this.#stack.push(value);
  }

  #pushMade(value: PyValue): void {
    if (++this.#objects > MOST_OBJECTS) throw this.#tooMuch(`${MOST_OBJECTS} objects`);
    this.#stack.push(value);
  }

  #pop(): PyValue {
    if (this.#stack.length <= (this.#marks.at(-1) ?? 0))
      throw this.#wrong(`takes a value that is not there at byte ${this.at - 1}`);
    return this.#stack.pop()!;
  }

  #popToMark(): PyValue[] {
    const mark = this.#marks.pop();
    if (mark === undefined) throw this.#wrong(`ends a list that it has not begun at byte ${this.at - 1}`);
    const values = this.#stack.slice(mark);
    this.#stack.length = mark;
    return values;
  }

  #top(): PyValue {
    if (this.#stack.length <= (this.#marks.at(-1) ?? 0))
      throw this.#wrong(`takes a value that is not there at byte ${this.at - 1}`);
    return this.#stack.at(-1)!;
  }

  #append(items: readonly PyValue[]): void {
    const list = this.#top();
    if (list instanceof PyList) for (const item of items) list.items.push(item);
    else if (!(list instanceof PyOther)) throw this.#wrong(`adds to something that is no list at byte ${this.at - 1}`);
  }

  #set(items: readonly PyValue[]): void {
    const dict = this.#top();
    if (items.length % 2 !== 0) throw this.#wrong(`has a key without a value at byte ${this.at - 1}`);
    if (dict instanceof PyDict)
      for (let i = 0; i < items.length; i += 2) {
        if (items[i] instanceof PyLongText) throw this.#tooMuch(`${LONGEST_TEXT} bytes in a text`);
        dict.keys.push(items[i]!);
        dict.values.push(items[i + 1]!);
      }
    else if (!(dict instanceof PyOther))
      throw this.#wrong(`sets keys of something that is no dictionary at byte ${this.at - 1}`);
  }

  #remember(at: number): void {
    const value = this.#top();
    if (this.#isRecalled(at)) this.#memo.set(at, value);
    // Python numbers them in order.
    if (at > this.#inOrder) this.#others.add(at);
    else if (at === this.#inOrder) {
      this.#inOrder++;
      if (this.#others.size > 0) this.#others.delete(at);
    }
    if (this.#remembered > MOST_REMEMBERED) throw this.#tooMuch(`${MOST_REMEMBERED} remembered values`);
  }

  get #remembered(): number {
    return this.#inOrder + this.#others.size;
  }

  #recall(at: number): void {
    const value = this.#memo.get(at);
    if (value === undefined) throw this.#wrong(`asks for value ${at}, which it has not remembered`);
    this.#stack.push(value);
  }

  /** Refused here, before anything could be made of it. */
  #name(module: string, name: string): void {
    const found = new PyName(module, name);
    if (meaningOf(found) === null)
      throw this.#wrong(
        `names ${found.whole}, which may run code in Python and is never run here`,
        'tensors, numbers and texts, as torch.save(model.state_dict()) writes them',
      );
    this.#pushMade(found);
  }
}

function ofPython2(bytes: Uint8Array): string {
  try {
    return UTF8.decode(bytes);
  } catch {
    return LATIN.decode(bytes);
  }
}
