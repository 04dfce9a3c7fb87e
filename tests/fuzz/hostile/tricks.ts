/** Side effects of reading hostile values: they throw, or call back into their reader. */

/** Thrown by the fuzzer's getters, traps and listeners: it must reach the caller unchanged. */
export class OwnError extends Error {
  override readonly name = 'OwnError';
}

export interface Tricks {
  /** Throws the caller's own error. */
  throw(): never;
  /** Makes other calls during this one. */
  reenter(): void;
}

/** Values that are already spoiled: reading them has effects, or fails. */
const spoiled = new WeakSet<object>();

export const isSpoiled = (value: unknown): boolean => spoiled.has(value as object);

export function markSpoiled<T>(value: T): T {
  if ((typeof value === 'object' && value !== null) || typeof value === 'function') spoiled.add(value);
  return value;
}
