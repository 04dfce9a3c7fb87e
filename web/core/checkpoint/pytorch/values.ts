/** What a pickle describes, as data: no name in it is ever looked up, and nothing is called. */

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
  constructor(
    readonly key: string,
    readonly type: NumberType,
    readonly elements: number,
    /** Of a view in the older form: where it begins in the storage of that key. */
    readonly first: number,
  ) {}
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
  ) {}
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
