/**
 * Typed arrays from callers, read only through the language's own getters: subclasses, proxies and own properties can
 * lie about the length. Works for arrays of other realms.
 */

interface Prototype {
  at: (index: number) => unknown;
}
const { prototype } = Object.getPrototypeOf(Uint8Array) as { prototype: Prototype };

function intrinsic<T>(from: object, name: PropertyKey): (of: unknown) => T {
  const { get } = Object.getOwnPropertyDescriptor(from, name) as { get: () => T };
  return (of) => get.call(of);
}

/** 'Uint8Array' and so on; undefined for everything else, including proxies of typed arrays. */
export const kindOf = intrinsic<string | undefined>(prototype, Symbol.toStringTag);
export const lengthOf = intrinsic<number>(prototype, 'length');
const bufferOf = intrinsic<ArrayBuffer>(prototype, 'buffer');
const offsetOf = intrinsic<number>(prototype, 'byteOffset');
const sizeOf = intrinsic<number>(prototype, 'byteLength');
const bytesOf = intrinsic<number>(ArrayBuffer.prototype, 'byteLength');

/** Kinds that verbs accept. */
export const ACCEPTED_KINDS = { Uint8Array, Uint32Array, Float32Array } as const;
export type AcceptedKind = keyof typeof ACCEPTED_KINDS;
export type AcceptedArray<K extends AcceptedKind> = InstanceType<(typeof ACCEPTED_KINDS)[K]>;

/** Whether the array's buffer was transferred or shrank below the array. */
export function isDetached(array: unknown): boolean {
  try {
    // The length proves nothing: V8's optimized code may still return the one from before the transfer.
    prototype.at.call(array, 0);
    return false;
  } catch {
    return true;
  }
}

/**
 * A plain view of the same elements; for shared memory a copy, because another thread could write between a check and
 * its use. Null where `value` is no such array or has lost its buffer.
 */
export function viewOf<K extends AcceptedKind>(kind: K, value: unknown): AcceptedArray<K> | null {
  if (kindOf(value) !== kind || isDetached(value)) return null;
  const Kind = ACCEPTED_KINDS[kind] as unknown as new (
    from: object,
    offset?: number,
    length?: number,
  ) => AcceptedArray<K>;
  const buffer = bufferOf(value);
  const view = new Kind(buffer, offsetOf(value), lengthOf(value));
  return isArrayBuffer(buffer) ? view : new Kind(view);
}

/**
 * The bytes of an ArrayBuffer or of any view of one, as a plain view; of shared memory a copy, as above. Null where
 * `value` is neither or has lost its bytes.
 */
export function bytesIn(value: unknown): Uint8Array<ArrayBuffer> | null {
  if (isArrayBuffer(value)) return isTransferred(value) ? null : new Uint8Array(value as ArrayBuffer);
  if (!ArrayBuffer.isView(value)) return null;
  const place = kindOf(value) === undefined ? placeOfDataView(value) : isDetached(value) ? null : placeOf(value);
  if (place === null) return null;
  const view = new Uint8Array(...place);
  return isArrayBuffer(place[0]) ? view : new Uint8Array(view);
}

type Place = [buffer: ArrayBuffer, offset: number, bytes: number];
const placeOf = (array: unknown): Place => [bufferOf(array), offsetOf(array), sizeOf(array)];

const { prototype: viewPrototype } = DataView;
const bufferOfView = intrinsic<ArrayBuffer>(viewPrototype, 'buffer');
const offsetOfView = intrinsic<number>(viewPrototype, 'byteOffset');
const sizeOfView = intrinsic<number>(viewPrototype, 'byteLength');

function placeOfDataView(view: unknown): Place | null {
  try {
    return [bufferOfView(view), offsetOfView(view), sizeOfView(view)];
  } catch {
    return null;
  }
}

/** Whether an ArrayBuffer's bytes were moved to another thread. */
export function isTransferred(buffer: unknown): boolean {
  try {
    new Uint8Array(buffer as ArrayBuffer);
    return false;
  } catch {
    return true;
  }
}

/** True only for a real ArrayBuffer: not for shared memory, not for imitations. */
export function isArrayBuffer(value: unknown): boolean {
  try {
    bytesOf(value);
    return true;
  } catch {
    return false;
  }
}

/** Whether the value is a revoked proxy, which throws on every access. */
export function isRevoked(value: unknown): boolean {
  try {
    Array.isArray(value);
    return false;
  } catch {
    return true;
  }
}
