/** Typed arrays that are not what they appear to be. */
import type { Draw } from '../draw.js';
import { hostileElement } from './numbers.js';
import { answering, markSpoiled, REVOKED, write, type Tricks, type Written } from './tricks.js';

export type TypedArray = Float32Array | Float64Array | Uint32Array | Uint8Array | Int32Array | Uint16Array;
type Maker = new (from: ArrayBufferLike | ArrayLike<number> | number, at?: number, length?: number) => TypedArray;

export const isTypedArray = (value: unknown): value is TypedArray =>
  ArrayBuffer.isView(value) && !(value instanceof DataView);

/** As `make`, an expression of `array`, makes it from the array that it is now. */
function writtenFrom<T extends object>(array: TypedArray, value: T, make: string | Written): T {
  const now = array.slice();
  return write(value, (of) => `((array) => ${typeof make === 'string' ? make : make(of)})(${of(now)})`);
}

function detached(array: TypedArray): TypedArray {
  writtenFrom(array, array, '(structuredClone(array.buffer, { transfer: [array.buffer] }), array)');
  structuredClone(array.buffer, { transfer: [array.buffer as ArrayBuffer] });
  return array;
}

/** A view whose buffer has shrunk below it. */
function outOfBounds(array: TypedArray): TypedArray {
  const Resizable = ArrayBuffer as unknown as new (
    bytes: number,
    options: object,
  ) => ArrayBuffer & { resize(bytes: number): void };
  const { byteLength } = array;
  const buffer = new Resizable(byteLength, { maxByteLength: byteLength + 64 });
  const view = new (array.constructor as Maker)(buffer, 0, array.length);
  view.set(array as never);
  buffer.resize(Math.floor(byteLength / 2));
  const half = Math.floor(byteLength / 2);
  const make = `((buffer) => { const view = new array.constructor(buffer, 0, array.length); view.set(array); buffer.resize(${half}); return view; })(new ArrayBuffer(array.byteLength, { maxByteLength: array.byteLength + 64 }))`;
  return writtenFrom(array, view, make);
}

function shared(array: TypedArray): TypedArray {
  const view = new (array.constructor as Maker)(new SharedArrayBuffer(array.byteLength));
  view.set(array as never);
  const make = '((view) => (view.set(array), view))(new array.constructor(new SharedArrayBuffer(array.byteLength)))';
  return writtenFrom(array, view, make);
}

/** An own property that lies, differently each time. */
function lying(draw: Draw, array: TypedArray, tricks: Tricks): TypedArray {
  const name = draw.of(['length', 'byteLength', 'byteOffset', 'buffer', 'constructor', 'set', 'slice', 'subarray']);
  const answers = [0, 1, array.length + 1, 1e6, -1, NaN, undefined, null, 'x', new ArrayBuffer(4), class Other {}];
  const get = answering(tricks, () => (draw.odds(0.1) ? tricks.throw() : draw.of(answers)));
  writtenFrom(array, array, (of) => `Object.defineProperty(array, '${name}', { get: ${of(get)} })`);
  return Object.defineProperty(array, name, { get });
}

function changed(draw: Draw, array: TypedArray): TypedArray {
  if (array.length > 0)
    for (let n = draw.whole(1, 3); n > 0; n--) array[draw.whole(0, array.length - 1)] = hostileElement(draw);
  return array;
}

function proxied(draw: Draw, array: TypedArray): object {
  const { proxy, revoke } = Proxy.revocable(array, {});
  const isRevoked = draw.odds(0.5);
  if (isRevoked) revoke();
  writtenFrom(array, proxy, isRevoked ? REVOKED('array') : 'new Proxy(array, {})');
  return markSpoiled(proxy);
}

/** `array` belongs to the caller and may be spoiled. */
export function hostileArray(draw: Draw, array: TypedArray, tricks: Tricks): unknown {
  const Maker = array.constructor as Maker;
  const kinds: (() => unknown)[] = [
    () => changed(draw, array),
    () => changed(draw, array),
    () => detached(array),
    () => outOfBounds(array),
    () => shared(array),
    () => lying(draw, array, tricks),
    () => proxied(draw, array),
    () => writtenFrom(array, Object.create(Maker.prototype) as object, 'Object.create(array.constructor.prototype)'),
    () => writtenFrom(array, Object.create(array) as object, 'Object.create(array)'),
    () =>
      new (draw.of([Float32Array, Float64Array, Uint32Array, Uint8Array, Int32Array, Uint16Array] as Maker[]))(array),
    () => Array.from(array),
    () => array.subarray(1),
    () => array.slice(0, draw.whole(0, array.length)),
    () => new Maker([...array, ...array]),
    () => new Maker(0),
    () => new DataView(array.buffer),
    () => array.buffer,
    () => {
      const [base, text] = draw.of([[null, 'null'], [{}, '{}'], [Array.prototype, 'Array.prototype']] as const); // prettier-ignore
      return Object.setPrototypeOf(writtenFrom(array, array, `Object.setPrototypeOf(array, ${text})`), base) as object;
    },
    () => new (class extends (Maker as typeof Float32Array) {
      override get length(): number { return draw.of([0, 1, 1e9, -1]); }
    })(array as Float32Array), // prettier-ignore
  ];
  return draw.of(kinds)();
}
