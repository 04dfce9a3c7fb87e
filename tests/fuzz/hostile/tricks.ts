/** What hostile values may do when they are read: throw, or call back into what is reading them. */

/** Thrown by getters, traps and listeners of the fuzzer's own: it must reach the caller as it is. */
export class OwnError extends Error {
  override readonly name = 'OwnError';
}

export interface Tricks {
  /** Throws an error of the caller's own. */
  throw(): never;
  /** Makes other calls in the middle of this one. */
  reenter(): void;
}

/** Values that are spoiled already: looking into them has effects, or fails. */
const spoiled = new WeakSet<object>();

export const isSpoiled = (value: unknown): boolean => spoiled.has(value as object);

export function markSpoiled<T>(value: T): T {
  if ((typeof value === 'object' && value !== null) || typeof value === 'function') spoiled.add(value);
  return value;
}
