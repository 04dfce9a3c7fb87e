/**
 * Typed arrays as callers hand them over, read through the getters of the language alone: a subclass, a proxy or a property
 * of the array itself may say anything about its length. Works for arrays of other realms.
 */

interface Prototype {
  at: (index: number) => unknown;
}
const { prototype } = Object.getPrototypeOf(Uint8Array) as { prototype: Prototype };

function intrinsic<T>(from: object, name: PropertyKey): (of: unknown) => T {
  const { get } = Object.getOwnPropertyDescriptor(from, name) as { get: () => T };
  return (of) => get.call(of);
}

/** 'Uint8Array' and so on; undefined for anything else, proxies of typed arrays included. */
export const kindOf = intrinsic<string | undefined>(prototype, Symbol.toStringTag);
export const lengthOf = intrinsic<number>(prototype, 'length');
const bufferOf = intrinsic<ArrayBuffer>(prototype, 'buffer');
const offsetOf = intrinsic<number>(prototype, 'byteOffset');
const bytesOf = intrinsic<number>(ArrayBuffer.prototype, 'byteLength');

/** Kinds that verbs take. */
export const TAKEN_KINDS = { Uint8Array, Uint32Array, Float32Array } as const;
export type TakenKind = keyof typeof TAKEN_KINDS;
export type Taken<K extends TakenKind> = InstanceType<(typeof TAKEN_KINDS)[K]>;

/** Whether the buffer of a typed array was transferred, or has shrunk to less than the array. */
export function isGone(array: unknown): boolean {
  try {
    // Lengths are no proof: optimised code of V8 may read that of a detached array as it was.
    prototype.at.call(array, 0);
    return false;
  } catch {
    return true;
  }
}

/**
 * A view of the same elements that says the truth about itself; of shared memory a copy, as another thread may write to it
 * between a check and its use. Null where `value` is no such array, or has lost its buffer.
 */
export function viewOf<K extends TakenKind>(kind: K, value: unknown): Taken<K> | null {
  if (kindOf(value) !== kind || isGone(value)) return null;
  const Kind = TAKEN_KINDS[kind] as unknown as new (from: object, offset?: number, length?: number) => Taken<K>;
  const buffer = bufferOf(value);
  const view = new Kind(buffer, offsetOf(value), lengthOf(value));
  return isArrayBuffer(buffer) ? view : new Kind(view);
}

/** Not one of shared memory, and no imitation. */
export function isArrayBuffer(value: unknown): boolean {
  try {
    bytesOf(value);
    return true;
  } catch {
    return false;
  }
}

/** A proxy that was revoked: whatever is asked of it throws. */
export function isRevoked(value: unknown): boolean {
  try {
    Array.isArray(value);
    return false;
  } catch {
    return true;
  }
}
