/** What a pickle describes, as data: no name in it is ever looked up, and nothing is called. */
import type { ByteSource } from '../../bytes/source.js';

/** A tuple is an array. */
export type PyValue =
  | null
  | boolean
  | number
  | bigint
  | string
  | readonly PyValue[]
  | PyList
  | PyDict
  | PyName
  | PyStorage
  | PyTensor
  | PyBytes
  | PyLongText
  | PyArrayType
  | PyArray
  | PyOther;

export class PyList {
  readonly items: PyValue[] = [];
}

/** In the order of the file; a key may occur twice. */
export class PyDict {
  readonly keys: PyValue[] = [];
  readonly values: PyValue[] = [];

  get(key: string): PyValue | undefined {
    const at = this.keys.lastIndexOf(key);
    return at < 0 ? undefined : this.values[at];
  }
}

/** A class or a function of Python, by its name alone. */
export class PyName {
  constructor(
    readonly module: string,
    readonly name: string,
  ) {}

  get whole(): string {
    return `${this.module.slice(0, 80)}.${this.name.slice(0, 80)}`;
  }
}

/** How many numbers a storage has; of an untyped one, bytes. */
export class PyStorage {
  /** Of a view in the older form: the storage of which it is a part. */
  readonly whole: PyStorage;
  /** Made once, for all tensors of the whole. */
  source: ByteSource | null = null;
  /** Those of views with gaps, by what they are: two names of one view are one tensor. */
  views: Map<string, ByteSource> | null = null;

  constructor(
    readonly key: string,
    readonly type: NumberType,
    readonly elements: number,
    /** Where a part begins. */
    readonly first: number,
    whole?: PyStorage,
  ) {
    this.whole = whole ?? this;
  }
}

/** The storages that a pickle names. Keys are mostly numbers from 0 on, in order: half a million take a list. */
export class Storages {
  readonly #listed: PyStorage[] = [];
  readonly #others = new Map<string, PyStorage>();

  get(key: string): PyStorage | undefined {
    const at = placeOf(key);
    return at < this.#listed.length ? this.#listed[at] : this.#others.get(key);
  }

  add(storage: PyStorage): void {
    if (placeOf(storage.key) === this.#listed.length) this.#listed.push(storage);
    else this.#others.set(storage.key, storage);
  }

  clear(): void {
    this.#listed.length = 0;
    this.#others.clear();
  }
}

/** The number that a key spells as numbers are spelled; infinite for others. */
function placeOf(key: string): number {
  if (key.length > 9 || (key.length > 1 && key.charCodeAt(0) === 48)) return Infinity;
  let number = 0;
  for (let i = 0; i < key.length; i++) {
    const digit = key.charCodeAt(i) - 48;
    if (!(digit >= 0 && digit <= 9)) return Infinity;
    number = 10 * number + digit;
  }
  return number;
}

export interface NumberType {
  /** As safetensors calls it, where that knows it. */
  readonly dtype: string;
  readonly bytes: number;
}

/** A view of a storage. All four are as the file has them, and checked when the tensor is read. */
export class PyTensor {
  constructor(
    readonly storage: PyStorage,
    readonly type: NumberType,
    readonly offset: number,
    readonly shape: readonly number[],
    readonly strides: readonly number[],
    /** Of integers: how they are to be scaled, as the file has it. */
    readonly quantizer?: PyValue,
  ) {}
}

/** Bytes within the pickle. */
export class PyBytes {
  constructor(readonly bytes: Uint8Array) {}
}

/** A text that is longer than any name, in UTF-8: pickles of protocol 2 store bytes so. */
export class PyLongText {
  constructor(readonly bytes: Uint8Array) {}
}

/** A type of NumPy. The order of its bytes follows its name in a pickle. */
export class PyArrayType {
  isBigEndian = false;

  /** Such as f4. */
  constructor(readonly code: string) {}
}

/** An array of NumPy. All but its class follows in a pickle, and is checked when it is read. */
export class PyArray {
  shape: readonly number[] = [];
  type: PyArrayType | null = null;
  isFortran = false;
  bytes: PyBytes | null = null;
  /** Of an array of objects. */
  items: PyList | null = null;
  /** Made once, for all names of the array. */
  source: ByteSource | null = null;

  get hasNumbers(): boolean {
    return this.items === null && !/^[SUO]/.test(this.type?.code ?? '');
  }
}

/** Something of a class that is known to hold data, of which nothing is kept. */
export class PyOther {
  constructor(
    /** Its class. */
    readonly what: string,
    /** Whether it may be a matrix. */
    readonly hasNumbers: boolean,
  ) {}
}
