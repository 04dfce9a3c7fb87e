/** Values that lie, break or change, to pass to a verb in place of an honest value. */
import { runInNewContext } from 'node:vm';

type TypedArray = Uint8Array | Uint32Array | Float32Array;
const isTyped = (value: unknown): value is TypedArray => ArrayBuffer.isView(value);
const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !isTyped(value) && Object.getPrototypeOf(value) === Object.prototype;
type Kind = new (buffer: ArrayBufferLike, offset?: number, length?: number) => TypedArray;
const kindOf = (array: TypedArray): Kind => array.constructor as Kind;

export function revoked(target: object): object {
  const { proxy, revoke } = Proxy.revocable(target, {});
  revoke();
  return proxy;
}

function detached<T extends TypedArray>(array: T): T {
  structuredClone(array, { transfer: [array.buffer as ArrayBuffer] });
  return array;
}

/** In a resizable buffer; the array follows its length. */
function tracking(array: TypedArray, bytes = array.byteLength): TypedArray {
  const Growing = ArrayBuffer as unknown as new (bytes: number, options: { maxByteLength: number }) => ArrayBuffer;
  const buffer = new Growing(bytes, { maxByteLength: bytes + 64 });
  const made = new (kindOf(array))(buffer);
  made.set(array as never);
  return made;
}

function shrunk(array: TypedArray): TypedArray {
  const whole = tracking(array);
  const fixed = new (kindOf(array))(whole.buffer, 0, whole.length);
  (whole.buffer as unknown as { resize(bytes: number): void }).resize(0);
  return fixed;
}

function lying(array: TypedArray, length: number): TypedArray {
  const Liar = class extends (kindOf(array) as unknown as typeof Uint8Array) {
    override get length(): number {
      return length;
    }
    override get byteLength(): number {
      return 4 * length;
    }
    static get [Symbol.species](): never {
      throw new Error('species of a caller');
    }
    override slice(): never {
      throw new Error('slice of a caller');
    }
    override subarray(): never {
      throw new Error('subarray of a caller');
    }
  };
  const liar = new Liar(array.buffer as ArrayBuffer, array.byteOffset, Reflect.get(array, 'length') as number);
  return liar as unknown as TypedArray;
}

/** Whether the verb must return the same as for the honest value, must refuse, or may do either. */
type Must = 'answer' | 'refuse' | 'either';

export interface Hostile {
  what: string;
  must: Must;
  fits(value: unknown): boolean;
  make(value: never): unknown;
}

const arrays: [what: string, must: Must, make: (array: TypedArray) => unknown][] = [
  ['a proxy of it', 'refuse', (array) => new Proxy(array, {})],
  ['a revoked proxy of it', 'refuse', (array) => revoked(array)],
  ['an object that inherits its methods', 'refuse', (array) => Object.create(Object.getPrototypeOf(array) as object)],
  ['one that was transferred', 'refuse', detached],
  ['one whose buffer shrank', 'refuse', shrunk],
  ['one of a subclass that says it is longer', 'answer', (array) => lying(array, array.length + 1000)],
  ['one of a subclass that says it is empty', 'answer', (array) => lying(array, 0)],
  ['one with a length of its own', 'answer', (array) => Object.defineProperty(array, 'length', { value: 1e9 })],
  ['one with a buffer of its own', 'answer', (array) => Object.defineProperty(array, 'buffer', { value: null })],
  ['one without a prototype', 'answer', (array) => Object.setPrototypeOf(array, null) as unknown],
  [
    'one in shared memory',
    'answer',
    (array) => {
      const shared = new (kindOf(array))(new SharedArrayBuffer(array.byteLength));
      shared.set(array as never);
      return shared;
    },
  ],
  ['one that follows its buffer', 'answer', (array) => tracking(array)],
  [
    'one in the middle of a buffer',
    'answer',
    (array) => {
      const part = new (kindOf(array))(new ArrayBuffer(array.byteLength + 16), 8, array.length);
      part.set(array as never);
      return part;
    },
  ],
  [
    'one of another realm',
    'answer',
    (array) =>
      runInNewContext(`${array.constructor.name}.from(given)`, { given: Array.from(array as Uint8Array) }) as unknown,
  ],
  ['a plain array', 'refuse', (array) => Array.from(array as Uint8Array)],
  ['one of another kind', 'refuse', (array) => Float64Array.from(array as Float32Array)],
];

const records: [what: string, must: Must, make: (record: Record<string, unknown>) => unknown][] = [
  ['a proxy of it', 'answer', (record) => new Proxy(record, {})],
  ['a revoked proxy of it', 'refuse', revoked],
  ['one that is frozen', 'answer', (record) => Object.freeze(record)],
  ['one without a prototype', 'answer', (record) => Object.assign(Object.create(null) as object, record)],
  [
    'one of another realm',
    'answer',
    (record) => runInNewContext('Object.assign({}, given)', { given: record }) as unknown,
  ],
  ['one whose fields change once they are read', 'answer', changing],
  [
    'one that revokes itself while it is read',
    'either',
    (record) => {
      const { proxy, revoke } = Proxy.revocable(record, {
        get(target, name) {
          revoke();
          return target[String(name)];
        },
      });
      return proxy;
    },
  ],
  ['a promise of it', 'refuse', (record) => Promise.resolve(record)],
];

/** Neither options nor matrices. */
const others: [what: string, make: () => unknown][] = [
  ['a Map', () => new Map([['worst', 5]])],
  ['a Date', () => new Date(0)],
  ['a RegExp', () => /a/],
  ['a URL', () => new URL('https://example.org')],
  ['an array', () => []],
  ['a boxed number', () => Object(5) as unknown],
  ['an instance of a class', () => new (class Options {})()],
  ['a symbol', () => Symbol('s')],
  ['a function', () => () => 1],
  ['null', () => null],
];

/** For any position. */
const anything: [what: string, make: () => unknown][] = [
  ['a symbol', () => Symbol('s')],
  ['a bigint', () => 10n ** 50n],
  ['a revoked proxy of a function', () => revoked(() => 1)],
  ['a revoked proxy of an array', () => revoked([])],
  [
    'an object that converts to nothing',
    () => ({
      [Symbol.toPrimitive]() {
        throw new Error('toPrimitive of a caller');
      },
    }),
  ],
  ['an object whose class has a number for a name', () => Object.create({ constructor: { name: 5 } }) as unknown],
  ['an object without a constructor', () => Object.create(Object.create(null) as object) as unknown],
  [
    'an object that hides its prototype',
    () =>
      new Proxy(
        {},
        {
          getPrototypeOf() {
            return null;
          },
          get(_, name) {
            return typeof name === 'symbol' ? name : undefined;
          },
        },
      ),
  ],
  ['an imitation of a signal', () => Object.create(AbortSignal.prototype) as unknown],
  ['an imitation of a URL', () => Object.create(URL.prototype) as unknown],
  [
    'a view without a constructor',
    () => Object.defineProperty(new DataView(new ArrayBuffer(8)), 'constructor', { value: undefined }),
  ],
  ['a boxed string', () => Object('tied') as unknown],
  [
    'a list that says it is endless',
    () => new Proxy([], { get: (list, name) => (name === 'length' ? 2 ** 53 : list[name as never]) }),
  ],
  ['an array of four thousand million holes', () => new Array(2 ** 32 - 1)],
  [
    'an object in itself',
    () => {
      const loop: Record<string, unknown> = {};
      loop.model = loop.training = loop.embedding = loop.data = loop;
      return loop;
    },
  ],
  ['a promise', () => Promise.resolve(1)],
  ['not a number', () => NaN],
  ['infinity', () => Infinity],
  ['nothing', () => undefined],
  ['null', () => null],
];

/** Fields that return the honest value once and then something else. */
function changing(record: Record<string, unknown>): object {
  const spoilt = {};
  for (const [name, value] of Object.entries(record)) {
    let reads = 0;
    Object.defineProperty(spoilt, name, { enumerable: true, get: () => (reads++ === 0 ? value : Symbol(name)) });
  }
  return spoilt;
}

const isMatrix = (record: object): boolean => 'rows' in record && 'cols' in record && 'data' in record;

export const HOSTILE_VALUES: readonly Hostile[] = [
  ...arrays.map(([what, must, make]) => ({ what, must, fits: isTyped, make: make as Hostile['make'] })),
  ...records.map(([what, must, make]) => ({ what, must, fits: isRecord, make: make as Hostile['make'] })),
  ...others.map(([what, make]) => ({ what, must: 'refuse' as const, fits: isRecord, make })),
  {
    what: 'a matrix of a class',
    must: 'answer',
    fits: (value) => isRecord(value) && isMatrix(value),
    make: ({ rows, cols, data }: never) =>
      new (class Table {
        get rows(): unknown {
          return rows;
        }
        get cols(): unknown {
          return cols;
        }
        get data(): unknown {
          return data;
        }
      })(),
  },
  ...anything.map(([what, make]) => ({ what, must: 'either' as const, fits: () => true, make })),
];
